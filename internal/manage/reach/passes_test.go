package reach

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// changing is a source of which only its changes are of interest.
type changing struct {
	certs.Source
	changed chan struct{}
}

func (c *changing) Changed() <-chan struct{} { return c.changed }

func TestPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		passes, source := NewPasses(), &changing{changed: make(chan struct{})}
		passes.Ask()
		passes.Ask() // nobody takes it, and nobody waits
		serve, granted := &Serve{Certs: source}, &changing{changed: make(chan struct{})}
		go func() { _ = passes.Follow(ctx, source, serve, granted) }()
		synctest.Wait()
		want := func(n int, when string) {
			t.Helper()
			if len(passes) != n {
				t.Errorf("%s: %d passes are asked for, want %d", when, len(passes), n)
			}
		}
		want(1, "at the start")
		<-passes
		synctest.Wait()
		want(0, "while nothing changes")
		last := source.changed
		source.changed = make(chan struct{})
		close(last)
		synctest.Wait()
		want(1, "after another bundle")
		<-passes
		serve.pulse.Set(&Obstacle{Reason: "NoReplicas"})
		synctest.Wait()
		want(1, "after serve has stopped")
		<-passes
		serve.pulse.Set(&Obstacle{Reason: "NoReplicas"})
		synctest.Wait()
		want(0, "while it still does not answer")
		serve.pulse.Set(nil)
		synctest.Wait()
		want(1, "after it answers again")
		<-passes
		last = granted.changed
		granted.changed = make(chan struct{})
		close(last)
		synctest.Wait()
		want(1, "after a right was granted")
		stop() // it ends, or the test would not
	})
}
