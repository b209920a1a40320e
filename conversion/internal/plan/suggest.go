package plan

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// suggest finds the path that an author probably meant: of all paths of the
// schema the one whose text is nearest, if it is near enough.
func suggest(root *schema.Schema, wanted path.Path) string {
	if len(wanted) == 0 {
		return "" // the element itself: no path is like it
	}
	text := wanted.String()
	best, distance := "", len(text)/3+1
	walk(root, nil, 0, func(p path.Path) {
		candidate := p.String()
		d := edits.Distance(text, candidate)
		if p[len(p)-1] == wanted[len(wanted)-1] {
			// The right name at the wrong place is a likely slip.
			d = min(d, 2)
		}
		if d < distance {
			best, distance = candidate, d
		}
	})
	return best
}

// turned says whether a row has one place on each side, and only the other version
// has it: the author took spoke for hub.
func (b *builder) turned(w *written) bool {
	for _, side := range [...]Side{Spoke, Hub} {
		place := w.side(side)
		if place == nil || place.Named != nil {
			return false
		}
		p, err := path.Parse(place.Path)
		if err != nil || b.schemas[side].At(p) != nil || b.schemas[side.Other()].At(p) == nil {
			return false
		}
	}
	return true
}

// walk visits the paths of a schema in a stable order, as deep as tables reach
// without each.
func walk(s *schema.Schema, at path.Path, depth int, visit func(path.Path)) {
	if depth > 12 {
		return
	}
	names := make([]string, 0, len(s.Members))
	for name := range s.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if depth == 0 && s.Members["metadata"] != nil && (name == "apiVersion" || name == "kind" || name == "metadata") {
			continue
		}
		p := at.Child(name)
		visit(p)
		walk(s.Members[name], p, depth+1, visit)
	}
}
