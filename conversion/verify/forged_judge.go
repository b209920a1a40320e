package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// judge compares what the damaged stash gives with what it is allowed to give.
func (f *forgery) judge() (problem string, diff []tree.Difference) {
	diff = slices.DeleteFunc(f.differs(), f.ownOfText)
	switch {
	case !f.real && len(diff) > 0:
		return "what is no stash changes something", diff
	case slices.Contains([]string{"guard forged", "guard lost", "guard added"}, f.damage.Kind) && !f.otherTable && len(diff) > 0:
		return "an entry is used, although its guard or its mark is forged", diff
	case f.isOfAnotherTable() && slices.ContainsFunc(f.unchanged, f.isReplaced):
		return "an entry of another table replaces what one of this table restores", diff
	}
	for _, d := range diff {
		says := func(e *tree.Value) bool { return f.explains(e, d) }
		if !slices.ContainsFunc(f.changed, says) {
			return "what is at no forged address changes", []tree.Difference{d}
		}
	}
	return "", nil
}

// isOfAnotherTable reports whether only one entry is of another table.
func (f *forgery) isOfAnotherTable() bool { return f.damage.Kind == "entry of another table" }

// isReplaced reports whether the result lacks the value that an entry restores, which is in no list.
func (f *forgery) isReplaced(e *tree.Value) bool {
	at, value := placeOf(e.Get("at")), e.Get("value")
	if value == nil || len(at) != len(e.Get("at").Items) || slices.ContainsFunc(at, func(s tree.Step) bool { return s.IsIndex }) {
		return false
	}
	return tree.Equal(f.base.value.At(at), value) && !tree.Equal(f.out.value.At(at), value)
}

// differs compares what the stash gives with what it gives without the forged entries.
func (f *forgery) differs() []tree.Difference {
	same := func(t *trip) *tree.Value { return f.s.comparable(t.value, f.owner, nil) }
	return tree.Diff(same(f.base), same(f.out))
}

// explains reports whether a difference is at the place of an entry, inside it or around it. A plain
// value at the place itself must be the value of the entry.
func (f *forgery) explains(e *tree.Value, d tree.Difference) bool {
	at := placeOf(e.Get("at"))
	for i := range min(len(at), len(d.Path)) {
		if at[i] != d.Path[i] && !(at[i].IsIndex && d.Path[i].IsIndex) {
			return false
		}
	}
	value := e.Get("value")
	if len(at) != len(d.Path) || len(at) != len(e.Get("at").Items) || value == nil || d.Right == nil || f.isSecond(e) {
		return true
	}
	plain := func(v *tree.Value) bool { return v.Kind != tree.Object && v.Kind != tree.List && v.Kind != tree.Null }
	// In an object or a list the API server may add defaults, and rows may write.
	return !plain(value) || !plain(d.Right) || tree.Equal(value, d.Right)
}

// isSecond reports whether the stash has an earlier entry for the same place. Only the first one is
// used, even if it is rejected.
func (f *forgery) isSecond(e *tree.Value) bool {
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

// placeOf returns the place of an address, as far as it has one. A part of a list, or an alternative of
// a value, is at the place of the list or the value.
func placeOf(at *tree.Value) tree.Path {
	var p tree.Path
	for _, step := range at.Items {
		switch {
		case step.Kind == tree.String:
			p = p.Name(step.Text)
		case step.Get("key") != nil || step.Get("content") != nil:
			p = p.Index(-1)
		case step.Get("part") != nil: // it leads to the same value
		default:
			return p
		}
	}
	return p
}

// isForAnother reports whether the stash belongs to a version that is not visited.
func (f *forgery) isForAnother() bool {
	return f.owner != f.s.Table.Spec.Hub && !f.otherTable
}

// mayBeValid reports whether an entry may have a valid guard, although no conversion has written it.
func (f *forgery) mayBeValid() bool {
	if f.otherTable || f.isOfAnotherTable() {
		return true // without a guard an entry may fill in an absent field
	}
	if f.damage.Kind == "entries turned round" || f.damage.Kind == "stale" {
		return false // a conversion has written the whole stash
	}
	return slices.ContainsFunc(f.changed, func(e *tree.Value) bool { return e.Get("guard") != nil })
}

// isIncomplete reports whether the annotations had no room for everything: a huge stash takes it from
// others.
func isIncomplete(v *tree.Value) bool {
	return v.Get("metadata").Get("annotations").Get(stash.Incomplete) != nil
}
