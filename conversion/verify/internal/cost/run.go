package cost

import (
	"context"
	"io/fs"
	"maps"
	"math"
	"slices"
)

// Families returns all families except those of generated tables. It reads the examples, a folder
// for each.
func Families(examples fs.FS) ([]Family, error) {
	s, err := readSubjects(examples)
	if err != nil {
		return nil, err
	}
	all, err := s.namedFamilies()
	if err != nil {
		return nil, err
	}
	for _, p := range s.pairings() {
		forged, err := p.forgedFamilies()
		if err != nil {
			return nil, err
		}
		all = append(append(all, p.returnedFamilies()...), forged...)
	}
	return all, nil
}

// Short returns the families in a form that takes seconds: those that were found by hand, and of
// the others one for each way to fill a stash, with the tables in turn. It leaves out families that
// are known to be far too slow, and the objects have a tenth of their size and at most 30 kB. Then
// the growth can't be measured, because the collector works only on larger objects.
func Short(families []Family) []Family {
	var all []Family
	groups := map[string][]Family{}
	for _, f := range families {
		f.Size = min(f.Size/10, 30_000)
		f.Law.Exponent = math.Inf(1)
		switch {
		case farTooSlow(f):
		case f.group == "":
			all = append(all, f)
		default:
			groups[f.group] = append(groups[f.group], f)
		}
	}
	for i, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[name][i%len(groups[name])])
	}
	return all
}

// farTooSlow reports whether a family is known to take several times what the law allows.
func farTooSlow(f Family) bool { return lawToday(f).Times > 4*f.Law.Times }

// Run judges families one after the other, calls each with every result, and returns those that
// break the law by more than the list of shortfalls allows.
func Run(ctx context.Context, families []Family, each func(Verdict)) (wrong []Verdict, err error) {
	for _, f := range families {
		if ctx.Err() != nil {
			return wrong, ctx.Err()
		}
		v, err := Judge(f)
		if err != nil {
			return wrong, err
		}
		if len(v.Broken(lawToday(f))) > 0 {
			wrong = append(wrong, v)
		}
		each(v)
	}
	return wrong, nil
}
