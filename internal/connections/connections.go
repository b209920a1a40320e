// Package connections limits how many connections a program keeps open for its clients.
//
// A connection takes about 32 KiB of a server's memory even if it is idle, and any client that
// reaches a port can open one after the other. If there are too many, the least important ones
// are closed: of the host with the most connections, those that have been silent the longest. A
// host with few connections keeps them, whatever others do.
package connections

import (
	"cmp"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Most is how many connections a role of Crosswalk keeps: more than all API servers of a large
// cluster have requests, and at most 128 MiB of memory.
const Most = 4096

// Limit is how many connections all of its listeners keep open together.
type Limit struct {
	most int
	shed func(host string, connections int)

	mu    sync.Mutex
	open  int
	hosts map[string]map[*connection]struct{} // each has at least one
}

// NewLimit returns a limit without listeners. If one connection more than most is accepted, an
// eighth of the connections of the host with the most of them is closed, but at least one, and
// shed is called with their number. Listeners call shed from Accept.
func NewLimit(most int, shed func(host string, connections int)) *Limit {
	return &Limit{most: most, shed: shed, hosts: map[string]map[*connection]struct{}{}}
}

// Listener returns a listener whose connections are counted for the limit.
func (l *Limit) Listener(listener net.Listener) net.Listener {
	return &limited{Listener: listener, limit: l}
}

type limited struct {
	net.Listener
	limit *Limit
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: accepted, host: host(accepted.RemoteAddr()), of: l.limit}
	c.moved()
	if silent := l.limit.add(c); len(silent) > 0 {
		l.limit.shed(silent[0].host, len(silent))
		for _, s := range silent {
			_ = s.Close() // its error does not matter any more
		}
	}
	return c, nil
}

// host returns the address of a client without its port.
func host(address net.Addr) string {
	text := address.String()
	if host, _, err := net.SplitHostPort(text); err == nil {
		return host
	}
	return text
}

// add returns the connections to close now.
func (l *Limit) add(c *connection) []*connection {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hosts[c.host] == nil {
		l.hosts[c.host] = map[*connection]struct{}{}
	}
	l.hosts[c.host][c] = struct{}{}
	if l.open++; l.open <= l.most {
		return nil
	}
	return l.silent()
}

// silent returns connections of the host with the most of them: those that have been silent the
// longest. Closing an eighth at once makes the search cheap, however fast a client opens
// others.
func (l *Limit) silent() []*connection {
	var candidates []*connection
	for _, of := range l.hosts {
		if len(of) < len(candidates) {
			continue
		}
		these := slices.SortedFunc(maps.Keys(of), longerSilent)
		if len(these) > len(candidates) || longerSilent(these[0], candidates[0]) < 0 {
			candidates = these
		}
	}
	return candidates[:(len(candidates)+7)/8]
}

func longerSilent(a, b *connection) int { return cmp.Compare(a.last.Load(), b.last.Load()) }

func (l *Limit) remove(c *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.hosts[c.host]
	if _, open := of[c]; !open {
		return // closed earlier
	}
	delete(of, c)
	l.open--
	if len(of) == 0 {
		delete(l.hosts, c.host)
	}
}

// connection records when data last moved on it.
type connection struct {
	net.Conn
	host string
	of   *Limit
	last atomic.Int64 // nanoseconds since begin
}

var begin = time.Now()

func (c *connection) moved() { c.last.Store(int64(time.Since(begin))) }

func (c *connection) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.moved()
	}
	return n, err
}

func (c *connection) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if n > 0 {
		c.moved()
	}
	return n, err
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.of.remove(c)
	return c.Conn.Close()
}
