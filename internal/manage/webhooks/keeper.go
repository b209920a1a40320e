package webhooks

import (
	"context"
	"log/slog"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// FieldManager owns what a keeper writes.
const FieldManager = "crosswalk-registration"

const (
	// Immediately is when to look again after somebody else was faster.
	Immediately = 20 * time.Millisecond
	// What is waited for happens in other processes, which tell nobody: it is
	// looked at again after FirstWait, and after twice as long each time until
	// that is LongestWait.
	FirstWait   = 100 * time.Millisecond
	LongestWait = 5 * time.Second
	// Settling is how long an API server is given to hear of a change that it has
	// accepted, before anybody relies on it.
	Settling = time.Second
)

// Keeper writes configurations. It is not safe for concurrent use.
type Keeper struct {
	// Serve is who shall be asked about writes.
	Serve *reach.Serve
	// Writer writes, and has a cache of the configurations' heads, their metadata.
	Writer client.Client
	// Logger gets every change that is made.
	Logger *slog.Logger
	// Now is the clock.
	Now func() time.Time

	written map[string]written // by configuration
	read    map[string]last    // by kind and configuration
	waited  time.Duration      // before this pass
}

// Reached reports whether everything is as it should be.
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

// Ask puts to serve the questions of each side, and gives the bundle that each should
// hold: none where nobody would be believed by it yet. Where there is no bundle at
// all, that is what every question is refused with.
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

// Pace says when to look again: never, where there is nothing to wait for.
func (k *Keeper) Pace(waiting bool) time.Duration {
	if !waiting {
		k.waited = 0
		return 0
	}
	k.waited = min(max(2*k.waited, FirstWait), LongestWait)
	return k.waited
}

// Hurry has Pace begin anew, because something else is waited for now.
func (k *Keeper) Hurry() { k.waited = 0 }

// Settling is how long an API server is still given to hear of the last write of any
// of the configurations.
func (k *Keeper) Settling(names ...string) time.Duration {
	var last time.Time
	for _, name := range names {
		if w, ok := k.written[name]; ok && w.at[len(w.at)-1].After(last) {
			last = w.at[len(w.at)-1]
		}
	}
	return max(0, last.Add(Settling).Sub(k.Now()))
}
