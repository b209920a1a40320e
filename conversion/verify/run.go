package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// Options configures a run.
type Options struct {
	// Seed makes a run repeatable.
	Seed uint64
	// Tables is the number of generated tables, and Objects the number of objects for each of
	// them. Each object gives one case of every law.
	Tables, Objects int
	// Laws has the laws to test. The default is all. Kept, Seen and Native depend on the rows
	// of a table, and can't test a converter without one.
	Laws []Law
	// Functions reports whether the compiler has Functions, so that generated tables may call
	// them.
	Functions bool
	// Stop is the number of counterexamples after which the run ends; 0 means 1.
	Stop int
}

// Report is the result of a run.
type Report struct {
	// Cases is the number of tested cases.
	Cases int
	// Compiled and Refused are the numbers of generated tables that compiled, and that did not.
	// Refusals counts the errors of the latter.
	Compiled, Refused int
	Refusals          map[string]int
	// Found has the counterexamples, reduced.
	Found []*Counterexample
	Seen  draw.Coverage
}

// RunTables tests a compiler with generated tables and objects.
func RunTables(ctx context.Context, compile CompileFunc, o Options) *Report {
	report := &Report{Refusals: map[string]int{}}
	for i := range o.Tables {
		if ctx.Err() != nil {
			break
		}
		r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
		crd, table := (&weave.Tables{Rand: r, Seen: &report.Seen, Functions: o.Functions}).Generate()
		s, err := NewSubject(crd, table, compile)
		if err != nil {
			report.Refused++
			report.Refusals[err.Error()]++
			continue
		}
		report.Compiled++
		if !report.judge(ctx, s, r, compile, o) {
			break
		}
		g := &generator{draw.Generator{Rand: r, Seen: &report.Seen}}
		if evolved := g.evolution(s, compile); evolved != nil && !report.judgeEvolution(ctx, evolved, g, compile, o) {
			break
		}
	}
	return report
}

// RunTable tests one table with generated objects.
func RunTable(ctx context.Context, s *Subject, compile CompileFunc, o Options) *Report {
	report := &Report{Compiled: 1}
	for i := range o.Objects {
		if ctx.Err() != nil {
			break
		}
		one := o
		one.Objects = 1
		if !report.judge(ctx, s, rand.New(rand.NewPCG(o.Seed, uint64(i))), compile, one) {
			break
		}
	}
	return report
}

// judge reports false when enough was found.
func (report *Report) judge(ctx context.Context, s *Subject, r *rand.Rand, compile CompileFunc, o Options) bool {
	for range o.Objects {
		for _, c := range s.cases(r, &report.Seen) {
			if !report.try(ctx, s, c, compile, o) {
				return len(report.Found) < max(o.Stop, 1)
			}
		}
	}
	return true
}

// judgeEvolution is judge for a table that came after another one.
func (report *Report) judgeEvolution(ctx context.Context, s *Subject, g *generator, compile CompileFunc, o Options) bool {
	for range o.Objects {
		for _, c := range s.evolutionCases(g) {
			g.Seen.Count("law/" + string(c.Law))
			if !report.try(ctx, s, c, compile, o) {
				return len(report.Found) < max(o.Stop, 1)
			}
		}
	}
	return true
}

// try reports false when the case breaks its law.
func (report *Report) try(ctx context.Context, s *Subject, c Case, compile CompileFunc, o Options) bool {
	if len(o.Laws) > 0 && !slices.Contains(o.Laws, c.Law) {
		return true
	}
	report.Cases++
	found := s.Check(c)
	if found != nil {
		report.Found = append(report.Found, Shrink(ctx, found, compile))
	}
	return found == nil
}

// Err returns the counterexamples as one error, or nil.
func (report *Report) Err() error {
	if len(report.Found) == 0 {
		return nil
	}
	return fmt.Errorf("%d counterexamples in %d cases; the first:\n%s", len(report.Found), report.Cases, report.Found[0])
}
