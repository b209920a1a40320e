package reference

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// around adds defaults to the objects of the target that only its version has and that rows have
// made. It leaves out fields that rows name.
func (s side) around(rows []v1alpha1.Row, out *tree.Value, from, to *schema, claimed map[string]bool) {
	var tied []tree.Path
	for _, r := range rows {
		source, target := s.ends(r)
		if source != nil || r.Constant != nil || r.Drop != "" {
			tied = append(tied, s.paths(target)...)
		}
	}
	var complete func(v *tree.Value, p tree.Path, given *tree.Value)
	complete = func(v *tree.Value, p tree.Path, given *tree.Value) {
		for name := range at(to, p).Properties {
			next := p.Name(name)
			is := func(row tree.Path) bool { return slices.Equal(row, next) }
			within := func(row tree.Path) bool { return len(row) > len(next) && slices.Equal(row[:len(next)], next) }
			if slices.ContainsFunc(tied, is) {
				continue
			}
			of, value := at(to, next), v.Get(name)
			mine := given.Get(name)
			switch {
			case !slices.ContainsFunc(tied, within):
				if value == nil && mine != nil {
					v.Set(name, mine.Clone())
				}
			case value == nil && mine != nil && mine.Kind == tree.Object && of.Default == nil:
				made := tree.NewObject()
				if complete(made, next, mine); len(made.Members) > 0 {
					v.Set(name, made)
				}
			case value != nil && value.Kind == tree.Object:
				if at(from, next).Type == "object" && !claimed[next.String()] {
					mine = nil // both versions have it
				} else if of.Default != nil {
					mine, _ = tree.Parse(of.Default.Raw)
				}
				complete(value, next, mine)
			}
		}
	}
	complete(out, nil, nil)
}
