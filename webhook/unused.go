package webhook

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// unusedTimeout is how long an ending server keeps connections that are unused. It is long
// enough that net/http's Shutdown, which counts whole seconds, then closes them at once.
const unusedTimeout = 6 * time.Second

// unused are the connections on which no request has come yet. A client that needs many at
// once opens some that it does not use before later, and its first request on one may come
// while the server ends. Shutdown would wait for these connections too, but close one
// without an answer when the request comes.
type unused struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// note is the ConnState of a server.
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

// wait waits until there are none, until they have had unusedTimeout, or until ctx is done.
// No new ones may come.
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
