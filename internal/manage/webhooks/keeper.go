package webhooks

import (
	"context"
	"log/slog"
	"time"

	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// FieldManager owns what a keeper writes.
const FieldManager = "crosswalk-registration"

const (
	// Immediately is when to look again after another client was faster.
	Immediately = 20 * time.Millisecond
	// The keeper waits for events in other processes, of which nobody is notified. It looks
	// again after FirstWait, and then after twice as long each time, up to LongestWait.
	FirstWait   = 100 * time.Millisecond
	LongestWait = 5 * time.Second
	// Settling is how long API servers get to see a change, before anybody relies on it.
	Settling = time.Second
)

// Keeper writes configurations. It is not safe for concurrent use.
type Keeper struct {
	// Serve is the server to register.
	Serve *reach.Serve
	// Writer writes, and has a cache of the configurations' metadata.
	Writer client.Client
	// Events receives what other clients have changed.
	Events events.EventRecorder
	// Logger receives every change that is made.
	Logger *slog.Logger
	// Now is the clock.
	Now func() time.Time

	written map[string]written // by configuration
	read    map[string]last    // by kind and configuration
	waited  time.Duration      // before this pass
}

// Reached reports whether everything is as intended.
func (k *Keeper) Reached(ctx context.Context, now, goal []Side) bool {
	secret, obstacle := k.Serve.Bundle(ctx)
	if obstacle != nil {
		return false
	}
	for i := range goal {
		goal[i].setBundle(now[i].bundle(goal[i], secret, k.Now()), now[i])
		if !now[i].Holds(goal[i]) {
			return false
		}
	}
	return true
}

// Ask sends serve the questions of each side, and returns the intended bundle of each: none if
// no server could be trusted with it yet. If there is no bundle at all, every question fails
// with that obstacle.
func (k *Keeper) Ask(ctx context.Context, now, goal []Side, questions [][]*Question) ([]inject.Bundle, error) {
	bundles := make([]inject.Bundle, len(now))
	secret, obstacle := k.Serve.Bundle(ctx)
	for i := range now {
		if obstacle != nil {
			for _, q := range questions[i] {
				q.Refusal = obstacle
			}
			continue
		}
		bundle := now[i].bundle(goal[i], secret, k.Now())
		unheard, err := k.ask(ctx, bundle, questions[i])
		if err != nil {
			return bundles, err
		}
		if unheard == nil {
			bundles[i] = bundle
		}
	}
	return bundles, nil
}

// Pace returns when to look again: never, if there is nothing to wait for.
func (k *Keeper) Pace(waiting bool) time.Duration {
	if !waiting {
		k.waited = 0
		return 0
	}
	k.waited = min(max(2*k.waited, FirstWait), LongestWait)
	return k.waited
}

// Hurry restarts Pace, because something else is waited for now.
func (k *Keeper) Hurry() { k.waited = 0 }

// Settling returns how long API servers still get to see the last write of any of the
// configurations.
func (k *Keeper) Settling(names ...string) time.Duration {
	var last time.Time
	for _, name := range names {
		if w, ok := k.written[name]; ok && w.at[len(w.at)-1].After(last) {
			last = w.at[len(w.at)-1]
		}
	}
	return max(0, last.Add(Settling).Sub(k.Now()))
}
