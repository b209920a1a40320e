package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// excuses finds the differences between two views that are no violation of L2, although one came
// back with a stash and the other without: no stash has overridden an edit. See seen.
type excuses struct {
	s        *Subject
	view, to string
	// edited is the edited view, and changed is how it differs from the one before the edit.
	edited  *tree.Value
	changed []tree.Difference
	// without and with are the object in the other version, without the stash and with it.
	without, with *tree.Value
}

func (x excuses) excuse(d tree.Difference) bool {
	return x.isObjectAround(d) || x.isInEmptiedObject(d) || x.isMadeOfDefaults(d) || x.isComputed(d)
}

// isObjectAround reports whether a difference is no more than an object that the edit removed, and that was
// made again for fields that only the other version has. It may contain only its defaults. If there
// are any, rows may have made them from the defaults of another object.
func (x excuses) isObjectAround(d tree.Difference) bool {
	if d.Left != nil || d.Right.Kind != tree.Object || !x.s.isBarren(d.Right, d.Path, x.view, nil) {
		return false
	}
	kept := x.with.At(d.Path)
	return len(d.Right.Members) > 0 || kept != nil && kept.Kind == tree.Object && len(kept.Members) > 0
}

// isInEmptiedObject reports whether a difference is in an object that has no more than its defaults, while
// its absence has the same defaults. Then only the view's own stash tells that the object was
// present.
func (x excuses) isInEmptiedObject(d tree.Difference) bool {
	for n := len(d.Path) - 1; n > 0; n-- {
		of := x.s.schemaAt(d.Path[:n], x.view)
		if of == nil || of.Default.Object == nil {
			continue
		}
		was, whole := x.edited.At(d.Path[:n]), withDefaults(tree.FromAny(of.Default.Object), of)
		if kindOf(was) == tree.Object && x.s.isBarren(was, d.Path[:n], x.view, nil) && tree.Equal(whole.At(d.Path[n:]), d.Right) {
			return true
		}
	}
	return false
}

// isMadeOfDefaults reports whether a difference is no more than a value that the edit removed, and that
// rows make from defaults of the other version, around fields that only that version has, or around
// values that a row can't map. These fields are restored, together with the object around them, and
// no absence in it has the same meaning. Elements are restored, too, and a row for a single element
// may show nothing of a list that has several.
func (x excuses) isMadeOfDefaults(d tree.Difference) bool {
	if d.Left != nil {
		return false
	}
	kept := withoutOurs(x.without)
	for _, came := range tree.Diff(x.without, x.with) {
		if was, is := kindOf(came.Left), kindOf(came.Right); was == tree.List && is == tree.List {
			list := came.Left.Clone()
			for i := len(list.Items); i < len(came.Right.Items); i++ {
				list.Items = append(list.Items, x.unmapped(came.Path.Index(i), came.Right.Items[i]))
			}
			kept.Put(came.Path, list)
			continue
		} else if came.Left != nil || is != tree.Object {
			continue
		}
		// If the object keeps something, for example a value that a row can't map, rows may add
		// only what they make of its defaults.
		defaults := tree.NewObject()
		if of := x.s.schemaAt(came.Path, x.to); of != nil {
			defaults = withDefaults(defaults, of)
		}
		if tree.Equal(came.Right, defaults) {
			continue
		}
		kept.Put(came.Path, x.unmapped(came.Path, came.Right))
	}
	shows, problem := x.s.convert(x.s.converter, kept.Append(nil), x.view)
	v, err := tree.Parse(shows)
	if problem != "" || err != nil {
		return false
	}
	at := x.s.comparable(v, x.view, nil).At(d.Path)
	return at != nil && tree.Equal(at, d.Right)
}

// unmapped returns a value of the other version without what rows map of it.
func (x excuses) unmapped(at tree.Path, v *tree.Value) *tree.Value {
	own := v.Clone()
	x.eachMapped(func(_ v1alpha1.Row, _, theirs []places.Pattern) {
		for _, p := range theirs {
			if places.LeadsTo(at, p) {
				x.cut(own, at, p[len(at):])
			}
		}
	})
	return own
}

// cut removes what a row maps from an object of the other version, and the objects around it that
// have nothing else but defaults, if the schema has a default for them.
func (x excuses) cut(v *tree.Value, at tree.Path, inside places.Pattern) {
	for n := len(inside); n > 0; n-- {
		around := v.At(tree.Path(inside[:n]))
		path := slices.Concat(at, tree.Path(inside[:n]))
		of := x.s.schemaAt(path, x.to)
		if n < len(inside) && (kindOf(around) != tree.Object || !x.s.isBarren(around, path, x.to, nil) || of.Default.Object == nil) {
			return
		}
		places.Cut(v, inside[:n])
	}
}

// eachMapped calls do for every row that maps fields to the other version by itself, with its fields
// in the view and in the other version.
func (x excuses) eachMapped(do func(r v1alpha1.Row, mine, theirs []places.Pattern)) {
	places.EachRow(x.s.rows(x.view, x.to), nil, nil, func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		if x.view == x.s.Table.Spec.Hub {
			mine, theirs = theirs, mine
		}
		if mapsValues(r) {
			do(r, mine, theirs)
		}
	})
}

// isComputed reports whether expressions compute a difference, or all that was made again after the
// edit had removed it, from something that only the stash has restored.
func (x excuses) isComputed(d tree.Difference) bool {
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

// computes reports whether an expression computes a field, and reads something that only the stash
// has restored to the version that it reads: a field that the edit does not change, an object that
// exists only around mapped fields, or its own fields with the schema's defaults. An expression sees
// all of that version. An edit of the view changes only the fields of rows that read what was edited;
// all others stay. The edit of a field that is only computed, with no expression for the way back,
// changes nothing there.
func (x excuses) computes(at tree.Path) bool {
	type computing struct {
		expression *v1alpha1.Expressions
		own        []places.Pattern
	}
	var tied []places.Pattern
	var all []computing
	isOneWay := false
	x.eachMapped(func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		if slices.ContainsFunc(x.changed, func(d tree.Difference) bool {
			return slices.ContainsFunc(mine, func(p places.Pattern) bool { return touches(p, d) })
		}) {
			tied = append(tied, theirs...)
		}
		if r.CEL == nil || !slices.ContainsFunc(mine, func(p places.Pattern) bool { return places.Covers(p, at) }) {
			return
		}
		there, back := r.CEL.ToHub, r.CEL.ToSpoke
		if x.view == x.s.Table.Spec.Hub {
			there, back = back, there
		}
		isOneWay = isOneWay || there == nil
		all = append(all, computing{back, theirs})
	})
	return isOneWay || slices.ContainsFunc(tree.Diff(x.without, x.with), func(d tree.Difference) bool {
		tiedBy := func(by []places.Pattern) bool {
			return slices.ContainsFunc(by, func(p places.Pattern) bool { return touches(p, d) })
		}
		isAdded := d.Left == nil && d.Right.Kind == tree.Object
		return slices.ContainsFunc(all, func(c computing) bool {
			return places.Mentions(c.expression, d.Path[len(d.Path)-1].Name) && (!tiedBy(tied) || isAdded && (!tiedBy(c.own) || x.defaultsAt(c.own, d)))
		})
	})
}

// defaultsAt reports whether an added object has the schema's defaults at some fields.
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

// mapsValues reports whether a row maps values by itself. A row for elements leaves that to the rows
// inside it, and a row with one side keeps its field apart.
func mapsValues(r v1alpha1.Row) bool {
	return len(r.Inner()) == 0 && (r.CEL != nil || r.Spoke != nil && r.Hub != nil)
}

// touches reports whether a difference is at a field of a row, or has one inside.
func touches(p places.Pattern, d tree.Difference) bool {
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

// hasAllOf reports whether another object has everything that an object has.
func hasAllOf(less, more *tree.Value) bool {
	if less.Kind != tree.Object || more.Kind != tree.Object {
		return tree.Equal(less, more)
	}
	for _, m := range less.Members {
		if in := more.Get(m.Name); in == nil || !hasAllOf(m.Value, in) {
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
