// Package connections limits how many connections a program keeps open for its clients.
//
// A connection costs a server some 32 KiB although it carries nothing, and whoever reaches a
// port can open one after the other. So where there are too many, those go that matter least:
// of the host that has the most, those that have been silent the longest. A host that has few
// keeps them, whatever others do.
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
// cluster have requests in flight, and 128 MiB at most.
const Most = 4096

// Limit is how many connections all of its listeners keep open together.
type Limit struct {
	most int
	shed func(host string, connections int)

	mu    sync.Mutex
	open  int
	hosts map[string]map[*connection]struct{} // each has at least one
}

// NewLimit returns a limit without listeners. Where one more connection than most is accepted,
// an eighth of those of the host that has the most of them is closed, at least one, and shed is
// told how many. Listeners call shed from Accept.
func NewLimit(most int, shed func(host string, connections int)) *Limit {
	return &Limit{most: most, shed: shed, hosts: map[string]map[*connection]struct{}{}}
}

// Listener returns a listener whose connections are of the limit.
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
			_ = s.Close() // what is wrong with it does not matter any more
		}
	}
	return c, nil
}

// host is the address of a client without its port.
func host(address net.Addr) string {
	text := address.String()
	if host, _, err := net.SplitHostPort(text); err == nil {
		return host
	}
	return text
}

// add returns what is to be closed now.
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

// silent returns connections of the host that has the most, those that have been silent the
// longest. To close an eighth at once makes it cheap to look for them, however fast somebody
// opens others.
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
		return // closed before
	}
	delete(of, c)
	l.open--
	if len(of) == 0 {
		delete(l.hosts, c.host)
	}
}

// connection remembers when something moved on it.
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
