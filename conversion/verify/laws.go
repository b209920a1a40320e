package verify

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Check applies a case to a subject, and returns nil if the law holds.
func (s *Subject) Check(c Case) *Counterexample {
	switch c.Law {
	case RoundTrip:
		return s.checkRoundTrip(c)
	case LiveWins:
		return s.checkLiveWins(c)
	case Kept:
		return s.checkKept(c)
	case Seen:
		return s.checkSeen(c)
	case Total:
		return s.checkTotal(c)
	case Forged:
		return s.checkForged(c)
	case Stable:
		return s.checkStable(c)
	case Coherent:
		return s.checkCoherent(c)
	case Native:
		return s.checkNative(c)
	case Guarded:
		return s.checkGuarded(c)
	case Evolved:
		return s.checkEvolved(c)
	}
	panic("unknown law " + c.Law)
}

// checkRoundTrip checks L1: A → B → A, or A through other versions and back.
func (s *Subject) checkRoundTrip(c Case) *Counterexample {
	t := s.start(c)
	before := t.value
	for _, version := range c.Through {
		t.to(version)
		if c.Served && t.broken == "" {
			t.receive()
		}
	}
	t.to(c.From)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	if diff := t.differs(before, t.value); diff != nil {
		return t.counterexample(c, "the object came back changed", diff)
	}
	return nil
}

// checkLiveWins checks L2. The first of Through is the view that is edited. It is converted to the
// others in turn, and back.
func (s *Subject) checkLiveWins(c Case) *Counterexample {
	t := s.start(c)
	view := c.Through[0]
	if view != c.From {
		t.to(view)
	}
	t.edit(c.Edits)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	edited := t.value
	for _, version := range c.Through[1:] {
		t.to(version)
		if c.Served && t.broken == "" {
			t.receive()
		}
	}
	t.to(view)
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	if diff := t.differs(edited, t.value); diff != nil {
		return t.counterexample(c, "the edited view came back changed", diff)
	}
	return nil
}

// checkTotal checks L3: any object converts. The checks are those of every conversion.
func (s *Subject) checkTotal(c Case) *Counterexample {
	t := s.start(c)
	for _, version := range c.Through {
		t.to(version)
	}
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	return nil
}

// checkStable checks L4: two converters and several goroutines give the same bytes, and an object from
// the API server does not change after the first round trip.
func (s *Subject) checkStable(c Case) *Counterexample {
	t := s.start(c)
	t.fill()
	to, in := c.Through[0], t.bytes
	second, err := s.second()
	if err != nil {
		return t.counterexample(c, "the second compilation of the same table failed: "+err.Error(), nil)
	}
	var wg sync.WaitGroup
	outs := make([][]byte, 4)
	for i := range outs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			conv := s.converter
			if i%2 == 1 {
				conv = second
			}
			outs[i], _ = s.convert(conv, in, to)
		}()
	}
	t.to(to)
	wg.Wait()
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	for _, out := range outs {
		if !bytes.Equal(out, t.steps[0].Out) {
			return t.counterexample(c, fmt.Sprintf("the same bytes gave another answer: %s", out), nil)
		}
	}
	var there, here *trip
	for i := range 3 {
		if i > 0 {
			t.to(to)
		}
		if t.broken == "" && i > 1 && !t.same(there) {
			return t.counterexample(c, "a repeated trip changes the bytes of the view", nil)
		}
		there = t.fork()
		isFilled := t.to(c.From).fill() // a dropped field gets its default
		if t.broken == "" && i > 0 && !t.same(here) && !(isFilled && tree.Equal(t.value, here.value)) {
			return t.counterexample(c, "a repeated round trip changes the bytes of the object", nil)
		}
		here = t.fork()
	}
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	return nil
}

// fill adds the defaults that the API server adds, and reports whether any were missing.
func (t *trip) fill() bool {
	if t.broken != "" {
		return false
	}
	full := withDefaults(t.value, t.s.schemas[t.version])
	if tree.Equal(full, t.value) {
		return false
	}
	t.value, t.bytes = full, full.Append(nil)
	return true
}

// same reports whether two trips have the same bytes. If the API server takes part, which sorts
// members, the order of members is not compared.
func (t *trip) same(other *trip) bool {
	if t.served {
		return tree.Equal(t.value, other.value)
	}
	return bytes.Equal(t.bytes, other.bytes)
}

// checkCoherent checks L5 for the last two of Through, A and C: A → C is A → hub → C.
func (s *Subject) checkCoherent(c Case) *Counterexample {
	t := s.start(c)
	for _, version := range c.Through[:len(c.Through)-1] {
		t.to(version)
	}
	last := c.Through[len(c.Through)-1]
	if t.broken == "" && (last == t.version || t.version == s.Table.Spec.Hub || last == s.Table.Spec.Hub) {
		return nil
	}
	if t.broken != "" {
		return t.counterexample(c, t.broken, nil)
	}
	over := t.fork()
	over.steps = nil
	direct := t.to(last).bytes
	over.to(s.Table.Spec.Hub).to(last)
	t.steps = append(t.steps, over.steps...)
	if t.broken != "" || over.broken != "" {
		return t.counterexample(c, t.broken+over.broken, nil)
	}
	if !bytes.Equal(direct, over.bytes) {
		return t.counterexample(c, "the direct way and the way through the hub differ (want direct)", tree.Diff(t.value, over.value))
	}
	return nil
}

// checkNative checks L6: if the round trip is exact without a stash, both with the API server and
// without, the view must have no stash. Between spokes, the object must also be the same in the
// hub. A stash may tell that an object with a default is present of which some version drops all
// that it has.
func (s *Subject) checkNative(c Case) *Counterexample {
	exact := true
	var views []*trip
	for _, served := range []bool{false, true} {
		t := s.start(Case{Object: c.Object, From: c.From, Served: served})
		t.value = withoutOurs(t.value)
		t.bytes = t.value.Append(nil)
		view := t.fork()
		view.to(c.Through[0])
		if view.broken != "" {
			return view.counterexample(c, view.broken, nil)
		}
		views = append(views, view)
		plain := view.fork()
		plain.value = withoutOurs(plain.value)
		plain.bytes = plain.value.Append(nil)
		if served {
			plain.receive()
		}
		for _, version := range []string{c.From, s.Table.Spec.Hub} {
			there, back := t.fork(), plain.fork()
			if version != c.From {
				there.to(version)
			}
			if version != c.Through[0] {
				back.to(version)
			}
			exact = exact && there.broken == "" && back.broken == "" && len(tree.Diff(s.comparable(there.value, version, nil), s.comparable(back.value, version, nil))) == 0
		}
	}
	if !exact {
		return nil
	}
	for _, view := range views {
		if name := firstStash(view.value); name != "" && !s.tellsOfPresence(view) {
			return view.counterexample(c, "the object comes back exactly without a stash, but has one: "+name, nil)
		}
	}
	return nil
}

// tellsOfPresence reports whether all entries of a view tell that an object with a default is present
// of which some version drops all that it has.
func (s *Subject) tellsOfPresence(view *trip) bool {
	from, object := view.steps[0].From, view.steps[0].In
	tells := false
	for _, version := range s.Versions() {
		for _, entry := range entriesIn(view.value, version) {
			if version != from || !s.losesAll(object, version, entry) {
				return false
			}
			tells = true
		}
	}
	return tells
}

// losesAll reports whether an entry makes an object with no more than defaults of one that has a default,
// and besides defaults only what some version drops. An entry inside a list may be about any of its
// elements.
func (s *Subject) losesAll(object []byte, version string, entry *tree.Value) (loses bool) {
	at, value := placeOf(entry.Get("at")), entry.Get("value")
	whole, err := tree.Parse(object)
	of := s.schemaAt(at, version)
	if err != nil || kindOf(value) != tree.Object || of == nil || of.Default.Object == nil || !s.isBarren(withDefaults(value, of), at, version, nil) {
		return false
	}
	drops := s.dropped(version, s.Versions())
	whole = withDefaults(whole, s.schemas[version])
	left := whole.Clone()
	for _, p := range drops {
		places.Cut(left, p)
	}
	whole.Walk(func(p tree.Path, v *tree.Value) {
		covers := len(p) == len(at) && places.Covers(places.Pattern(at), p)
		loses = loses || covers && len(v.Members) > 0 && s.isBarren(left.At(p), p, version, drops)
	})
	return loses
}

// firstStash returns the name of the first annotation that Crosswalk has written, or "".
func firstStash(v *tree.Value) string {
	if annotations := v.Get("metadata").Get("annotations"); annotations != nil {
		for _, m := range annotations.Members {
			if ours(m.Name) {
				return m.Name
			}
		}
	}
	return ""
}

// withoutOurs returns the object without Crosswalk's own annotations.
func withoutOurs(v *tree.Value) *tree.Value {
	v = v.Clone()
	annotations := v.Get("metadata").Get("annotations")
	if annotations == nil || annotations.Kind != tree.Object {
		return v
	}
	kept := annotations.Members[:0]
	for _, m := range annotations.Members {
		if !ours(m.Name) {
			kept = append(kept, m)
		}
	}
	annotations.Members = kept
	return v
}
