package harness

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"sync"
	"time"
)

// member is a replica behind a balancer.
type member struct {
	port  int
	ready func(context.Context) error
}

// balancer plays kube-proxy for the Service: it leads new connections to the
// members that were ready a while ago, in turn, and leaves open ones alone. A
// connection to a member that is gone is broken off, not tried elsewhere; while
// there is no member, all are refused.
type balancer struct {
	port    int
	lag     time.Duration
	members []member

	mu       sync.Mutex
	routed   []int // the ports of the members that get connections
	change   int   // the last that arrived, counted from 1
	next     int
	listener net.Listener // nil while there is no member
	failure  error        // to listen
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// startBalancer follows the members' readiness. A change of it reaches the
// balancer after lag, as a change of endpoints reaches nodes.
func startBalancer(port int, lag time.Duration, members []member) *balancer {
	ctx, stop := context.WithCancel(context.Background())
	b := &balancer{port: port, lag: lag, members: members, stop: stop}
	b.running.Go(func() { b.follow(ctx) })
	return b
}

// askEvery is the time between two questions to a process that tells nobody.
const askEvery = 40 * time.Millisecond

func (b *balancer) follow(ctx context.Context) {
	var last []int
	for change := 1; ; {
		var ready []int
		for _, m := range b.members {
			if m.ready(ctx) == nil {
				ready = append(ready, m.port)
			}
		}
		if !slices.Equal(ready, last) {
			last = ready
			// The next change may come before this one has arrived.
			arriving := change
			b.running.Go(func() {
				if sleep(ctx, b.lag) {
					b.route(arriving, ready)
				}
			})
			change++
		}
		if !sleep(ctx, askEvery) {
			return
		}
	}
}

// sleep reports whether it slept to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// route makes ports the members that get connections.
func (b *balancer) route(change int, ports []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if change < b.change {
		return // a later one was faster
	}
	b.change, b.routed = change, ports
	switch {
	case len(ports) == 0 && b.listener != nil:
		b.listener.Close()
		b.listener = nil
	case len(ports) > 0 && b.listener == nil:
		listener, err := net.Listen("tcp", loopback(b.port))
		if b.failure = err; err != nil {
			return
		}
		b.listener = listener
		b.running.Go(func() { b.accept(listener) })
	}
}

// waitRouted waits until n members get connections.
func (b *balancer) waitRouted(ctx context.Context, n int) error {
	for {
		b.mu.Lock()
		routed, failure := len(b.routed), b.failure
		b.mu.Unlock()
		switch {
		case failure != nil:
			return fmt.Errorf("balancer: %w", failure)
		case routed == n:
			return nil
		case !sleep(ctx, askEvery):
			return fmt.Errorf("balancer: %d of %d replicas get connections: %w", routed, n, ctx.Err())
		}
	}
}

func (b *balancer) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		b.running.Go(func() { b.join(client) })
	}
}

// join copies both ways until the member has closed its end.
func (b *balancer) join(client net.Conn) {
	defer client.Close()
	member, err := net.Dial("tcp", loopback(b.pick()))
	if err != nil {
		return
	}
	defer member.Close()
	b.running.Go(func() {
		// However it ends, there is nobody to tell but the member.
		_, _ = io.Copy(member, client)
		_ = member.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(client, member)
}

func (b *balancer) pick() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.routed) == 0 {
		return b.port // where nobody listens now
	}
	b.next++
	return b.routed[b.next%len(b.routed)]
}

// close ends the balancer. Connections end with their members.
func (b *balancer) close() {
	b.stop()
	b.route(math.MaxInt, nil)
	b.running.Wait()
}
