package verify

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// forged is what L3 says of stashes: a view, of which somebody damages or forges a
// stash, converts to every version, and
//
//   - what is no stash any more counts as none,
//   - an entry that nobody has touched counts as before, unless it depends on
//     another one, and any other changes nothing but what is at its address, which
//     then is what it says,
//   - nothing that the view shows changes, unless an entry has the guard of what is
//     live: to know it is to know what is there, and to write the value as well.
func (s *Subject) forged(c Case) *Counterexample {
	if f := s.forge(c); f != nil {
		return f.check(c)
	}
	return nil
}

func (f *forgery) check(c Case) *Counterexample {
	for _, t := range []*trip{f.base, f.out} {
		if t.broken != "" {
			return t.counterexample(c, t.broken, nil)
		}
	}
	if problem, diff := f.judge(); diff != nil {
		return f.out.counterexample(c, problem, diff)
	}
	if f.elsewhere() {
		for _, version := range f.s.Versions() {
			if version == f.owner || version == c.Through[0] {
				continue
			}
			without, with := f.view(nil).to(version), f.view(&f.text).to(version)
			if with.broken != "" || without.broken != "" {
				return with.counterexample(c, with.broken+without.broken, nil)
			}
			if diff := with.differs(without.value, with.value); diff != nil {
				return with.counterexample(c, "a version changes by the stash of another one", diff)
			}
		}
	}
	back := f.out.fork().to(c.Through[0])
	if back.broken != "" {
		return back.counterexample(c, back.broken, nil)
	}
	if f.pretends() || leftOut(f.out.value) {
		return nil
	}
	if diff := back.differs(f.live.value, back.value); diff != nil {
		return back.counterexample(c, "a forged stash changes what the view shows", diff)
	}
	return nil
}

// forgery is a view with a damaged stash, and what it gives to the stash's owner.
type forgery struct {
	s      *Subject
	damage *Damage
	owner  string
	// live is the view as it came, with the stash that a conversion wrote.
	live *trip
	// text is the stash as it is now; real says that it can be read.
	text string
	real bool
	// changed are the entries that the conversion has not written, and containers
	// those among the others that say that a container stood otherwise: whether rows
	// would make it again depends on what else is there.
	changed, containers []*tree.Value
	// otherTable says that the mark of the table is another one.
	otherTable bool
	// base is what those entries give to the stash's owner that are as they were, and
	// out what the stash gives now.
	base, out *trip
}

// forge damages the stash of a case. It returns nil where there is none, or where
// the damage does nothing to it.
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

// view is the view with another stash, or without it.
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

// compare finds the entries that have changed, and returns a stash of those that
// have not.
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
		} else if e.Get("guard") != nil && e.Get("row") == nil {
			f.containers = append(f.containers, e)
		}
	}
	if f.otherTable {
		// Those of the owner's other stash then count as an earlier table's, too.
		for name, text := range stashesOf(f.live.value) {
			if owner, _ := stash.Owner([]byte(name)); string(owner) == f.owner && name != f.damage.Stash {
				other, _ := tree.Parse([]byte(text))
				f.changed = append(f.changed, other.Get("entries").Items...)
			}
		}
	}
	before.Items = slices.DeleteFunc(slices.Clone(before.Items), func(e *tree.Value) bool { return !among(now, e) })
	if len(before.Items) == 0 {
		return nil
	}
	base := was.String()
	return &base
}

// reordered says whether entries may count that did not: others come first now, or
// they are those of an earlier table, which knew less of what makes them void.
func (f *forgery) reordered() bool {
	return f.damage.Kind == "entries turned round" || f.otherTable
}

// judge compares what the stash gives with what it may give.
func (f *forgery) judge() (problem string, diff []tree.Difference) {
	diff = f.differs()
	switch {
	case !f.real && len(diff) > 0:
		return "what is no stash changes something", diff
	case slices.Contains([]string{"guard forged", "guard lost", "guard added", "row forged"}, f.damage.Kind) && !f.otherTable && len(diff) > 0:
		return "an entry counts, though its guard or its mark are forged", diff
	}
	for _, d := range diff {
		if len(f.changed) > 0 && comesAndGoes(d) {
			continue
		}
		says := func(e *tree.Value) bool { return f.says(e, d) }
		if !slices.ContainsFunc(f.changed, says) && (len(f.changed) == 0 || !slices.ContainsFunc(f.containers, says)) {
			return "what is at no forged address changes", []tree.Difference{d}
		}
	}
	return "", nil
}

// comesAndGoes says whether a difference is an empty object: one is there where what
// the view has in it has no other place, so that an entry that takes the place of
// what a row makes brings it.
func comesAndGoes(d tree.Difference) bool {
	one := d.Left
	if one == nil {
		one = d.Right
	}
	return (d.Left == nil || d.Right == nil) && one.Kind == tree.Object && len(one.Members) == 0
}

// differs compares what the stash gives with what it gives without its forged
// entries.
func (f *forgery) differs() []tree.Difference {
	same := func(t *trip) *tree.Value { return f.s.comparable(t.value, f.owner, nil) }
	return tree.Diff(same(f.base), same(f.out))
}

// says says whether a difference is where an entry is, or inside or around it. A
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

// again says whether the stash speaks of the place of an entry more than once. Only
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

// elsewhere says whether no other version may see of the stash.
func (f *forgery) elsewhere() bool {
	return f.owner != f.s.Table.Spec.Hub && !f.otherTable
}

// pretends says whether an entry may have the guard of what is live, though it was
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

// leftOut says whether there was no room for all that should have been kept: a huge
// stash takes it from others.
func leftOut(v *tree.Value) bool {
	return v.Get("metadata").Get("annotations").Get(stash.Incomplete) != nil
}

// forgedCases makes a case of each of these kinds of damage, so far as a view of the
// Object has something to damage.
func (s *Subject) forgedCases(g *generator, object *tree.Value, from, view string, kinds ...string) (out []Case) {
	c := Case{Law: Forged, Object: object.Append(nil), From: from, Through: []string{view}, Served: g.Chance(30)}
	t := s.start(c).to(view)
	stashes := stashesOf(t.value)
	if t.broken != "" || view == from || len(stashes) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(stashes))
	var values []*tree.Value
	object.Walk(func(p tree.Path, v *tree.Value) {
		if len(p) > 0 {
			values = append(values, v)
		}
	})
	for _, kind := range kinds {
		name := names[g.Rand.IntN(len(names))]
		c.Damage = g.damage(kind, stashes, name, values)
		if kind == "stale" {
			c.Damage.With = s.stale(g, name, view, c.Served)
		}
		if _, ok := c.Damage.apply(stashes[name]); ok {
			out = append(out, c)
		}
	}
	return out
}

// forgedCase makes a case, if there is something to forge. It depends on the object
// alone, so that it changes nothing in the cases of the other laws.
func (s *Subject) forgedCase(object *tree.Value, text []byte, from, view string, seen *draw.Coverage) []Case {
	hash := fnv.New64a()
	hash.Write(text)
	g := &generator{draw.Generator{Rand: rand.New(rand.NewPCG(hash.Sum64(), 1)), Seen: seen, Hints: s.hints}}
	kinds := slices.Sorted(maps.Keys(damages()))
	g.Rand.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	cases := s.forgedCases(g, object, from, view, kinds[:3]...)
	return cases[:min(len(cases), 1)]
}

// stale is a stash that a view of another object has, or nothing.
func (s *Subject) stale(g *generator, name, view string, served bool) string {
	owner, _ := stash.Owner([]byte(name))
	t := s.start(Case{Object: g.resource(s, string(owner)).Append(nil), From: string(owner), Served: served}).to(view)
	return stashesOf(t.value)[name]
}

// stashesOf are the stashes of an object by the names of their annotations.
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
