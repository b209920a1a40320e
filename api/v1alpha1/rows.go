package v1alpha1

// Inner are the rows for elements that a row has, and the mapping that has them;
// the pointer allows to change them. Without such a mapping it is nil.
func (r *Row) Inner() (mapping string, rows *[]Row) {
	switch {
	case r.Each != nil:
		return "each", &r.Each.Rows
	case r.Single != nil:
		return "single", &r.Single.Rows
	case r.Keyed != nil:
		return "keyed", &r.Keyed.Rows
	}
	return "", nil
}

// InnerTable is the table that the mapping for elements of a row uses, empty where
// there is none.
func (r *Row) InnerTable() string {
	switch {
	case r.Each != nil:
		return r.Each.Table
	case r.Single != nil:
		return r.Single.Table
	case r.Keyed != nil:
		return r.Keyed.Table
	}
	return ""
}
