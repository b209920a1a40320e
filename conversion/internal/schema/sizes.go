package schema

// These are the sizes that the API server assumes for validation rules if a schema states none
// (k8s.io/apiserver/pkg/cel/common, SchemaDeclType).
const (
	// maxRequest is the maximal size of a request in bytes (MaxRequestSizeBytes in
	// k8s.io/apiserver/pkg/apis/cel).
	maxRequest = 3 << 20
	// runeBytes is the maximal size of a character in bytes: maxLength counts characters, and some
	// functions are priced by bytes.
	runeBytes = 4
	// maxLabel is the maximal length of the value of a label
	// (k8s.io/apimachinery/pkg/api/validate/content).
	maxLabel = 63
)

// Largest returns how many elements, values or bytes of text a value may have: as many as the
// schema allows, or else as fit into a request. keyword limits that, and stated says that the
// schema has it. keyword is "" for fields without a size, and for those that a CRD can't limit.
func (s *Schema) Largest() (n int64, keyword string, stated bool) {
	switch {
	case s.Type == "array":
		n, keyword = (maxRequest-2)/(s.Items.smallest()+1), "maxItems"
	case s.Type == "object" && s.Values != nil:
		n, keyword = (maxRequest-2)/(s.Values.smallest()+6), "maxProperties"
	case s.Type == "object" && len(s.Members) == 0:
		n, keyword = (maxRequest-2)/7, "maxProperties"
	case s.Label:
		return maxLabel, "maxLength", true
	case s.Text:
		return 0, "", false // no CRD can limit an annotation
	case s.Type == "string" && len(s.Enum) > 0:
		for _, v := range s.Enum {
			n = max(n, int64(len(v)))
		}
		return n, "maxLength", true
	case s.Type == "string", s.IntOrString:
		n, keyword = maxRequest-2, "maxLength"
	case s.IsAny():
		return maxRequest - 2, "type", false
	}
	switch {
	case keyword == "" || s.Max == nil:
		return n, keyword, false
	case keyword == "maxLength":
		return min(n, max(*s.Max, 0)*runeBytes), keyword, true
	}
	return max(*s.Max, 0), keyword, true
}

// smallest returns the length of the shortest value in JSON, in bytes.
func (s *Schema) smallest() int64 {
	switch {
	case s == nil, s.IntOrString, s.Nullable:
		return 1
	case s.Type == "boolean":
		return 4
	case s.Type == "object":
		n := int64(2)
		for _, name := range s.Required {
			if m := s.Members[name]; m != nil && m.Default == nil {
				n += int64(len(name)) + m.smallest() + 4
			}
		}
		return n
	case s.Type == "array", s.Type == "string":
		return 2
	}
	return 1
}
