package webhook

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

const megabyte = 1 << 20

// crowd is a server with little memory, and those who ask it.
type crowd struct {
	*testing.T
	*running
	memory  *Memory
	metrics *Metrics
	handler *handler
	// converting are the reviews that are being converted now; each waits for a word
	// from go on.
	converting atomic.Int32
	goOn       chan struct{}
	// stopping are the connections of those who stop.
	stopping []*tls.Conn
}

// play plays f in virtual time with a server that has so many megabytes.
func play(t *testing.T, megabytes int64, f func(*crowd)) {
	synctest.Test(t, func(t *testing.T) {
		c := &crowd{T: t, memory: NewMemory(megabytes * megabyte), metrics: NewMetrics(prometheus.NewRegistry()), goOn: make(chan struct{})}
		tables := loaded(t, c.metrics, func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
			if bytes.Contains(object, []byte("waits")) {
				c.converting.Add(1)
				<-c.goOn
				c.converting.Add(-1)
			}
			if bytes.Contains(object, []byte("swells")) {
				dst = append(dst, `{"metadata":{},"spec":"`...)
				return append(append(dst, strings.Repeat("x", 10*len(object))...), `"}`...), nil
			}
			return rename(dst, object, to, n)
		})
		c.handler = newHandler(Options{Tables: tables, Memory: c.memory, Metrics: c.metrics})
		c.running = start(t, c.handler.routes(), 0, 0)
		f(c)
		for _, conn := range c.stopping {
			_ = conn.NetConn().Close() // a pipe does not take what TLS would say in the end
		}
		c.stop()
		if err := <-c.stopped; err != nil {
			t.Error(err)
		}
		if used := c.memory.budget.Used(); used != 0 {
			t.Errorf("%d bytes are held in the end", used)
		}
		if n := testutil.ToFloat64(c.metrics.panics); n > 0 {
			t.Errorf("%v panics", n)
		}
	})
}

// starOf is an object of about so many bytes, that does what it says.
func starOf(size int, does string) string {
	return strings.Replace(star, `"mass":1`, `"mass":"`+does+strings.Repeat("x", size)+`"`, 1)
}

// sends sends a review, and returns its answer once there is one.
func (c *crowd) sends(objects ...string) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		got, err := ask(c.webhook, http.MethodPost, "https://host/convert", review1(objects...))
		if err != nil {
			c.Error(err)
		}
		done <- got
	}()
	synctest.Wait()
	return done
}

// stops sends a review but for its last bytes, and neither sends nor reads anything
// after that. It returns the connection.
func (c *crowd) stops(missing int, objects ...string) *tls.Conn {
	conn, err := c.dial()
	if err != nil {
		c.Fatal(err)
	}
	c.stopping = append(c.stopping, conn)
	go func() {
		body := review1(objects...)
		_, err := fmt.Fprintf(conn, "POST /convert HTTP/1.1\r\nHost: host\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			len(body), body[:len(body)-missing])
		if err != nil {
			c.Error(err)
		}
	}()
	synctest.Wait()
	return conn
}

func (c *crowd) shed(want string) {
	c.Helper()
	got := fmt.Sprintf("full %v, slow %v", testutil.ToFloat64(c.metrics.shed.WithLabelValues("full")), testutil.ToFloat64(c.metrics.shed.WithLabelValues("slow")))
	if got != want {
		c.Errorf("refused: %s, want %s", got, want)
	}
}

func (c *crowd) answered(got answer) {
	c.Helper()
	if got.status != http.StatusOK || !strings.HasSuffix(got.body, `"result":{"status":"Success"}}}`) {
		c.Errorf("answered %d %.300s", got.status, got.body)
	}
}
