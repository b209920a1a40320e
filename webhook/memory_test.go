package webhook

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
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
		c.Errorf("turned away: %s, want %s", got, want)
	}
}

func (c *crowd) answered(got answer) {
	c.Helper()
	if got.status != http.StatusOK || !strings.HasSuffix(got.body, `"result":{"status":"Success"}}}`) {
		c.Errorf("answered %d %.300s", got.status, got.body)
	}
}

const fullSentence = "the memory of this replica is in use by other requests; try again in a second"

// TestNoRoom: who finds no room is told to come again at once, and is answered then.
func TestNoRoom(t *testing.T) {
	play(t, 4, func(c *crowd) {
		// Each takes about 20 times its size.
		first := c.sends(starOf(150_000, "waits"))
		start := time.Now()
		refused := <-c.sends(starOf(150_000, ""))
		reply{refused.status, http.Header{"Content-Type": {"application/json"}}, refused.body}.refused(t, http.StatusServiceUnavailable, fullSentence)
		if refused.retryAfter != "1" || refused.close || time.Since(start) > 0 {
			t.Errorf("after %v: %+v, want another try on the same connection after a second", time.Since(start), refused)
		}
		c.answered(<-c.sends(star)) // there is room for this one
		c.goOn <- struct{}{}
		c.answered(<-first)
		c.answered(<-c.sends(starOf(150_000, "")))
		c.shed("full 1, slow 0")
	})
}

// TestNeverRoom: who can never be answered here is not told to come again.
func TestNeverRoom(t *testing.T) {
	for name, objects := range map[string][]string{
		"by its header": {starOf(2*megabyte, "")},
		"by its work":   {starOf(900_000, "")},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, 8, func(c *crowd) {
				got := <-c.sends(objects...)
				if want := "this request needs more memory than one of its size may use of the 8388608 bytes that Crosswalk has for all; give it more"; got.status != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, want) {
					t.Errorf("got %d %s, want %s", got.status, got.body, want)
				}
				c.shed("full 0, slow 0")
			})
		})
	}
}

// TestLargerReviewsWait until there is room for them, and are not turned away, while
// small ones pass.
func TestLargerReviewsWait(t *testing.T) {
	play(t, 32, func(c *crowd) {
		large := slices.Repeat([]string{starOf(10_000, "")}, 300) // 3 MB, and 13 with the answer and the parts
		first := c.sends(append(slices.Clone(large), starOf(10, "waits"))...)
		var others []<-chan answer
		for range 4 {
			others = append(others, c.sends(large...))
		}
		time.Sleep(5 * time.Second)
		c.answered(<-c.sends(star))
		for _, other := range others {
			if len(other) > 0 {
				t.Error("a larger review was answered while there was no turn")
			}
		}
		c.goOn <- struct{}{}
		c.answered(<-first)
		for _, other := range others {
			c.answered(<-other)
		}
		c.shed("full 0, slow 0")
	})
}

// TestTurns: larger reviews are converted one after the other where there are two
// processors, and small ones all at once.
func TestTurns(t *testing.T) {
	play(t, 0, func(c *crowd) {
		c.handler.turns = newTurns(2 - 1)
		large := slices.Repeat([]string{starOf(10_000, "")}, 150)
		large = append(large, starOf(10, "waits"))
		var all []<-chan answer
		for range 3 {
			all = append(all, c.sends(large...))
		}
		if n := c.converting.Load(); n != 1 {
			t.Errorf("%d larger reviews are converted at once, want 1", n)
		}
		// Who waits holds what the work needs already.
		if used, least := c.memory.budget.Used(), int64(3*3*len(review1(large...))); used < least {
			t.Errorf("%d bytes are held, want %d at least", used, least)
		}
		for range 3 {
			all = append(all, c.sends(starOf(10, "waits")))
		}
		if n := c.converting.Load(); n != 4 {
			t.Errorf("%d reviews are converted at once, want the 3 small ones, too", n)
		}
		for range all {
			c.goOn <- struct{}{}
			synctest.Wait()
		}
		for _, one := range all {
			c.answered(<-one)
		}
	})
}

// TestLargeReviewsLetOthersWork, though it takes less than the ten milliseconds after which
// a goroutine gives way by itself.
func TestLargeReviewsLetOthersWork(t *testing.T) {
	clock := time.Unix(0, 0)
	h := NewHandler(Options{Now: func() time.Time { return clock }, Tables: loaded(t, nil, func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
		clock = clock.Add(100 * time.Microsecond)
		return appendV1(dst, object, to, n)
	})})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for objects, want := range map[int]bool{10: false, 15: true} {
		var others atomic.Bool
		body := review1(slices.Repeat([]string{star}, objects)...)
		go others.Store(true)
		post(t, h, "/convert", body)
		if others.Load() != want {
			t.Errorf("%d objects: others have worked: %v, want %v", objects, others.Load(), want)
		}
		runtime.Gosched()
	}
}

// TestSlowClientsGiveWay: bodies whose end is held back and answers that nobody reads keep
// their room only as long as nobody else needs it.
func TestSlowClientsGiveWay(t *testing.T) {
	// A review of 4 MB, and of 13 with the parts in which it comes and the answer.
	large := slices.Repeat([]string{starOf(10_000, "")}, 400)
	t.Run("body", func(t *testing.T) {
		play(t, 24, func(c *crowd) {
			pinned := c.stops(1, large...)
			time.Sleep(20 * time.Second) // there is room for it
			c.answered(<-c.sends(star))
			c.shed("full 0, slow 0")
			c.answered(<-c.sends(large...))
			c.shed("full 0, slow 1")
			got, err := http.ReadResponse(bufio.NewReader(pinned), nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(got.Body)
			want := "the body came too slowly while other requests needed the memory that it held; try again in a second"
			if err != nil || got.StatusCode != http.StatusServiceUnavailable || !got.Close || got.Header.Get("Retry-After") != "1" || !strings.Contains(string(body), want) {
				t.Errorf("%v, %+v, %s", err, got, body)
			}
		})
	})
	t.Run("answer", func(t *testing.T) {
		play(t, 24, func(c *crowd) {
			unread := c.stops(0, large...)
			time.Sleep(20 * time.Second)
			if used := c.memory.budget.Used(); used < 4*megabyte || used > 6*megabyte {
				t.Errorf("%d bytes are held for an answer of 4 MB", used)
			}
			c.shed("full 0, slow 0")
			c.answered(<-c.sends(large...))
			c.shed("full 0, slow 1")
			if n, _ := io.Copy(io.Discard, unread); n > megabyte {
				t.Errorf("%d bytes of the answer came", n)
			}
		})
	})
}

// TestSendersThatAreQuickEnough are not cut off, however much others need the room.
func TestSendersThatAreQuickEnough(t *testing.T) {
	play(t, 40, func(c *crowd) {
		const missing = 3 * megabyte
		objects := slices.Repeat([]string{starOf(10_000, "")}, 500)
		conn := c.stops(missing, objects...)
		others := c.sends(slices.Repeat([]string{starOf(10_000, "")}, 725)...) // needs nearly all that there is
		body := review1(objects...)
		for rest := body[len(body)-missing:]; len(rest) > 0; {
			time.Sleep(600 * time.Millisecond)
			n := min(len(rest), megabyte)
			if _, err := io.WriteString(conn, rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%v, %+v", err, answer)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Error(err)
		}
		c.answered(<-others)
		c.shed("full 0, slow 0")
	})
}

// TestReadersThatAreQuickEnough get their answers to the end, however much others need the
// room, and free it as they read.
func TestReadersThatAreQuickEnough(t *testing.T) {
	for name, objects := range map[string][]string{
		"many objects":     slices.Repeat([]string{starOf(10_000, "")}, 400),
		"one large object": {starOf(4*megabyte, "")},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, 120, func(c *crowd) {
				conn := c.stops(0, objects...)
				others := c.sends(slices.Repeat([]string{starOf(10_000, "")}, 2640)...) // needs nearly all that there is
				reader := bufio.NewReader(conn)
				answer, err := http.ReadResponse(reader, nil)
				if err != nil {
					t.Fatal(err)
				}
				for read := int64(0); read < answer.ContentLength; {
					n, err := io.CopyN(io.Discard, answer.Body, min(megabyte, answer.ContentLength-read))
					if read += n; err != nil {
						t.Fatalf("the answer is cut off after %d bytes: %v", read, err)
					}
					time.Sleep(600 * time.Millisecond)
				}
				c.answered(<-others)
				c.shed("full 0, slow 0")
			})
		})
	}
	play(t, 0, func(c *crowd) {
		conn := c.stops(0, slices.Repeat([]string{starOf(10_000, "")}, 400)...)
		if _, err := io.CopyN(io.Discard, conn, 2*megabyte); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if used := c.memory.budget.Used(); used > 3*megabyte {
			t.Errorf("%d bytes are held when two of four megabytes have been read", used)
		}
	})
}

// TestAnswersThatSwell: an answer that is much longer than its review takes the room that
// it needs as it grows.
func TestAnswersThatSwell(t *testing.T) {
	swell := slices.Repeat([]string{starOf(10_000, "swells")}, 50) // half a megabyte becomes five
	play(t, 40, func(c *crowd) {
		got := <-c.sends(swell...)
		c.answered(got)
		if len(got.body) < 5_000_000 || strings.Count(got.body, `{"metadata":{},"spec":"`) != len(swell) {
			t.Errorf("an answer of %d bytes", len(got.body))
		}
	})
	play(t, 10, func(c *crowd) {
		waits := c.sends(starOf(280_000, "waits")) // takes six
		got := <-c.sends(swell...)
		if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, fullSentence) {
			t.Errorf("got %d %.300s", got.status, got.body)
		}
		c.goOn <- struct{}{}
		c.answered(<-waits)
		c.answered(<-c.sends(swell...))
	})
}

// TestAnswersInParts have the same bytes as in one.
func TestAnswersInParts(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	for _, sizes := range [][]int{
		{3 * megabyte}, {1, 3 * megabyte, 1}, {megabyte, megabyte}, {megabyte - 600, 10, 10},
		slices.Repeat([]int{10_000}, 500), slices.Repeat([]int{300_000, 1}, 10), slices.Repeat([]int{1}, 50_000),
	} {
		var objects, want []string
		for _, size := range sizes {
			object := starOf(size, "")
			objects, want = append(objects, object), append(want, strings.Replace(object, "v1beta1", "v1", 1))
		}
		got := post(t, h, "/convert", review1(objects...))
		if got.body != success(want...) || got.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
			t.Errorf("%d objects: another answer, of %d bytes, want %d, Content-Length %s",
				len(sizes), len(got.body), len(success(want...)), got.header.Get("Content-Length"))
		}
	}
}

// TestAdmissionHasAShare: what judges writes is turned away for want of memory, too.
func TestAdmissionHasAShare(t *testing.T) {
	memory := NewMemory(megabyte)
	h := asked(t, Options{Memory: memory}, says(validation.Verdict{}))
	if got := post(t, h, "/validate/stars", admissionOf(1000)); got.status != http.StatusOK {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	got := post(t, h, "/validate/stars", admissionOf(40_000))
	got.refused(t, http.StatusRequestEntityTooLarge,
		"this request needs more memory than one of its size may use of the 1048576 bytes that Crosswalk has for all; give it more")
	var other peer
	other.join(memory, httptest.NewRecorder())
	if err := other.hold(megabyte - 20_000); err != nil {
		t.Fatal(err)
	}
	got = post(t, h, "/validate/stars", admissionOf(10_000))
	got.refused(t, http.StatusServiceUnavailable, fullSentence)
	if got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
	}
	other.leave()
	// A patch that is longer than all that was to be expected.
	h = asked(t, Options{Memory: NewMemory(200_000)}, says(validation.Verdict{Object: json.RawMessage(`{"spec":"` + strings.Repeat("x", 200_000) + `"}`)}))
	got = post(t, h, "/mutate/stars", admissionUpdate)
	got.refused(t, http.StatusRequestEntityTooLarge,
		"this request needs more memory than one of its size may use of the 200000 bytes that Crosswalk has for all; give it more")
	if used := memory.budget.Used(); used != 0 {
		t.Errorf("%d bytes are held in the end", used)
	}
}

// TestElementSize holds what is counted for each object of a review.
func TestElementSize(t *testing.T) {
	if size := reflect.TypeFor[element]().Size(); size != elementSize {
		t.Errorf("an element takes %d bytes, and %d are counted", size, elementSize)
	}
}

// TestMemoryMetrics tells how much there is, and how much of it is used.
func TestMemoryMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	memory := NewMemory(1000)
	NewMetrics(registry).WatchMemory(memory)
	var p peer
	p.join(memory, httptest.NewRecorder())
	if err := p.hold(300); err != nil {
		t.Fatal(err)
	}
	want := `# HELP crosswalk_memory_limit_bytes Memory that requests may hold together; 0 is without a limit.
# TYPE crosswalk_memory_limit_bytes gauge
crosswalk_memory_limit_bytes 1000
# HELP crosswalk_memory_used_bytes Memory that requests hold: their bodies, the work on them, and answers that are not read yet.
# TYPE crosswalk_memory_used_bytes gauge
crosswalk_memory_used_bytes 300
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "crosswalk_memory_limit_bytes", "crosswalk_memory_used_bytes"); err != nil {
		t.Error(err)
	}
}
