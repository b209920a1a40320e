package tree

// Difference is a place where two values differ. The side without it is nil.
type Difference struct {
	Path        Path
	Left, Right *Value
}

// Diff returns the places where two values differ as JSON. The order of members does not matter.
// Numbers differ if they differ for the API server.
func Diff(a, b *Value) []Difference { return diff(nil, nil, a, b) }

// Equal reports whether two values are equal as JSON.
func Equal(a, b *Value) bool { return len(Diff(a, b)) == 0 }

func diff(out []Difference, p Path, a, b *Value) []Difference {
	if a == nil && b == nil {
		return out
	}
	if a == nil || b == nil || a.Kind != b.Kind {
		return append(out, Difference{p, a, b})
	}
	switch a.Kind {
	case Object:
		for _, m := range a.Members {
			out = diff(out, p.Name(m.Name), m.Value, b.Get(m.Name))
		}
		for _, m := range b.Members {
			if a.Get(m.Name) == nil {
				out = append(out, Difference{p.Name(m.Name), nil, m.Value})
			}
		}
		return out
	case List:
		if len(a.Items) != len(b.Items) {
			return append(out, Difference{p, a, b})
		}
		for i := range a.Items {
			out = diff(out, p.Index(i), a.Items[i], b.Items[i])
		}
		return out
	case Number:
		if NormalNumber(a.Text) == NormalNumber(b.Text) {
			return out
		}
	default:
		if a.Text == b.Text {
			return out
		}
	}
	return append(out, Difference{p, a, b})
}
