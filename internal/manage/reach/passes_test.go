package webhooks

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

func TestFollowBundle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		passes, source := NewPasses(), &changing{changed: make(chan struct{})}
		passes.Ask()
		passes.Ask() // nobody takes it, and nobody waits
		go passes.FollowBundle(ctx, source)
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
		want(1, "after a change")
		stop() // it ends, or the test would not
	})
}
