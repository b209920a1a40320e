package harness

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// fakeReplica answers every line with its name, as long as a connection is open.
type fakeReplica struct {
	name  string
	ready atomic.Bool
	port  int
}

func newFakeReplica(t *testing.T, name string) *fakeReplica {
	listener, err := net.Listen("tcp", loopback(0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	f := &fakeReplica{name: name, port: listener.Addr().(*net.TCPAddr).Port}
	f.ready.Store(true)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for b := make([]byte, 1); ; {
					if _, err := c.Read(b); err != nil {
						return
					}
					if _, err := io.WriteString(c, name); err != nil {
						return
					}
				}
			}()
		}
	}()
	return f
}

func (f *fakeReplica) member() member {
	return member{f.port, func(context.Context) error {
		if !f.ready.Load() {
			return errors.New("not ready")
		}
		return nil
	}}
}

func dialFor(t *testing.T, port int) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", loopback(port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ask returns the name of who is at the other end.
func ask(t *testing.T, c net.Conn) string {
	t.Helper()
	name := make([]byte, 1)
	if _, err := c.Write([]byte("?")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, name); err != nil {
		t.Fatal(err)
	}
	return string(name)
}

func TestBalancer(t *testing.T) {
	a, b := newFakeReplica(t, "a"), newFakeReplica(t, "b")
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	balancer := startBalancer(port, 0, []member{a.member(), b.member()})
	t.Cleanup(balancer.close)
	routed := func(n int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := balancer.waitRouted(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	routed(2)
	one, two := dialFor(t, port), dialFor(t, port)
	if first, second := ask(t, one), ask(t, two); first == second {
		t.Errorf("both connections lead to %s", first)
	}

	b.ready.Store(false)
	routed(1)
	for range 3 {
		if got := ask(t, dialFor(t, port)); got != "a" {
			t.Errorf("a new connection leads to %s, which is not ready", got)
		}
	}
	if ask(t, one) == ask(t, two) {
		t.Error("an open connection has moved")
	}

	a.ready.Store(false)
	routed(0)
	if c, err := net.Dial("tcp", loopback(port)); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("without replicas: %v, %v", c, err)
	}
	b.ready.Store(true)
	routed(1)
	if got := ask(t, dialFor(t, port)); got != "b" {
		t.Errorf("a new connection leads to %s", got)
	}
	one.Close()
	two.Close()
}

// TestBalancerLag never hears of a change that takes an hour.
func TestBalancerLag(t *testing.T) {
	port, err := FreePort()
	if err != nil {
		t.Fatal(err)
	}
	balancer := startBalancer(port, time.Hour, []member{newFakeReplica(t, "a").member()})
	t.Cleanup(balancer.close)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := balancer.waitRouted(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
