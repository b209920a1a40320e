package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"
)

// Options says how much to try.
type Options struct {
	// Seed makes a run repeatable.
	Seed uint64
	// Tables is the number of tables to generate, Objects the number of objects
	// for each; every object makes a case of every law.
	Tables, Objects int
	// Laws are those that are judged; the default is all. A converter without a
	// table cannot be judged by Kept, Seen and Native, which go by its rows.
	Laws []Law
	// Functions says that the compiler knows Functions, so that generated tables may
	// call them.
	Functions bool
	// Stop ends the run after so many counterexamples; 0 means 1.
	Stop int
}

// Report is what a run found.
type Report struct {
	// Cases is the number of cases that were tried.
	Cases int
	// Compiled and Refused count the generated tables that the compiler took
	// and did not take; Refusals counts its reasons.
	Compiled, Refused int
	Refusals          map[string]int
	// Found are the counterexamples, shrunk.
	Found []*Counterexample
	Seen  draw.Coverage
}

// RunTables judges a compiler by generated tables and objects.
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
		if !report.judge(s, r, compile, o) {
			break
		}
		g := &generator{draw.Generator{Rand: r, Seen: &report.Seen}}
		if evolved := g.evolution(s, compile); evolved != nil && !report.judgeEvolution(evolved, g, compile, o) {
			break
		}
	}
	return report
}

// RunTable judges one table by generated objects.
func RunTable(ctx context.Context, s *Subject, compile CompileFunc, o Options) *Report {
	report := &Report{Compiled: 1}
	for i := range o.Objects {
		if ctx.Err() != nil {
			break
		}
		one := o
		one.Objects = 1
		if !report.judge(s, rand.New(rand.NewPCG(o.Seed, uint64(i))), compile, one) {
			break
		}
	}
	return report
}

// judge reports false when enough was found.
func (report *Report) judge(s *Subject, r *rand.Rand, compile CompileFunc, o Options) bool {
	for range o.Objects {
		for _, c := range s.cases(r, &report.Seen) {
			if !report.try(s, c, compile, o) {
				return len(report.Found) < max(o.Stop, 1)
			}
		}
	}
	return true
}

// judgeEvolution is judge for a table that came after another one.
func (report *Report) judgeEvolution(s *Subject, g *generator, compile CompileFunc, o Options) bool {
	for range o.Objects {
		for _, c := range s.evolutionCases(g) {
			g.Seen.Count("law/" + string(c.Law))
			if !report.try(s, c, compile, o) {
				return len(report.Found) < max(o.Stop, 1)
			}
		}
	}
	return true
}

// try reports false when the case breaks its law.
func (report *Report) try(s *Subject, c Case, compile CompileFunc, o Options) bool {
	if len(o.Laws) > 0 && !slices.Contains(o.Laws, c.Law) {
		return true
	}
	report.Cases++
	found := s.Check(c)
	if found != nil {
		report.Found = append(report.Found, Shrink(found, compile))
	}
	return found == nil
}

// Err joins what was found, for a test or a command.
func (report *Report) Err() error {
	if len(report.Found) == 0 {
		return nil
	}
	return fmt.Errorf("%d counterexamples in %d cases; the first:\n%s", len(report.Found), report.Cases, report.Found[0])
}
