package diagnose

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// Nearest returns the path that an author probably meant: of all paths of the
// schema, the one whose text is nearest to wanted. It returns "" if none is near enough.
func Nearest(root *schema.Schema, wanted path.Path) string {
	known := 0
	for known < len(wanted) && root.At(wanted[:known+1]) != nil {
		known++
	}
	if known == len(wanted) {
		return "" // the path is in the schema
	}
	text, wrong := wanted.String(), len(wanted[known:].String())-1
	best, distance := "", min(max(3, wrong/3+1), max(wrong, 1))
	Walk(root, nil, 0, func(p path.Path) {
		candidate := p.String()
		d := edits.Distance(text, candidate)
		if p[len(p)-1] == wanted[len(wanted)-1] {
			// The right name in the wrong object is a likely mistake.
			d = min(d, 2)
		}
		if d < distance {
			best, distance = candidate, d
		}
	})
	return best
}

// Instead returns a remedy for a path that the schema does not have: the path that the author probably
// meant, or the fields of the last object on its way.
func Instead(root *schema.Schema, wanted path.Path) string {
	if meant := Nearest(root, wanted); meant != "" {
		return "did you mean " + meant + "?"
	}
	return FieldsAt(root, wanted)
}

// FieldsAt returns which fields the last object on the way of a path has.
func FieldsAt(root *schema.Schema, wanted path.Path) string {
	const most = 10
	s, known := root, 0
	for next := s.Member(wanted[0]); next != nil; next = s.Member(wanted[known]) {
		s, known = next, known+1
	}
	names := slices.Sorted(maps.Keys(s.Members))
	if known == 0 {
		names = slices.DeleteFunc(names, func(name string) bool {
			return root.Members["metadata"] != nil && (name == "apiVersion" || name == "kind")
		})
	}
	place, has := wanted[:known].String(), wanted[:known].String()+" has"
	if known == 0 {
		place, has = "it", "there are"
	}
	switch {
	case len(names) == 0:
		return fmt.Sprintf("%s is of type %s and has no fields", place, s.Describe())
	case len(names) > most:
		return fmt.Sprintf("%s %s and %d more", has, Listed(names[:most]), len(names)-most)
	}
	return fmt.Sprintf("%s %s", has, Listed(names))
}

// Walk visits the paths of a schema in a stable order, without those of elements.
func Walk(s *schema.Schema, at path.Path, depth int, visit func(path.Path)) {
	if depth > 12 {
		return
	}
	names := make([]string, 0, len(s.Members))
	for name := range s.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if depth == 0 && s.Members["apiVersion"] != nil && (name == "apiVersion" || name == "kind" || name == "metadata") {
			continue
		}
		p := at.Child(name)
		visit(p)
		Walk(s.Members[name], p, depth+1, visit)
	}
}
