package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// judge compares what the stash gives with what it may give.
func (f *forgery) judge() (problem string, diff []tree.Difference) {
	diff = slices.DeleteFunc(f.differs(), f.ownOfText)
	switch {
	case !f.real && len(diff) > 0:
		return "what is no stash changes something", diff
	case slices.Contains([]string{"guard forged", "guard lost", "guard added"}, f.damage.Kind) && !f.otherTable && len(diff) > 0:
		return "an entry counts, though its guard or its mark are forged", diff
	}
	for _, d := range diff {
		says := func(e *tree.Value) bool { return f.says(e, d) }
		if !slices.ContainsFunc(f.changed, says) {
			return "what is at no forged address changes", []tree.Difference{d}
		}
	}
	return "", nil
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
