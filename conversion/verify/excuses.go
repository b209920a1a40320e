package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// excuses are what of an edited view may come back otherwise from the other version
// with a stash than without it, though no stash has overridden anything: see seen.
type excuses struct {
	s        *Subject
	view, to string
	// edited is the view, and plain what comes back of it without the stash.
	edited, plain *tree.Value
	// without and with are what the other version shows without the stash and with it.
	without, with *tree.Value
}

func (x excuses) excuse(d tree.Difference) bool {
	return x.around(d) || x.emptied(d) || x.standing(d) || elsewhere(d.Path, x.edited, x.plain) || x.computed(d)
}

// around reports whether a difference is no more than an object that the edit took
// away and that stands again around what only the other version has, with nothing but
// its defaults in it. Where there are some, rows may have made them of the defaults of
// an object at another place.
func (x excuses) around(d tree.Difference) bool {
	if d.Left != nil || d.Right.Kind != tree.Object || !x.s.barren(d.Right, d.Path, x.view, nil) {
		return false
	}
	kept := x.with.At(d.Path)
	return len(d.Right.Members) > 0 || kept != nil && kept.Kind == tree.Object && len(kept.Members) > 0
}

// emptied reports whether a difference is in an object that somebody left with no more than
// its defaults, and that is what its absence stands for instead: that it stands, be it
// empty, only the view's own stash says.
func (x excuses) emptied(d tree.Difference) bool {
	for n := len(d.Path) - 1; n > 0; n-- {
		of := x.s.schemaAt(d.Path[:n], x.view)
		if of == nil || of.Default.Object == nil {
			continue
		}
		was, whole := x.edited.At(d.Path[:n]), withDefaults(tree.FromAny(of.Default.Object), of)
		if kindOf(was) == tree.Object && x.s.barren(was, d.Path[:n], x.view, nil) && tree.Equal(whole.At(d.Path[n:]), d.Right) {
			return true
		}
	}
	return false
}

// standing reports whether a difference is no more than an object that the edit took
// away and that rows make of what the other version has by default around what only it
// has, or what a row could not map. What is kept there comes back, the object around it with it, and in that there is
// no absence that says the same.
func (x excuses) standing(d tree.Difference) bool {
	if d.Left != nil || d.Right.Kind != tree.Object {
		return false
	}
	kept := withoutOurs(x.without)
	for _, came := range tree.Diff(x.without, x.with) {
		if came.Left != nil || came.Right.Kind != tree.Object {
			continue
		}
		// Whether something is kept in it, be it what a row could not map: rows show in it
		// what they make of it, and that must be no more than of its defaults.
		defaults := tree.NewObject()
		if of := x.s.schemaAt(came.Path, x.to); of != nil {
			defaults = withDefaults(defaults, of)
		}
		if tree.Equal(came.Right, defaults) {
			continue
		}
		own := came.Right.Clone()
		x.eachTied(func(_ v1alpha1.Row, _, theirs []places.Pattern) {
			for _, p := range theirs {
				if places.LeadsTo(came.Path, p) {
					x.cut(own, came.Path, p[len(came.Path):])
				}
			}
		})
		kept.Put(came.Path, own)
	}
	shows, problem := x.s.convert(x.s.converter, kept.Append(nil), x.view)
	v, err := tree.Parse(shows)
	if problem != "" || err != nil {
		return false
	}
	at := x.s.comparable(v, x.view, nil).At(d.Path)
	return at != nil && tree.Equal(at, d.Right)
}

// cut takes what a row ties out of an object of the other version, and what is around it and holds nothing
// then but defaults, where the schema has a default for that.
func (x excuses) cut(v *tree.Value, at tree.Path, inside places.Pattern) {
	for n := len(inside); n > 0; n-- {
		around := v.At(tree.Path(inside[:n]))
		path := slices.Concat(at, tree.Path(inside[:n]))
		of := x.s.schemaAt(path, x.to)
		if n < len(inside) && (kindOf(around) != tree.Object || !x.s.barren(around, path, x.to, nil) || of.Default.Object == nil) {
			return
		}
		places.Cut(v, inside[:n])
	}
}

// eachTied calls do for every row that itself takes something to the other version, with
// its places in the view and there.
func (x excuses) eachTied(do func(r v1alpha1.Row, mine, theirs []places.Pattern)) {
	places.EachRow(x.s.rows(x.view, x.to), nil, nil, func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		if x.view == x.s.Table.Spec.Hub {
			mine, theirs = theirs, mine
		}
		if carries(r) {
			do(r, mine, theirs)
		}
	})
}

// computed reports whether expressions compute all that stands again where the edit took it
// away, or else the place of a difference, of something that only the stash has brought.
func (x excuses) computed(d tree.Difference) bool {
	if d.Left != nil || d.Right.Kind != tree.Object {
		return x.computes(d.Path)
	}
	all, some := true, false
	d.Right.Walk(func(p tree.Path, v *tree.Value) {
		if v.Kind != tree.Object {
			some, all = true, all && x.computes(slices.Concat(d.Path, p))
		}
	})
	return x.computes(d.Path) || some && all
}

// computes reports whether an expression computes a place, and mentions something that
// only the stash has brought to the version that it reads, and that no row ties, or an
// object that only stands around such as other rows tie, or with its own places as the
// schema fills them in. It sees all of that version. What somebody wrote in the view
// changes nothing there but what rows tie; what else is there stays.
func (x excuses) computes(at tree.Path) bool {
	type computing struct {
		expression *v1alpha1.Expressions
		own        []places.Pattern
	}
	var tied []places.Pattern
	var all []computing
	x.eachTied(func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		tied = append(tied, theirs...)
		if computes := slices.ContainsFunc(mine, func(p places.Pattern) bool { return places.Covers(p, at) }); r.CEL != nil && computes && x.view == x.s.Table.Spec.Hub {
			all = append(all, computing{r.CEL.ToHub, theirs})
		} else if r.CEL != nil && computes {
			all = append(all, computing{r.CEL.ToSpoke, theirs})
		}
	})
	return slices.ContainsFunc(tree.Diff(x.without, x.with), func(d tree.Difference) bool {
		tiedBy := func(by []places.Pattern) bool {
			return slices.ContainsFunc(by, func(p places.Pattern) bool { return ties(p, d) })
		}
		stands := d.Left == nil && d.Right.Kind == tree.Object
		return slices.ContainsFunc(all, func(c computing) bool {
			return places.Mentions(c.expression, d.Path[len(d.Path)-1].Name) && (!tiedBy(tied) || stands && (!tiedBy(c.own) || x.defaultsAt(c.own, d)))
		})
	})
}

// defaultsAt reports whether an object that has come holds at some places what the schema
// fills in there.
func (x excuses) defaultsAt(of []places.Pattern, d tree.Difference) bool {
	schema := x.s.schemaAt(d.Path, x.to)
	if schema == nil {
		return false
	}
	without := d.Right.Clone()
	for _, p := range of {
		if places.LeadsTo(d.Path, p) {
			places.Cut(without, p[len(d.Path):])
		}
	}
	return tree.Equal(withDefaults(without, schema), d.Right)
}

// carries reports whether a row itself takes something to the other version. One that ties
// elements leaves that to the rows for these, and one with one side keeps its place
// apart.
func carries(r v1alpha1.Row) bool {
	return len(r.Inner()) == 0 && (r.CEL != nil || r.Spoke != nil && r.Hub != nil)
}

// ties reports whether a difference is, or holds, one at a place of a row.
func ties(p places.Pattern, d tree.Difference) bool {
	if places.Covers(p, d.Path) {
		return true
	}
	holds := func(v *tree.Value) bool {
		if v == nil {
			return false
		}
		without := v.Clone()
		places.Cut(without, p[len(d.Path):])
		return !tree.Equal(without, v)
	}
	return places.LeadsTo(d.Path, p) && (holds(d.Left) || holds(d.Right))
}

// elsewhere reports whether a place is in an element that is not where it was without
// the stash: another one has its position, and it has that of another one.
func elsewhere(at tree.Path, edited, plain *tree.Value) bool {
	for n, step := range at {
		list, other := edited.At(at[:n]), plain.At(at[:n])
		if !step.IsIndex || list == nil || other == nil || other.Kind != tree.List || step.Index >= len(list.Items) || step.Index >= len(other.Items) {
			continue
		}
		mine := list.Items[step.Index]
		if within(other.Items[step.Index], mine) {
			continue
		}
		for _, e := range other.Items {
			if within(e, mine) {
				return true
			}
		}
	}
	return false
}

// within reports whether an object has nothing that another one has not.
func within(less, more *tree.Value) bool {
	if less.Kind != tree.Object || more.Kind != tree.Object {
		return tree.Equal(less, more)
	}
	for _, m := range less.Members {
		if in := more.Get(m.Name); in == nil || !within(m.Value, in) {
			return false
		}
	}
	return true
}

func kindOf(v *tree.Value) tree.Kind {
	if v == nil {
		return tree.Null
	}
	return v.Kind
}
