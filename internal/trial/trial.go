package trial

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// Options configure a trial.
type Options struct {
	// Seed makes a trial repeatable, and Cases is how many generated objects each law is tried
	// on.
	Seed  uint64
	Cases int
	// Compiling holds the options for compiling tables.
	Compiling []conversion.Option
	// Compile replaces the compiler in tests.
	Compile verify.CompileFunc
	// Tick asks for progress. Say receives it, between two objects.
	Tick <-chan time.Time
	Say  func(progress string)
}

// Trial is a trial of several tables.
type Trial struct {
	o      Options
	tables []*table
	// interrupted reports that the context ended first.
	interrupted bool
}

// table is one table on trial.
type table struct {
	config.Table
	judge  *verify.Judge
	mapped *mapped
	// samples are the samples for this table, and judged is how many were tried.
	samples []Sample
	judged  int
	notes   []string
}

// Sample is a real object.
type Sample struct {
	JSON []byte
	// Source is the place from which it was read.
	Source config.Source
}

// New makes a trial of all tables of a configuration. The error is [config.Errors].
func New(c *config.Config, o Options) (*Trial, error) {
	if o.Compile == nil {
		o.Compile = verify.CompileWith(o.Compiling...)
	}
	t := &Trial{o: o}
	var failed config.Errors
	for _, one := range c.Tables {
		subject, err := verify.NewSubject(one.CRD, one.Crosswalk, o.Compile)
		if err != nil {
			at := one.Source
			failed = append(failed, &config.Error{File: at.File, Document: at.Document, Line: at.Line, Err: fmt.Errorf("crosswalk %s: %w", one.Crosswalk.Name, err)})
			continue
		}
		one.CRD, one.Crosswalk = subject.CRD, subject.Table
		added := &table{Table: one, judge: verify.NewJudge(subject, o.Seed, o.Cases)}
		if added.mapped, err = newMapped(added, o.Compiling); err != nil {
			return nil, err
		}
		added.judge.Watch = func(object []byte, version string) { added.mapped.see(object, version, "") }
		if len(subject.Versions()) < 2 {
			added.notes = append(added.notes, "it has only one version, so nothing is ever converted")
		}
		t.tables = append(t.tables, added)
	}
	if len(failed) > 0 {
		return nil, failed
	}
	return t, nil
}

// Run tries the laws on generated objects and samples. When ctx ends, it stops before the next
// object.
func (t *Trial) Run(ctx context.Context) {
	for _, one := range t.tables {
		if one.single() {
			continue
		}
		one.judge.Generated(func() bool {
			return t.goOn(ctx, one, "")
		})
		for i, s := range one.samples {
			if !t.goOn(ctx, one, fmt.Sprintf(", %d of %d samples", i, len(one.samples))) {
				return
			}
			one.sample(s.name(one), s.JSON)
		}
	}
}

// sample tries a real object. If that is impossible, it adds a note.
func (o *table) sample(name string, object []byte) {
	o.judged++
	if err := o.judge.Sample(name, o.judged, object); err != nil {
		o.notes = append(o.notes, fmt.Sprintf("%s was left out: %v", name, err))
		return
	}
	_, version, _ := strings.Cut(headOf(object).APIVersion, "/")
	o.mapped.see(object, version, name)
}

// single reports that there is no other version to convert to.
func (o *table) single() bool { return len(o.CRD.Spec.Versions) < 2 }

// goOn reports progress if Tick asks for it, and reports whether to continue.
func (t *Trial) goOn(ctx context.Context, one *table, with string) bool {
	select {
	case <-t.o.Tick:
		t.o.Say(fmt.Sprintf("%s: %s%s", one.Crosswalk.Name, cases(one.tried()), with))
	default:
	}
	t.interrupted = t.interrupted || ctx.Err() != nil
	return !t.interrupted
}

// tried returns how many cases were tried.
func (o *table) tried() int {
	n := 0
	for _, tried := range o.judge.Tried {
		n += tried
	}
	return n
}
