package migrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Options configure a Migrator.
type Options struct {
	// Config leads to the API server.
	Config *rest.Config
	// PageSize is how many objects are listed at once. It must be positive.
	PageSize int
	// Parallel is how many objects are rewritten at once. It must be positive.
	Parallel int
	// QPS is how many requests are sent per second, 0 for no limit.
	QPS float32
	// DryRun writes nothing.
	DryRun bool
	// Compiling are the options with which the Crosswalk of a CRD is compiled.
	Compiling []conversion.Option
	// Output is told what came of it.
	Output io.Writer
	// Errors is told which objects failed, and of progress.
	Errors io.Writer
	// Terminal says that Errors is one: progress is then one line, written over
	// again and again.
	Terminal bool
	// Quiet leaves progress out.
	Quiet bool
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Migrator rewrites the objects of one CRD after another.
type Migrator struct {
	options Options
	client  *client
	console *console
}

// New returns a Migrator. It does not connect yet.
func New(o Options) (*Migrator, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	client, err := newClient(o.Config, o.QPS)
	if err != nil {
		return nil, err
	}
	return &Migrator{options: o, client: client, console: newConsole(o)}, nil
}

// mostStarts bounds how often a migration starts anew because the CRD changed.
const mostStarts = 4

// Run migrates one CRD. When ctx ends it finishes the requests in flight, keeps
// its position and returns an error that says how to go on.
func (m *Migrator) Run(ctx context.Context, name string) error {
	for starts := 1; ; starts++ {
		err := m.run(ctx, name)
		var unsure *unsureError
		if err == nil {
			return nil
		}
		if errors.As(err, &unsure) && starts < mostStarts && ctx.Err() == nil {
			m.console.say(name, "starts anew: %v, so other versions may have been written meanwhile", err)
			continue
		}
		return fmt.Errorf("%s: %w", name, err)
	}
}

func (m *Migrator) run(ctx context.Context, name string) error {
	crd, err := m.client.crd(ctx, name)
	if err != nil {
		return err
	}
	t, err := m.prepare(ctx, crd)
	if err != nil {
		return err
	}
	if left := unsettled(crd, m.options.Now()); left > 0 {
		m.console.say(name, "the CRD has just changed: waits %s until every API server knows", left.Round(100*time.Millisecond))
		if !wait(ctx, left) {
			return errors.New("stopped before anything was written")
		}
	}
	s := &session{name: name, via: t.via}
	var why string
	s.position, why = resume(crd)
	s.earlier = s.position.counts
	if why != "" {
		m.console.say(name, "%s", why)
	}
	// Nothing of the position is lost if the objects cannot be reached.
	sample, err := t.list(ctx, sampled, "", few)
	if err == nil {
		err = t.probe(ctx, sample.objects)
	}
	if err != nil {
		if classify(err) == stopped {
			return errors.New("stopped before anything was written")
		}
		return fmt.Errorf("nothing was written, because a try failed: %w", explain(crd, err))
	}
	m.console.start(s, m.plan(s, t))
	err = m.pass(ctx, t, s)
	m.console.stop()
	return m.end(ctx, crd, s, err)
}

// plan is the line that says what follows.
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
		text += fmt.Sprintf("; goes on after %d that an earlier run did", done)
		if failed := len(s.position.Failed); failed > 0 {
			text += fmt.Sprintf(", and tries %d again that failed then", failed)
		}
	}
	return text
}
