package proof

import (
	"context"
	"math/rand/v2"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/evolve"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// Options configures a run.
type Options struct {
	// Seed makes a run repeatable.
	Seed uint64
	// Tables is the number of generated tables, and Objects the number of objects for each of them
	// and for each change of one. Each object gives one case of every law, or of L7.
	Tables, Objects int
	// Stop is the number of counterexamples after which the run ends; 0 means 1.
	Stop int
}

// Report is the result of a run.
type Report struct {
	// Cases is the number of tested cases.
	Cases int
	// Compiled is the number of generated tables that compiled. Refusals counts the errors of the
	// others.
	Compiled int
	Refusals map[string]int
	// Found has the counterexamples, reduced.
	Found []*verify.Counterexample
	// Seen counts the classes of input.
	Seen verify.Coverage
}

// Compile is conversion.Compile for generated tables, with the functions that their rows call.
func Compile(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (verify.Converter, error) {
	return verify.CompileWith(conversion.WithFunctions(weave.FunctionsFor(table)))(crd, table)
}

// Run tests a compiler with generated tables and objects. It ends early when the context does.
func Run(ctx context.Context, compile verify.CompileFunc, o Options) *Report {
	report := &Report{Refusals: map[string]int{}}
	for i := range o.Tables {
		if ctx.Err() != nil {
			break
		}
		r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
		crd, table := (&weave.Tables{Rand: r, Seen: &report.Seen, Functions: true}).Generate()
		s, err := verify.NewSubject(crd, table, compile)
		if err != nil {
			report.Refusals[err.Error()]++
			continue
		}
		report.Compiled++
		if !report.judge(ctx, s, r, compile, o) {
			break
		}
		if evolved := evolved(r, &report.Seen, s, compile); evolved != nil && !report.judge(ctx, evolved, r, compile, o) {
			break
		}
	}
	return report
}

// judge tests a table. It returns false when the run has to end.
func (report *Report) judge(ctx context.Context, s *verify.Subject, r *rand.Rand, compile verify.CompileFunc, o Options) bool {
	for range o.Objects {
		for _, c := range s.Cases(r, &report.Seen) {
			report.Cases++
			if found := s.Check(c); found != nil {
				report.Found = append(report.Found, verify.Shrink(ctx, found, compile))
				return len(report.Found) < max(o.Stop, 1)
			}
		}
	}
	return true
}

// evolved changes a table, and returns the later of the two, with the earlier one set. It returns
// nil if no change compiles.
func evolved(r *rand.Rand, seen *verify.Coverage, s *verify.Subject, compile verify.CompileFunc) *verify.Subject {
	var other *verify.Subject
	order := evolve.Change(&draw.Generator{Rand: r, Seen: seen}, s.CRD, s.Table, func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
		made, err := verify.NewSubject(crd, table, compile)
		other = made
		return err == nil
	})
	earlier, later := s, other
	switch order {
	case evolve.None:
		return nil
	case evolve.Earlier:
		earlier, later = other, s
	}
	out := *later
	out.After(earlier)
	return &out
}
