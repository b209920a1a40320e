package cost

import (
	"context"
	"io/fs"
	"maps"
	"math"
	"slices"
)

// Families returns all families but those that are drawn. It reads the examples, a folder for
// each.
func Families(examples fs.FS) ([]Family, error) {
	s, err := readSubjects(examples)
	if err != nil {
		return nil, err
	}
	all, err := s.named()
	if err != nil {
		return nil, err
	}
	for _, p := range s.pairings() {
		forged, err := p.forged()
		if err != nil {
			return nil, err
		}
		all = append(append(all, p.returned()...), forged...)
	}
	return all, nil
}

// Short returns the families in a form that takes seconds: those that were found by hand, and of
// the others one for each way to fill a stash, of each table in turn. It leaves out those that are
// known to be far too slow, and the objects are a tenth as long. Of such the growth cannot be told:
// from a few megabytes on the collector is at work, and below it is not.
func Short(families []Family) []Family {
	var all []Family
	groups := map[string][]Family{}
	for _, f := range families {
		f.Size /= 10
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

// farTooSlow reports whether a family is known to take several times of what the law allows.
func farTooSlow(f Family) bool { return known(f).Times > 4*f.Law.Times }

// Run judges families one after the other, tells each of what it finds, and returns
// those that break the law by more than the list of shortfalls says.
func Run(ctx context.Context, families []Family, each func(Verdict)) (wrong []Verdict, err error) {
	for _, f := range families {
		if ctx.Err() != nil {
			return wrong, ctx.Err()
		}
		v, err := Judge(f)
		if err != nil {
			return wrong, err
		}
		if len(v.Broken(known(f))) > 0 {
			wrong = append(wrong, v)
		}
		each(v)
	}
	return wrong, nil
}
