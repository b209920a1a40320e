package manifest

// Parse reads one document. An empty document is a nil node.
func Parse(doc Document, format Format) (*Node, error) {
	if format == JSON {
		return parseJSON(doc)
	}
	return parseYAML(doc)
}
