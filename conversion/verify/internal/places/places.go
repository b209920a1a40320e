package places

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Pattern is a path in which a step may be [*]: any element of a list or any member of a map.
type Pattern tree.Path

var step = regexp.MustCompile(`^(?:\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\])`)

// Parse parses a path as tables write it.
func Parse(text string) (tree.Path, bool) {
	var out tree.Path
	for rest := text; rest != "" && rest != "."; {
		m := step.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		name := m[1]
		if m[2] != "" {
			index, _ := strconv.Atoi(m[2])
			out, rest = out.Index(index), rest[len(m[0]):]
			continue
		}
		if name == "" {
			name = strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(m[3])
		}
		out = out.Name(name)
		rest = rest[len(m[0]):]
	}
	return out, true
}

// Dropped returns the fields of one version that the table drops on a trip through the given
// versions. They include the fields of a spoke that rows map to a field of the hub which another
// spoke drops, or compute from it, and those at the same path.
func Dropped(table *v1alpha1.Crosswalk, of string, through []string) []Pattern {
	var out, hub []Pattern
	for _, v := range table.Spec.Versions {
		if !slices.Contains(through, v.Name) {
			continue
		}
		EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, spoke, hubSide []Pattern) {
			if r.Drop == "" {
				return
			}
			if v.Name == of {
				out = append(out, spoke...)
			}
			hub = append(hub, hubSide...)
		})
	}
	out = append(out, hub...)
	for _, v := range table.Spec.Versions {
		if v.Name != of || len(hub) == 0 {
			continue
		}
		EachRow(v.Rows, nil, nil, func(r v1alpha1.Row, spoke, hubSide []Pattern) {
			for _, h := range hubSide {
				for _, d := range hub {
					if rest, ok := Below(h, d); ok {
						for _, s := range spoke {
							out = append(out, append(s[:len(s):len(s)], rest...))
						}
					} else if _, ok := Below(d, h); ok {
						out = append(out, spoke...)
					}
				}
			}
			if slices.ContainsFunc(hub, func(d Pattern) bool { return mentions(r, d) }) {
				out = append(out, spoke...)
			}
		})
	}
	return out
}

// mentions reports whether an expression for the spoke may read a field of the hub.
func mentions(r v1alpha1.Row, d Pattern) bool {
	return r.CEL != nil && len(d) > 0 && Mentions(r.CEL.ToSpoke, d[len(d)-1].Name)
}

// Mentions reports whether an expression may read a field of a name, because its text contains the
// name as a word.
func Mentions(e *v1alpha1.Expressions, name string) bool {
	if e == nil || name == "" {
		return false
	}
	word := regexp.QuoteMeta(name)
	if escaped, ok := apiservercel.Escape(name); ok {
		word += "|" + escaped
	}
	mentions := regexp.MustCompile(`(^|\W)(` + word + `)(\W|$)`).MatchString
	for _, text := range e.Named {
		if mentions(text) {
			return true
		}
	}
	return mentions(e.One)
}

// EachRow calls f for every row, nested ones too, with its fields on both sides.
func EachRow(rows []v1alpha1.Row, spoke, hub Pattern, f func(r v1alpha1.Row, spoke, hub []Pattern)) {
	for _, r := range rows {
		s, h := Of(spoke, r.Spoke), Of(hub, r.Hub)
		f(r, s, h)
		any := tree.Step{Index: -1, IsIndex: true}
		within := func(rows []v1alpha1.Row, s, h Pattern, mayBeAlone bool) {
			s, h = s[:len(s):len(s)], h[:len(h):len(h)]
			EachRow(rows, append(s, any), append(h, any), f)
			if mayBeAlone {
				// On one of the sides the element may be a single value.
				EachRow(rows, s, append(h, any), f)
				EachRow(rows, append(s, any), h, f)
			}
		}
		for _, a := range Alternatives(r) {
			EachRow(a.Rows, Of(spoke, a.Spoke)[0], Of(hub, a.Hub)[0], f)
		}
		for i, inner := range r.Inner() {
			switch {
			case r.Where != nil:
				if s, h := partPlaces(spoke, r.Spoke, r.Where[i].Place), partPlaces(hub, r.Hub, r.Where[i].Place); s != nil && h != nil {
					within(*inner.Rows, s, h, true)
				}
			case r.Variant == nil && len(s) == 1 && len(h) == 1:
				within(*inner.Rows, s[0], h[0], r.Single != nil)
			}
		}
	}
}

// partPlaces returns the field of a part on the side with the parts, and the list on the other
// side.
func partPlaces(prefix Pattern, p *v1alpha1.Place, part string) Pattern {
	if p == nil {
		return nil
	}
	text := p.Path
	if p.Named != nil {
		text = p.Named[part]
	}
	places := Of(prefix, &v1alpha1.Place{Path: text})
	if len(places) == 0 {
		return nil
	}
	return places[0]
}

func Of(prefix Pattern, p *v1alpha1.Place) []Pattern {
	if p == nil {
		return nil
	}
	texts := []string{p.Path}
	if p.Named != nil {
		texts = nil
		for _, t := range p.Named {
			texts = append(texts, t)
		}
	}
	var out []Pattern
	for _, t := range texts {
		if path, ok := Parse(t); ok {
			out = append(out, append(prefix[:len(prefix):len(prefix)], path...))
		}
	}
	return out
}

// Below returns the rest of q after the prefix p.
func Below(p, q Pattern) (Pattern, bool) {
	if len(p) > len(q) {
		return nil, false
	}
	for i := range p {
		if p[i] != q[i] {
			return nil, false
		}
	}
	return q[len(p):], true
}

// Cut removes every place that a pattern matches.
func Cut(v *tree.Value, p Pattern) {
	if v == nil || len(p) == 0 {
		return
	}
	s, last := p[0], len(p) == 1
	switch {
	case s.IsIndex:
		for i := range v.Items {
			if last {
				v.Items[i] = tree.NewNull()
			} else {
				Cut(v.Items[i], p[1:])
			}
		}
		for i := range v.Members {
			Cut(v.Members[i].Value, p[1:])
		}
	case v.Kind == tree.Object && last:
		v.Set(s.Name, nil)
	case v.Kind == tree.Object:
		Cut(v.Get(s.Name), p[1:])
	}
}

// LeadsTo reports whether a path is on the way to a field of the pattern.
func LeadsTo(at tree.Path, p Pattern) bool {
	if len(at) >= len(p) {
		return false
	}
	for i, step := range at {
		if p[i] != step && !(p[i].IsIndex && p[i].Index < 0) {
			return false
		}
	}
	return true
}

// Covers reports whether a path is a field of the pattern, or below one.
func Covers(p Pattern, at tree.Path) bool {
	return len(p) <= len(at) && (len(p) == 0 || LeadsTo(at[:len(p)-1], p) && (at[len(p)-1] == p[len(p)-1] || p[len(p)-1].IsIndex && p[len(p)-1].Index < 0))
}
