package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// forgery is a view with a damaged stash, and the result of converting it to the stash's owner.
type forgery struct {
	s      *Subject
	damage *Damage
	owner  string
	// live is the view before the damage, with the stash that a conversion wrote.
	live *trip
	// text is the damaged stash. real says that it can be read.
	text string
	real bool
	// changed has the entries that no conversion has written, and unchanged the others.
	changed, unchanged []*tree.Value
	// otherTable says that the mark of the table was changed.
	otherTable bool
	// base is the result with only the unchanged entries, and out the result with the damaged
	// stash.
	base, out *trip
}

// forge damages the stash of a case. It returns nil if there is no stash, or if the damage does not
// change it.
func (s *Subject) forge(c Case) *forgery {
	t := s.start(c)
	t.to(c.Through[0])
	f := &forgery{s: s, damage: c.Damage, live: t}
	if t.broken != "" {
		f.base, f.out = t, t
		return f
	}
	owner, _ := stash.Owner([]byte(c.Damage.Stash))
	f.owner = string(owner)
	was := t.value.Get("metadata").Get("annotations").Get(c.Damage.Stash)
	if was == nil || s.schemas[f.owner] == nil {
		return nil
	}
	var ok bool
	if f.text, ok = c.Damage.apply(was.Text); !ok {
		return nil
	}
	_, _, err := stash.Read(nil, []byte(f.text))
	f.real = err == nil && !slices.Contains([]string{"truncated", "text behind it", "other format", "member twice"}, c.Damage.Kind)
	var base *string
	if f.real {
		base = f.compare(was.Text)
	}
	f.base, f.out = f.view(base).to(f.owner), f.view(&f.text).to(f.owner)
	return f
}

// spoke returns the spoke whose rows make the owner's object: the owner, or, if the owner is the
// hub, the version of the view.
func (f *forgery) spoke() string {
	if f.owner == f.s.Table.Spec.Hub {
		return f.live.version
	}
	return f.owner
}

// view returns the view with another stash, or without it.
func (f *forgery) view(text *string) *trip {
	t := f.live.fork()
	t.value = t.value.Clone()
	var to *tree.Value
	if text != nil {
		to = tree.NewString(*text)
	}
	t.value.Get("metadata").Get("annotations").Set(f.damage.Stash, to)
	t.bytes = t.value.Append(nil)
	return t
}

// compare finds the changed entries, and returns a stash with the others.
func (f *forgery) compare(text string) *string {
	was, _ := tree.Parse([]byte(text))
	is, _ := tree.Parse([]byte(f.text))
	among := func(all []*tree.Value, e *tree.Value) bool {
		return slices.ContainsFunc(all, func(o *tree.Value) bool { return tree.Equal(o, e) })
	}
	f.otherTable = is.Get("table") != nil && is.Get("table").Text != "" && !tree.Equal(is.Get("table"), was.Get("table"))
	before, now := was.Get("entries"), is.Get("entries").Items
	for _, e := range now {
		if f.reordered() || !among(before.Items, e) {
			f.changed = append(f.changed, e)
		}
	}
	if f.otherTable {
		// Then the entries of the owner's other stash are of an earlier table, too.
		for name, text := range stashesOf(f.live.value) {
			if owner, _ := stash.Owner([]byte(name)); string(owner) == f.owner && name != f.damage.Stash {
				other, _ := tree.Parse([]byte(text))
				f.changed = append(f.changed, other.Get("entries").Items...)
			}
		}
	}
	before.Items = slices.DeleteFunc(slices.Clone(before.Items), func(e *tree.Value) bool { return !among(now, e) })
	if f.unchanged = before.Items; len(before.Items) == 0 {
		return nil
	}
	base := was.String()
	return &base
}

// reordered reports whether entries may be used that were not used before: because others come
// first now, or because they are taken for entries of an earlier table, for which fewer rules
// apply.
func (f *forgery) reordered() bool {
	return f.damage.Kind == "entries turned round" || f.otherTable
}

// stashesOf returns the stashes of an object by the names of their annotations.
func stashesOf(v *tree.Value) map[string]string {
	out := map[string]string{}
	annotations := v.Get("metadata").Get("annotations")
	if annotations == nil {
		return out
	}
	for _, m := range annotations.Members {
		if _, ok := stash.Owner([]byte(m.Name)); ok {
			out[m.Name] = m.Value.Text
		}
	}
	return out
}
