package webhook

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/webhook/internal/memory"
)

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
				if want := "this request needs more memory than a request of its size may use of the 8388608 bytes that Crosswalk has for all requests; increase Crosswalk's memory limit"; got.status != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, want) {
					t.Errorf("got %d %s, want %s", got.status, got.body, want)
				}
				c.shed("full 0, slow 0")
			})
		})
	}
}

// TestLargerReviewsWait until there is room for them, and are not refused, while
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

// TestAdmissionHasAShare: reviews of writes are refused for want of memory, too.
func TestAdmissionHasAShare(t *testing.T) {
	memory := NewMemory(megabyte)
	h := asked(t, Options{Memory: memory}, says(validation.Verdict{}))
	if got := post(t, h, "/validate/stars", admissionOf(1000)); got.status != http.StatusOK {
		t.Errorf("answered %d %s", got.status, got.body)
	}
	got := post(t, h, "/validate/stars", admissionOf(40_000))
	got.refused(t, http.StatusRequestEntityTooLarge,
		"this request needs more memory than a request of its size may use of the 1048576 bytes that Crosswalk has for all requests; increase Crosswalk's memory limit")
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
		"this request needs more memory than a request of its size may use of the 200000 bytes that Crosswalk has for all requests; increase Crosswalk's memory limit")
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

// TestHold: work beside the webhook's finds room, or is told when to come again, or that it
// never will; larger work leaves the last quarter alone.
func TestHold(t *testing.T) {
	m := NewMemory(16 << 20)
	release, err := m.Hold(10 << 20)
	if err != nil {
		t.Fatal(err)
	}
	small, err := m.Hold(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	small()
	for n, want := range map[int64]metav1.Status{
		4 << 20:  {Code: http.StatusServiceUnavailable, Message: fullSentence, Details: &metav1.StatusDetails{RetryAfterSeconds: 1}},
		13 << 20: {Code: http.StatusRequestEntityTooLarge},
	} {
		_, err := m.Hold(n)
		refused, ok := err.(apierrors.APIStatus)
		if !ok {
			t.Fatalf("%d bytes: got %v", n, err)
		}
		got := refused.Status()
		if got.Code != want.Code || want.Message != "" && got.Message != want.Message || !reflect.DeepEqual(got.Details, want.Details) {
			t.Errorf("%d bytes: got %+v", n, got)
		}
	}
	release()
	if release, err = m.Hold(12 << 20); err != nil {
		t.Fatal(err)
	}
	release()
	if used := m.budget.Used(); used != 0 {
		t.Errorf("%d bytes are held by nobody", used)
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
	want := `# HELP crosswalk_memory_limit_bytes Memory that requests may hold together; 0 means no limit.
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

// TestNeedOfALargeReview: docs/operations.md says how much it takes to answer one of 100 MB.
func TestNeedOfALargeReview(t *testing.T) {
	h := &handler{front: newFront(Options{}.withDefaults())}
	need := int64(h.need(100_000_000))
	for limit, enough := range map[int64]bool{433 * megabyte: false, 434 * megabyte: true} {
		var p peer
		p.join(NewMemory(limit), httptest.NewRecorder())
		if err := p.share.Wait(t.Context(), need); (err == nil) != enough {
			t.Errorf("with %d bytes: %v", limit, err)
		}
		p.leave()
	}
}

// TestProcessMemory leaves out what is alive beside the requests.
func TestProcessMemory(t *testing.T) {
	const whole, table = 1 << 30, 100 << 20
	limit := func() int64 {
		for range 3 { // one to find what is alive, and two to empty what other tests have pooled
			runtime.GC()
		}
		m := NewProcessMemory(whole)
		m.budget.Look()
		return m.budget.Limit()
	}
	one := make([]byte, table)
	beside := limit()
	another := make([]byte, table)
	besideBoth := limit()
	runtime.KeepAlive(one)
	runtime.KeepAlive(another)
	if beside >= whole-table/4 || beside-besideBoth < table*9/10 || beside-besideBoth > table*11/10 {
		t.Errorf("of %d bytes requests have %d beside %d, and %d beside twice that", whole, beside, table, besideBoth)
	}
}

// TestWatch looks without any request, until it is told to end.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		m := &Memory{memory.New(memory.Options{Limit: megabyte, Now: time.Now, Heap: func() memory.Heap {
			looks++
			return memory.Heap{}
		}})}
		ctx, stop := context.WithTimeout(t.Context(), 10500*time.Millisecond)
		defer stop()
		if err := m.Watch(ctx); err != nil || looks != 11 {
			t.Errorf("%v after %d looks, want 11", err, looks)
		}
	})
}
