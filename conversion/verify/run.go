package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Options configures a run.
type Options struct {
	// Seed makes a run repeatable.
	Seed uint64
	// Objects is the number of generated objects. Each gives one case of every law.
	Objects int
	// Laws has the laws to test. The default is all. Kept, Seen and Native depend on the rows
	// of a table, and can't test a converter without one.
	Laws []Law
	// Stop is the number of counterexamples after which the run ends; 0 means 1.
	Stop int
}

// Report is the result of a run.
type Report struct {
	// Cases is the number of tested cases.
	Cases int
	// Found has the counterexamples, reduced.
	Found []*Counterexample
	// Seen counts the classes of input.
	Seen Coverage
}

// RunTable tests one table with generated objects. It ends early when the context does. Compile is
// that of the table; counterexamples are reduced with it.
func RunTable(ctx context.Context, s *Subject, compile CompileFunc, o Options) *Report {
	report := &Report{}
	for i := range o.Objects {
		if ctx.Err() != nil || len(report.Found) >= max(o.Stop, 1) {
			break
		}
		for _, c := range s.Cases(rand.New(rand.NewPCG(o.Seed, uint64(i))), &report.Seen) {
			if len(o.Laws) > 0 && !slices.Contains(o.Laws, c.Law) {
				continue
			}
			report.Cases++
			if found := s.Check(c); found != nil {
				report.Found = append(report.Found, Shrink(ctx, found, compile))
				break // other cases of the object would show the same mistake
			}
		}
	}
	return report
}

// Err returns the counterexamples as one error, or nil.
func (report *Report) Err() error {
	if len(report.Found) == 0 {
		return nil
	}
	return fmt.Errorf("%d counterexamples in %d cases; the first:\n%s", len(report.Found), report.Cases, report.Found[0])
}
