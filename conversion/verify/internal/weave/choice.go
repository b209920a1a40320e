package weave

import (
	"fmt"

	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// choiceMapping maps alternatives to a union in which their value is made otherwise.
func (w *weaver) choiceMapping(sc scope) {
	words := []string{"A", "B", "web"}[:2+w.Rand.IntN(2)]
	if w.Chance(25) {
		w.choiceOfLists(sc, words)
		return
	}
	c := choosing{weaver: w, words: words, unions: w.Chance(50)}
	if len(words) == 3 && w.Chance(50) {
		c.elsewhere, c.objects = words[2], w.Chance(50)
	}
	item := newObject()
	inner := scope{hub: item, depth: sc.depth + 1}
	var after []func()
	for _, e := range sc.ends {
		in := end{spoke: e.spoke, same: true}
		if e.object != nil && e.rows != nil && !w.Chance(15) {
			in.object, in.rows = newObject(), &[]v1alpha1.Row{}
			after = append(after, func() {
				w.Seen.Count("table/variant with rows")
				variant := &v1alpha1.Variant{Rows: *in.rows}
				if len(variant.Rows) == 0 {
					variant.Alternatives = []v1alpha1.Alternative{{Name: "A"}}
				} else if w.Chance(30) {
					w.Seen.Count("table/variant with rows of an alternative")
					variant.Alternatives = []v1alpha1.Alternative{{Name: "B", Rows: *in.rows}}
				}
				if c.elsewhere != "" {
					w.Seen.Count("table/variant elsewhere")
					variant.Elsewhere = []string{c.elsewhere}
				}
				mine, apart := c.side(e.object, e.here, !c.unions, in.object)
				e.add(v1alpha1.Row{Spoke: mine, Hub: c.there(e), Variant: variant})
				if c.elsewhere != "" {
					e.add(v1alpha1.Row{Spoke: &v1alpha1.Place{Path: apart}, Hub: place(c.within(e, c.apart))})
				}
			})
		}
		inner.ends = append(inner.ends, in)
	}
	w.loose++
	w.fill(inner, 1+w.Rand.IntN(3))
	w.loose--
	c.hub, c.apart = c.side(sc.hub, nil, c.unions, item)
	for _, f := range after {
		f()
	}
}

// choosing is a variant in the making.
type choosing struct {
	*weaver
	words []string
	// unions says that the hub has the union.
	unions bool
	// elsewhere is the alternative that the value is not for, empty without.
	elsewhere string
	// objects says that this is an object.
	objects bool
	// hub is the hub's place, and apart what the hub has of that alternative.
	hub   *v1alpha1.Place
	apart string
}

// side adds what one version has: the union, or the alternatives.
func (c *choosing) side(into *shape, at tree.Path, union bool, item *shape) (all *v1alpha1.Place, apart string) {
	group := into
	if c.Chance(40) {
		name := c.name()
		group, at = into.add(name, newObject()), at.Name(name)
	}
	named := map[string]string{}
	add := func(s *shape) string {
		name := c.name()
		group.add(name, s)
		return at.Name(name).String()
	}
	value := func() *shape {
		s := item.clone()
		s.schema.Nullable = c.Chance(12)
		return s
	}
	if union {
		word := newScalar("string")
		c.kind(word)
		named["type"], named["value"] = add(word), add(value())
		if c.elsewhere != "" {
			apart = add(c.apartFrom())
		}
	} else {
		for _, word := range c.words {
			if word == c.elsewhere {
				apart = add(c.apartFrom())
				named[word] = apart
			} else {
				named[word] = add(value())
			}
		}
	}
	if group != into && c.Chance(15) {
		c.objectDefault(group)
	}
	return &v1alpha1.Place{Named: named}, apart
}

// apartFrom returns what a version has of the alternative that the value is not for: an object that
// has something of its own, or a single value.
func (c *choosing) apartFrom() *shape {
	if !c.objects {
		return newScalar("string")
	}
	s := newObject()
	s.add("x", newScalar("string"))
	s.add(c.name(), newScalar("string"))
	return s
}

// there returns the hub's place as a spoke's rows have it.
func (c *choosing) there(e end) *v1alpha1.Place {
	named := map[string]string{}
	for name, text := range c.hub.Named {
		named[name] = c.within(e, text).String()
	}
	return &v1alpha1.Place{Named: named}
}

// within returns a path in the hub's object as a spoke's rows have it.
func (c *choosing) within(e end, text string) tree.Path {
	inner, _ := places.Parse(text)
	return append(e.there[:len(e.there):len(e.there)], inner...)
}

// choiceOfLists maps alternatives of which one is a list and one an element alone to a list.
func (w *weaver) choiceOfLists(sc scope, words []string) {
	c := choosing{weaver: w, words: words[:2], unions: w.Chance(50)}
	list := newList(newScalar("string"))
	single := []v1alpha1.Row{{Spoke: place(nil), Hub: place(nil), Single: &v1alpha1.Single{}}}
	alternatives := func(into *shape, at tree.Path) *v1alpha1.Place {
		one, many := w.name(), w.name()
		into.add(one, newScalar("string")).schema.Nullable = w.Chance(12)
		into.add(many, list.clone()).schema.Nullable = w.Chance(12)
		return &v1alpha1.Place{Named: map[string]string{"A": at.Name(one).String(), "B": at.Name(many).String()}}
	}
	add := func(into *shape, at tree.Path, union bool) *v1alpha1.Place {
		if union {
			all, _ := c.side(into, at, true, list)
			return all
		}
		return alternatives(into, at)
	}
	c.hub = add(sc.hub, nil, c.unions)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/variant of lists")
		e.add(v1alpha1.Row{Spoke: add(e.object, e.here, !c.unions), Hub: c.there(e), Variant: &v1alpha1.Variant{Alternatives: []v1alpha1.Alternative{{Name: "A", Rows: single}}}})
	}
}

// recursiveChoice has alternatives that hold what they are alternatives of, mapped by a named table
// that uses itself, to unions that do. The schemas end after some levels, or go on with anything.
func (w *weaver) recursiveChoice(sc scope) {
	levels, open, unions, value := 1+w.Rand.IntN(2), w.Chance(40), w.Chance(50), w.scalar()
	value.schema.Default = nil
	leaves := w.Chance(40)
	nodes := func(union bool, names []string) *shape {
		var node *shape
		for level := range levels + 1 {
			next := newObject()
			next.add(names[0], value.clone())
			next.add(names[1], newScalar("integer"))
			list := func() *shape {
				if level > 0 {
					return newList(node.clone())
				}
				anything := &shape{}
				anything.schema.XPreserveUnknownFields = ptr.To(true)
				return newList(anything)
			}
			if level > 0 || open {
				if next.add(names[2], list()); union {
					next.props[names[3]] = newScalar("string")
				} else {
					next.add(names[3], list())
				}
			}
			node = next
		}
		return node
	}
	four := func() []string { return []string{w.name(), w.name(), w.name(), w.name()} }
	placeOf := func(union bool, names []string) *v1alpha1.Place {
		if union {
			return &v1alpha1.Place{Named: map[string]string{"type": tree.Names(names[3]).String(), "value": tree.Names(names[2]).String()}}
		}
		named := map[string]string{"A": tree.Names(names[2]).String(), "B": tree.Names(names[3]).String()}
		if leaves {
			named["web"] = tree.Names(names[0]).String()
		}
		return &v1alpha1.Place{Named: named}
	}
	name, theirs := w.name(), four()
	sc.hub.add(name, nodes(unions, theirs))
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/variant within itself")
		if open {
			w.Seen.Count("table/variant without an end")
		}
		other, mine := w.name(), four()
		e.object.add(other, nodes(!unions, mine))
		if e.spoke.tables == nil {
			e.spoke.tables = map[string][]v1alpha1.Row{}
		}
		table := fmt.Sprintf("t%d", len(e.spoke.tables))
		variant := &v1alpha1.Variant{Rows: []v1alpha1.Row{{Spoke: place(nil), Hub: place(nil), Each: &v1alpha1.Each{Table: table}}}}
		if leaves {
			variant.Elsewhere = []string{"web"}
		}
		e.spoke.tables[table] = []v1alpha1.Row{
			{Spoke: place(tree.Names(mine[0])), Hub: place(tree.Names(theirs[0]))},
			{Spoke: placeOf(!unions, mine), Hub: placeOf(unions, theirs), Variant: variant},
		}
		e.add(v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name)), Table: table})
	}
}
