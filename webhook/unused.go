package webhook

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// unusedTimeout is how long a server that is shutting down keeps unused connections open. After
// that, net/http's Shutdown closes them at once, because it compares whole seconds.
const unusedTimeout = 6 * time.Second

// unused holds the connections that have not sent a request yet. A client that needs many
// connections at once opens some that it uses only later, so its first request may arrive while
// the server shuts down. Shutdown would wait for these connections too, but close one without
// an answer when the request arrives.
type unused struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// note is the ConnState hook of a server.
func (u *unused) note(conn net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if state != http.StateNew {
		delete(u.conns, conn)
		return
	}
	if u.conns == nil {
		u.conns = map[net.Conn]struct{}{}
	}
	u.conns[conn] = struct{}{}
}

// wait waits until there are no unused connections, until they are as old as unusedTimeout, or
// until ctx is done. No new connections may be accepted.
func (u *unused) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, unusedTimeout)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for u.some() {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

func (u *unused) some() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.conns) > 0
}
