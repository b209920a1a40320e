package plan

func (b *builder) eachRow(w *written, r *Row) bool {
	types := w.pair()
	if b.leadsInto(w) || !b.checkFit(w, types) {
		return false
	}
	lists := types[Spoke].Type == "array" && types[Hub].Type == "array"
	maps := types[Spoke].Values != nil && types[Hub].Values != nil
	if !lists && !maps {
		b.problem(w, "name two lists or two maps", "each ties the elements of two lists or the values of two maps: %s is of type %s, %s is of type %s",
			w.paths[Spoke][0], types[Spoke].Describe(), w.paths[Hub][0], types[Hub].Describe())
		return false
	}
	if maps && len(w.Each.Key) > 0 {
		b.problem(w, "remove key", "the values of a map are told apart by the names in the map")
	}
	b.elements(r, w, types, w.paths[Spoke][0], w.paths[Hub][0])
	return true
}
