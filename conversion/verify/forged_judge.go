package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// judge compares what the stash gives with what it may give.
func (f *forgery) judge() (problem string, diff []tree.Difference) {
	diff = slices.DeleteFunc(f.differs(), func(d tree.Difference) bool {
		return f.amongEqual(d) || f.ownOfText(d) || f.real && f.inChoice(d)
	})
	switch {
	case !f.real && len(diff) > 0:
		return "what is no stash changes something", diff
	case slices.Contains([]string{"guard forged", "guard lost", "guard added"}, f.damage.Kind) && !f.otherTable && len(diff) > 0:
		return "an entry counts, though its guard or its mark are forged", diff
	}
	for _, d := range diff {
		if f.comesAndGoes(d) || f.inDefault(d) {
			continue
		}
		says := func(e *tree.Value) bool { return f.says(e, d) }
		if !slices.ContainsFunc(f.changed, says) {
			return "what is at no forged address changes", []tree.Difference{d}
		}
	}
	return "", nil
}

// comesAndGoes reports whether a difference is an empty object that rows tell the presence
// of: what the other version has in it is tied to the places of changed entries. It
// is there where these do not make that again, so that what the other version has in
// it has no other place.
func (f *forgery) comesAndGoes(d tree.Difference) bool {
	one := d.Left
	if one == nil {
		one = d.Right
	}
	if d.Left != nil && d.Right != nil || one.Kind != tree.Object || len(one.Members) > 0 {
		return false
	}
	of := f.spoke()
	found := false
	places.EachRow(f.s.rows(of, of), nil, nil, func(r v1alpha1.Row, mine, theirs []places.Pattern) {
		var reads *v1alpha1.Expressions
		if r.CEL != nil {
			reads = r.CEL.ToHub
		}
		if f.owner == f.s.Table.Spec.Hub {
			mine, theirs = theirs, mine
			if r.CEL != nil {
				reads = r.CEL.ToSpoke
			}
		}
		found = found || slices.ContainsFunc(theirs, func(p places.Pattern) bool { return places.LeadsTo(d.Path, p) }) &&
			slices.ContainsFunc(f.changed, func(e *tree.Value) bool { return touches(e, mine, reads) })
	})
	return found
}

// inDefault reports whether a difference is in an object that holds no more than its
// default without the changed entries, or with them, and what one of them is about
// otherwise: it is there because of that, and then its default says nothing.
func (f *forgery) inDefault(d tree.Difference) bool {
	for n := range d.Path {
		around := d.Path[:n]
		of := f.s.schemaAt(around, f.owner)
		if of == nil || of.Default.Object == nil {
			continue
		}
		isDefault := func(t *trip) bool {
			v := f.s.comparable(t.value, f.owner, nil).At(around)
			return v != nil && tree.Equal(v, withDefaults(tree.FromAny(of.Default.Object), of))
		}
		if isDefault(f.base) != isDefault(f.out) && slices.ContainsFunc(f.changed, func(e *tree.Value) bool {
			return places.LeadsTo(around, places.Pattern(placeOf(e.Get("at"))))
		}) {
			return true
		}
	}
	return false
}

// touches reports whether an entry says something of one of a row's places, or of what
// its expression reads.
func touches(e *tree.Value, row []places.Pattern, reads *v1alpha1.Expressions) bool {
	at := placeOf(e.Get("at"))
	return slices.ContainsFunc(row, func(p places.Pattern) bool { return places.Covers(p, at) || places.LeadsTo(at, p) }) ||
		len(at) > 0 && places.Mentions(reads, at[len(at)-1].Name)
}

// differs compares what the stash gives with what it gives without its forged
// entries.
func (f *forgery) differs() []tree.Difference {
	same := func(t *trip) *tree.Value { return f.s.comparable(t.value, f.owner, nil) }
	return tree.Diff(same(f.base), same(f.out))
}

// says reports whether a difference is where an entry is, or inside or around it. A
// plain value at its very place must be the one that it says.
func (f *forgery) says(e *tree.Value, d tree.Difference) bool {
	at := placeOf(e.Get("at"))
	for i := range min(len(at), len(d.Path)) {
		if at[i] != d.Path[i] && !(at[i].IsIndex && d.Path[i].IsIndex) {
			return false
		}
	}
	value := e.Get("value")
	if len(at) != len(d.Path) || len(at) != len(e.Get("at").Items) || value == nil || d.Right == nil || f.again(e) {
		return true
	}
	plain := func(v *tree.Value) bool { return v.Kind != tree.Object && v.Kind != tree.List && v.Kind != tree.Null }
	// Into others the API server may fill something in, or rows write.
	return !plain(value) || !plain(d.Right) || tree.Equal(value, d.Right)
}

// amongEqual reports whether a difference is in one of several equal elements of a list: how
// many of them a stash names tells which of them each address means, once some have been
// edited.
func (f *forgery) amongEqual(d tree.Difference) bool {
	v, err := tree.Parse([]byte(f.text))
	if err != nil || !f.real {
		return false
	}
	inList := func(list []*tree.Value) bool {
		at := placeOf(tree.NewList(list...))
		return len(at) == len(list) && len(d.Path) > len(at) && places.Covers(places.Pattern(at), d.Path)
	}
	equal := func(e, o *tree.Value) bool {
		mine, theirs := e.Get("at").Items, o.Get("at").Items
		for i := range min(len(mine), len(theirs)) {
			if tree.Equal(mine[i], theirs[i]) {
				continue
			}
			content := mine[i].Get("content")
			return content != nil && tree.Equal(content, theirs[i].Get("content")) && inList(mine[:i])
		}
		return false
	}
	return slices.ContainsFunc(f.changed, func(e *tree.Value) bool {
		return slices.ContainsFunc(v.Get("entries").Items, func(o *tree.Value) bool { return equal(e, o) })
	})
}

// again reports whether the stash speaks of the place of an entry more than once. Only
// the first has a say, be it refused.
func (f *forgery) again(e *tree.Value) bool {
	v, err := tree.Parse([]byte(f.text))
	if err != nil {
		return false
	}
	times := 0
	for _, o := range v.Get("entries").Items {
		if tree.Equal(o.Get("at"), e.Get("at")) {
			times++
		}
	}
	return times > 1
}

// placeOf is the place of an address, as far as its steps say: what stands alone,
// or is in a part of a list, may be anywhere below.
func placeOf(at *tree.Value) tree.Path {
	var p tree.Path
	for _, step := range at.Items {
		switch {
		case step.Kind == tree.String && step.Text != "":
			p = p.Name(step.Text)
		case step.Get("key") != nil || step.Get("content") != nil:
			p = p.Index(-1)
		default:
			return p
		}
	}
	return p
}

// elsewhere reports whether no other version may see of the stash.
func (f *forgery) elsewhere() bool {
	return f.owner != f.s.Table.Spec.Hub && !f.otherTable
}

// pretends reports whether an entry may have the guard of what is live, though it was
// not there when a conversion wrote it.
func (f *forgery) pretends() bool {
	if f.otherTable {
		return true // without a guard it may fill in what is absent
	}
	if f.damage.Kind == "entries turned round" || f.damage.Kind == "stale" {
		return false // a conversion has written all of it
	}
	return slices.ContainsFunc(f.changed, func(e *tree.Value) bool { return e.Get("guard") != nil })
}

// leftOut reports whether there was no room for all that should have been kept: a huge
// stash takes it from others.
func leftOut(v *tree.Value) bool {
	return v.Get("metadata").Get("annotations").Get(stash.Incomplete) != nil
}
