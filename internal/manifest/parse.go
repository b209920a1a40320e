package manifest

// Parse reads one document. It returns a nil node for an empty document.
func Parse(doc Document, format Format) (*Node, error) {
	if format == JSON {
		return parseJSON(doc)
	}
	return parseYAML(doc)
}
