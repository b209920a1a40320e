package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// Options configure a Migrator.
type Options struct {
	// Config connects to the API server.
	Config *rest.Config
	// PageSize is how many objects are listed at once. It must be positive.
	PageSize int
	// Parallel is how many objects are rewritten at once. It must be positive.
	Parallel int
	// QPS is how many requests are sent per second, 0 for no limit.
	QPS float32
	// DryRun writes nothing.
	DryRun bool
	// Compiling holds the options for compiling the Crosswalk of a CRD.
	Compiling []conversion.Option
	// Console shows results and progress.
	Console *bulk.Console
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Migrator rewrites the objects of one CRD after another.
type Migrator struct {
	options Options
	client  *bulk.Client
	console *bulk.Console
}

// New returns a Migrator. It does not connect yet.
func New(o Options) (*Migrator, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	client, err := bulk.NewClient(o.Config, o.QPS)
	if err != nil {
		return nil, err
	}
	return &Migrator{options: o, client: client, console: o.Console}, nil
}

// mostStarts bounds how often a migration starts over because the CRD changed.
const mostStarts = 4

// Run migrates one CRD. When ctx ends, it finishes the running requests, saves its position and
// returns an error that explains how to continue.
func (m *Migrator) Run(ctx context.Context, name string) error {
	for starts := 1; ; starts++ {
		err := m.run(ctx, name)
		var unsure *unsureError
		if err == nil {
			return nil
		}
		if errors.As(err, &unsure) && starts < mostStarts && ctx.Err() == nil {
			m.console.Say(name, "starts over: %v, so objects may have been stored in other versions meanwhile", err)
			continue
		}
		return fmt.Errorf("%s: %w", name, err)
	}
}

func (m *Migrator) run(ctx context.Context, name string) error {
	crd, err := m.crd(ctx, name)
	if err != nil {
		return err
	}
	t, err := m.prepare(ctx, crd)
	if err != nil {
		return err
	}
	if left := unsettled(crd, m.options.Now()); left > 0 {
		m.console.Say(name, "the CRD has just changed: waiting %s until every API server has seen it", left.Round(100*time.Millisecond))
		if !bulk.Wait(ctx, left) {
			return errors.New("stopped before anything was written")
		}
	}
	s := &session{name: name, via: t.via, progress: bulk.Progress{Noted: "failed"}}
	var why string
	s.position, why = resume(crd)
	s.earlier, s.progress.Before = s.position.counts, s.position.done()
	if why != "" {
		m.console.Say(name, "%s", why)
	}
	// If the objects cannot be reached, the position stays as it is.
	sample, err := t.list.First(ctx, sampled, bulk.Few)
	if err == nil {
		err = t.probe(ctx, t.objects(sample.Items))
	}
	if err != nil {
		if bulk.Classify(err) == bulk.Stopped {
			return errors.New("stopped before anything was written")
		}
		return fmt.Errorf("nothing was written, because a try failed: %w", explain(crd, err))
	}
	m.console.Say(name, "%s", m.plan(s, t))
	m.console.Start(name, &s.progress)
	err = m.pass(ctx, t, s)
	m.console.Stop()
	return m.end(ctx, crd, s, err)
}

// plan returns the line that announces the run.
func (m *Migrator) plan(s *session, t *target) string {
	through := t.via
	if t.subresource != "" {
		through += "/" + t.subresource
	}
	verb := "rewrites"
	if m.options.DryRun {
		verb = "tries (dry run)"
	}
	text := fmt.Sprintf("%s objects to %s through %s", verb, s.position.StorageVersion, through)
	if done := s.earlier.done(); done > 0 || len(s.position.Failed) > 0 {
		text += fmt.Sprintf("; continues after %d that an earlier run did", done)
		if failed := len(s.position.Failed); failed > 0 {
			text += fmt.Sprintf(", and tries %d again that failed then", failed)
		}
	}
	return text
}
