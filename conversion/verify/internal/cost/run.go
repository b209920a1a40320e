package cost

import (
	"context"
	"io/fs"
	"math"
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

// Short returns the families in a form that takes seconds: the named ones and some of the
// others, without those that are known to be slow, with objects a tenth as long. Of such the
// growth cannot be told: from a few megabytes on the collector is at work, and below it is not.
func Short(families []Family) []Family {
	var all []Family
	others := 0
	for _, f := range families {
		if known(f).Times > f.Law.Times {
			continue
		}
		if !f.named {
			// 5 goes into no number of ways to fill a stash, so that all take their turn.
			if others++; others%5 != 0 {
				continue
			}
		}
		f.Size /= 10
		f.Law.Exponent = math.Inf(1)
		all = append(all, f)
	}
	return all
}

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
