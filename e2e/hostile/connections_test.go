package hostile

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// What somebody opens from another address than the API server's, and what is kept of it: all
// that a replica keeps but the API server's own, less the eighth that is closed in advance.
const (
	openedByOthers = 4_700
	keptAtMost     = 4_096
	keptAtLeast    = keptAtMost - keptAtMost/8 - 1
	connectionsKB  = 400 << 10
)

// TestConnections opens more connections than a replica keeps, and says nothing on them. The
// API server keeps its own meanwhile, and gets every answer.
func TestConnections(t *testing.T) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	crosswalk, client := start(t, harness.CrosswalkOptions{
		Program: programs.Crosswalk, Config: []string{filepath.Join(programs.Root, "examples", "crontab")},
	})
	s := &scene{TB: t, crosswalk: crosswalk, client: client}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var answered, connected int
	var api sync.WaitGroup
	api.Go(func() {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
			if !info.Reused {
				connected++
			}
		}})
		for pace := time.NewTicker(10 * time.Millisecond); ctx.Err() == nil; <-pace.C {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url(), strings.NewReader(request(cron)))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := client.Do(r)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				t.Error(err)
				return
			case answer.StatusCode != http.StatusOK:
				t.Error(answer.Status)
			}
			_, _ = io.Copy(io.Discard, answer.Body) // so that the connection is used again
			_ = answer.Body.Close()
			answered++
		}
	})
	others := s.openMany("127.0.0.9", openedByOthers)
	cancel()
	api.Wait()
	kept := 0
	for _, c := range others {
		_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := c.Read([]byte{0}); errors.Is(err, os.ErrDeadlineExceeded) {
			kept++
		}
		_ = c.Close()
	}
	t.Logf("%d of %d are kept, %d MiB; %d answers on %d connections meanwhile", kept, len(others), s.memory("VmHWM")>>10, answered, connected)
	if kept < keptAtLeast || kept > keptAtMost || len(others) < openedByOthers {
		t.Errorf("%d of %d are kept, want %d to %d", kept, len(others), keptAtLeast, keptAtMost)
	}
	if connected != 1 || answered < 10 {
		t.Errorf("the API server had %d answers on %d connections", answered, connected)
	}
	if got := s.memory("VmHWM"); got > connectionsKB {
		t.Errorf("%d MiB of memory", got>>10)
	}
}

// openMany opens connections from an address of this machine. Each has been answered once, since
// one that has not is closed after some seconds.
func (s *scene) openMany(from string, n int) []*tls.Conn {
	config := s.client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.RootCAs, config.InsecureSkipVerify = x509.NewCertPool(), true // half the work
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 10 * time.Second}
	var mu sync.Mutex
	var all []*tls.Conn
	var opening sync.WaitGroup
	for range 4 {
		opening.Go(func() {
			for {
				mu.Lock()
				enough := len(all) >= n
				mu.Unlock()
				if enough {
					return
				}
				c, err := tls.DialWithDialer(dialer, "tcp", fmt.Sprintf("127.0.0.1:%d", s.crosswalk.Port), config)
				if err == nil {
					err = ask(c)
				}
				if err != nil {
					s.Error(err)
					return
				}
				mu.Lock()
				all = append(all, c)
				mu.Unlock()
			}
		})
	}
	opening.Wait()
	return all
}

// ask asks for what is not there.
func ask(c *tls.Conn) error {
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n")); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
