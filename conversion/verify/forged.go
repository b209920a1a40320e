package verify

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
