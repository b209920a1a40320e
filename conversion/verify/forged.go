package verify

// checkForged checks what L3 says of stashes. A view in which someone damages or forges a stash converts
// to every version, and:
//
//   - a text that can't be read as a stash is ignored,
//   - an unchanged entry is used as before, unless it depends on another one; any other entry changes
//     nothing but the place at its address, which gets its value,
//   - nothing in the view changes, unless an entry has a valid guard. To know the guard one must know the
//     value there, and may write another one as well.
func (s *Subject) checkForged(c Case) *Counterexample {
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
	if f.isForAnother() {
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
	if f.mayBeValid() || isIncomplete(f.out.value) {
		return nil
	}
	if diff := back.differs(f.live.value, back.value); diff != nil {
		return back.counterexample(c, "a forged stash changes what the view shows", diff)
	}
	return nil
}
