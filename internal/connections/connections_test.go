package connections

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose clients come from where they say.
type pipes struct{ accept chan net.Conn }

func (p *pipes) Accept() (net.Conn, error) {
	c, open := <-p.accept
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p *pipes) Close() error   { close(p.accept); return nil }
func (p *pipes) Addr() net.Addr { return address("server") }

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

type from struct {
	net.Conn
	address
}

func (f from) RemoteAddr() net.Addr { return f.address }

// echo is a server that answers each byte with itself, and its clients.
type echo struct {
	*testing.T
	pipes *pipes
	ports int
	shed  map[string]int
	limit *Limit
}

func start(t *testing.T, most int) *echo {
	e := &echo{T: t, pipes: &pipes{make(chan net.Conn)}, shed: map[string]int{}}
	e.limit = NewLimit(most, func(host string, n int) { e.shed[host] += n })
	l := e.limit.Listener(e.pipes)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c); _ = c.Close(); _ = c.Close() }() // as net/http may, twice
		}
	}()
	t.Cleanup(func() { _ = l.Close(); synctest.Wait() })
	return e
}

// open connects from a host. Time passes, so that no two are equally old.
func (e *echo) open(host string) net.Conn {
	client, server := net.Pipe()
	e.ports++
	e.pipes.accept <- from{server, address(net.JoinHostPort(host, fmt.Sprint(e.ports)))}
	e.Cleanup(func() { _ = client.Close() })
	synctest.Wait()
	time.Sleep(time.Millisecond)
	return client
}

func (e *echo) openMany(host string, n int) []net.Conn {
	var all []net.Conn
	for range n {
		all = append(all, e.open(host))
	}
	return all
}

// answers reports whether the server answers on a connection.
func (e *echo) answers(c net.Conn) bool {
	e.Helper()
	answer := []byte{0}
	if _, err := c.Write([]byte{'a'}); err == nil {
		_, err = io.ReadFull(c, answer)
		return err == nil
	} else if !errors.Is(err, io.ErrClosedPipe) {
		e.Fatal(err)
	}
	return false
}

// alive is how many of the connections are open.
func (e *echo) alive(all []net.Conn) (n int) {
	e.Helper()
	for _, c := range all {
		if e.answers(c) {
			n++
		}
	}
	return n
}

// Whoever has few connections keeps them, whatever another host does.
func TestFewAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, 100)
		few := e.openMany("10.0.0.1", 10)
		many := e.openMany("fd00::1", 1000)
		if n := e.alive(few); n != 10 {
			t.Errorf("%d of 10 are left", n)
		}
		// 90 fit. Each time one more comes, 12 go.
		if n := e.alive(many); n < 79 || n > 90 {
			t.Errorf("%d of 1000 are left", n)
		}
		if e.shed["10.0.0.1"] != 0 || e.shed["fd00::1"] < 910 || e.shed["fd00::1"] > 921 {
			t.Errorf("closed: %v", e.shed)
		}
	})
}

// Of one host, what moves is kept before what is silent, and the new one before all.
func TestSilentOnesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, 16)
		all := e.openMany("10.0.0.1", 16)
		if !e.answers(all[0]) {
			t.Error("it does not answer")
		}
		time.Sleep(time.Millisecond)
		last := e.open("10.0.0.1")
		for i, c := range append(all, last) {
			if got, want := e.answers(c), i != 1 && i != 2 && i != 3; got != want {
				t.Errorf("%d is open: %v, want %v", i, got, want)
			}
		}
	})
}

// Of hosts that have as many, the one that has been silent the longest loses one.
func TestOneEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, 20)
		var all []net.Conn
		for i := range 30 {
			all = append(all, e.open(fmt.Sprintf("10.0.0.%d", i)))
			if !e.answers(all[0]) {
				t.Fatalf("the busy one is closed for the %dth", i)
			}
		}
		for i, c := range all {
			if got, want := e.answers(c), i == 0 || i > 10; got != want {
				t.Errorf("%d is open: %v, want %v", i, got, want)
			}
		}
	})
}

// What several listeners have open counts together.
func TestListenersShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, 10)
		other := e.limit.Listener(&pipes{make(chan net.Conn, 100)})
		for range 30 {
			client, server := net.Pipe()
			t.Cleanup(func() { _ = client.Close() })
			other.(*limited).Listener.(*pipes).accept <- from{server, "10.0.0.2:1"}
			if _, err := other.Accept(); err != nil {
				t.Fatal(err)
			}
		}
		if few := e.openMany("10.0.0.1", 3); e.alive(few) != 3 || e.limit.open > 10 {
			t.Errorf("%d of 3 are left, and %d are open", e.alive(few), e.limit.open)
		}
	})
}

// What clients close makes room, and nothing is remembered of it.
func TestClosedMakeRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := start(t, 10)
		for i := range 100 {
			for _, c := range e.openMany(fmt.Sprintf("10.0.0.%d", i), 10) {
				_ = c.Close()
			}
			synctest.Wait()
		}
		if len(e.shed) > 0 || e.limit.open != 0 || len(e.limit.hosts) != 0 {
			t.Errorf("closed %v, open %d of %d hosts", e.shed, e.limit.open, len(e.limit.hosts))
		}
	})
}

// Many come and go at once, over TCP.
func TestManyAtOnce(t *testing.T) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limit := NewLimit(20, func(string, int) {})
	l := limit.Listener(tcp)
	var serving, clients sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { _, _ = io.Copy(c, c); _ = c.Close() })
		}
	})
	for range 50 {
		clients.Go(func() {
			for range 20 {
				c, err := net.Dial("tcp", tcp.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = c.Write([]byte("a"))
				_, _ = c.Read([]byte{0})
				_ = c.Close()
			}
		})
	}
	clients.Wait()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	serving.Wait()
	if limit.open != 0 || len(limit.hosts) != 0 {
		t.Errorf("open %d of %d hosts", limit.open, len(limit.hosts))
	}
}
