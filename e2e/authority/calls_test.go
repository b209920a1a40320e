package authority

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"sync"
	"time"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// callEvery leaves some of the machine to those who are called.
const callEvery = 5 * time.Millisecond

// callAllTheTime has a client with the object's bundle call until stopped. No
// call may fail.
func (s *scene) callAllTheTime() (stop func()) {
	s.t.Helper()
	address := s.listen()
	ctx, cancel := context.WithCancel(context.Background())
	var calling sync.WaitGroup
	calls := 0
	calling.Go(func() {
		ticker := time.NewTicker(callEvery)
		defer ticker.Stop()
		for ; ctx.Err() == nil; <-ticker.C {
			if err := s.call(address); err != nil {
				s.t.Errorf("call %d: %v", calls, err)
				return
			}
			calls++
		}
	})
	return sync.OnceFunc(func() {
		cancel()
		calling.Wait()
		if calls < 100 {
			s.t.Errorf("%d calls only", calls)
		}
	})
}

// call shakes hands as the API server does: it trusts the object's bundle and
// asks for the Service's name.
func (s *scene) call(address string) error {
	s.mu.Lock()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.held)
	s.mu.Unlock()
	c, err := tls.Dial("tcp", address, &tls.Config{RootCAs: roots, ServerName: serverName})
	if err != nil {
		return err
	}
	return c.Close()
}

// listen serves with the source's pair, whatever it is.
func (s *scene) listen() (address string) {
	s.t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{GetCertificate: certs.GetCertificate(s.source)})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func(c net.Conn) {
				defer c.Close()
				_ = c.(*tls.Conn).Handshake() // the client tells
			}(c)
		}
	}()
	return listener.Addr().String()
}
