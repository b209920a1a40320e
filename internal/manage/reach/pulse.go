package reach

import (
	"context"
	"net/http"
	"time"
)

// How often serve is asked whether it answers, and how long an answer may take. What no longer
// answers is known after at most pulseEvery + pulseTime + pulseSoon + pulseTime, in less than
// ten seconds.
const (
	pulseEvery = 2 * time.Second
	pulseTime  = 3 * time.Second
	// After a failure it is asked again after pulseSoon, and then after twice as long each
	// time, up to pulseOften.
	pulseSoon  = 100 * time.Millisecond
	pulseOften = time.Second
)

// Obstacle returns what keeps serve from answering any request, or nil. It is as old as the
// last round of [Serve.Follow].
func (s *Serve) Obstacle() *Obstacle { return s.pulse.Obstacle() }

// Changed returns a channel that is closed when the result of [Serve.Obstacle] has changed.
func (s *Serve) Changed() <-chan struct{} { return s.pulse.Changed() }

// Probe sends a small request to the server at an address, HOST:PORT, with a client that trusts
// it. It returns an error if there is no good answer.
type Probe func(ctx context.Context, client *http.Client, address string) error

// Follow sends a probe to every ready replica and to the Service regularly, each time through
// new connections, until ctx ends. All tables and policies share the result, so a server that
// hangs is noticed soon, and is waited for only once.
func (s *Serve) Follow(ctx context.Context, probe Probe) error {
	var failing time.Duration // how long the last round waited for the next, if it failed
	for {
		bundle := s.Certs.Changed()
		obstacle, err := s.round(ctx, probe)
		wait := pulseEvery
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// The API server does not answer, so nothing could be reported either.
		case obstacle == nil:
			failing = 0
			s.pulse.Set(nil)
		default:
			// A single failure is over before anybody can read about it.
			if failing > 0 {
				s.pulse.Set(obstacle)
			}
			failing = min(max(2*failing, pulseSoon), pulseOften)
			wait = failing
		}
		select {
		case <-time.After(wait):
		case <-bundle:
		case <-ctx.Done():
			return nil
		}
	}
}

// round asks once.
func (s *Serve) round(ctx context.Context, probe Probe) (*Obstacle, error) {
	bundle, obstacle := s.Bundle(ctx)
	if obstacle != nil {
		return obstacle, nil
	}
	client := s.Client(bundle)
	client.Timeout = pulseTime
	defer client.CloseIdleConnections()
	return s.askEverybody(ctx, func(ctx context.Context, address string) error { return probe(ctx, client, address) })
}
