package hostile

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// What a replica stands: the memory that deploy/base gives it, and what goes on at once.
const (
	memoryBytes   = 850 << 20
	containerKB   = 1 << 20 // of 1024 bytes
	largeReviews  = 8       // again and again
	pinned        = 8       // clients that hold back the last byte of one
	unread        = 2       // clients that do not read the answer to one
	promising     = 20      // clients that send the headers of one, and nothing else
	smallASecond  = 50
	tries         = 10 // as many as the API server makes
	restKB        = 200 << 10
	givenBackSoon = 30 * time.Second
)

// TestCrowd asks more of a replica than its memory holds, while it has as many connections as
// it keeps: it stays within its memory, no small review fails, each large one is answered in
// the end, and the memory is given back.
func TestCrowd(t *testing.T) {
	c := crowd(t, 8*time.Second, 1, 10_000)
	t.Log(c)
}

// TestTablesTake memory, and what they take is not for requests.
func TestTablesTake(t *testing.T) {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	const tables = 30
	crosswalk, _ := start(t, harness.CrosswalkOptions{
		Program: programs.Crosswalk,
		Config:  []string{copies(t, filepath.Join(programs.Root, "examples", "horizontalpodautoscaler"), tables)},
		Args:    []string{"--max-memory-bytes", fmt.Sprint(memoryBytes)},
	})
	stage.Until(t, time.Minute, func(context.Context) error {
		left := int64(stage.Sum(t, crosswalk.Role, "crosswalk_memory_limit_bytes", ""))
		if left > memoryBytes-tables<<20 || left < memoryBytes/2 {
			return fmt.Errorf("beside %d tables requests may hold %d MiB of %d", tables, left>>20, memoryBytes>>20)
		}
		return nil
	})
}

// BenchmarkCrowd does that for a minute, and fails where somebody waits for too long. The
// clients are on the same processors. Beside many tables it plays with what they leave, which is
// not enough for a review of 100 MB; the garbage collector takes its time for them.
func BenchmarkCrowd(b *testing.B) {
	b.Run("many tables", func(b *testing.B) {
		for b.Loop() {
			fmt.Println(crowd(b, time.Minute, 80, 5_000))
		}
	})
	b.Run("few tables", benchmarkCrowd)
}

func benchmarkCrowd(b *testing.B) {
	var c *scene
	for b.Loop() {
		c = crowd(b, time.Minute, 1, 10_000)
	}
	fmt.Println(c)
	for what, wrong := range map[string]bool{
		"small reviews: p99 above 250 ms":         c.small.part(99) > 250*time.Millisecond,
		"small reviews: one took 2 s":             c.small.part(100) > 2*time.Second,
		"/readyz: p99 above 100 ms":               c.ready.part(99) > 100*time.Millisecond,
		"large reviews: turned away after 100 ms": c.turnedAway.part(100) > 100*time.Millisecond,
	} {
		if wrong {
			b.Error(what)
		}
	}
}

// scene is what a crowd does, and how long it took.
type scene struct {
	testing.TB
	crosswalk *harness.Crosswalk
	client    *http.Client
	end       time.Time
	large     string

	small, answered, turnedAway, hostile, cutOff, ready times

	most, rest int64 // memory, in kB
	givenBack  time.Duration
}

func (s *scene) String() string {
	return fmt.Sprintf("\nsmall reviews    %v\nlarge reviews    %v\n  turned away    %v\nhostile reviews  %v\n  cut off        %v\n/readyz          %v\nmemory: %d MiB at most, %d MiB at rest, given back after %v",
		&s.small, &s.answered, &s.turnedAway, &s.hostile, &s.cutOff, &s.ready, s.most>>10, s.rest>>10, s.givenBack.Round(time.Second))
}

// crowd plays one for so long. The replica has so many tables beside the one it asks for, and
// a large review so many objects of 10 kB.
func crowd(t testing.TB, length time.Duration, tables, objects int) *scene {
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{TB: t, large: request(slices.Repeat([]string{sized(10_000)}, objects)...)}
	examples := filepath.Join(programs.Root, "examples")
	s.crosswalk, s.client = start(t, harness.CrosswalkOptions{
		Program: programs.Crosswalk,
		Config:  []string{filepath.Join(examples, "crontab"), copies(t, filepath.Join(examples, "horizontalpodautoscaler"), tables)},
		Args:    []string{"--max-memory-bytes", fmt.Sprint(memoryBytes)},
	})
	silent := s.openMany("127.0.0.9", openedByOthers)
	s.end = time.Now().Add(length)
	var all sync.WaitGroup
	all.Go(s.probes)
	all.Go(s.asksSmall)
	for _, some := range []struct {
		n    int
		does func()
	}{
		{largeReviews, s.asksLarge}, {pinned, func() { s.stops(1) }}, {unread, func() { s.stops(0) }}, {promising, func() { s.stops(len(s.large)) }},
		{runtime.GOMAXPROCS(0), s.asksHostile},
	} {
		for range some.n {
			all.Go(some.does)
		}
	}
	all.Wait()
	s.most = s.memory("VmHWM")
	for _, c := range silent {
		_ = c.Close()
	}
	if s.most > containerKB {
		t.Errorf("%d MiB of memory at most, and the container has %d", s.most>>10, containerKB>>10)
	}
	tablesKB := (memoryBytes - int64(stage.Sum(t, s.crosswalk.Role, "crosswalk_memory_limit_bytes", ""))) >> 10
	for begin := time.Now(); ; time.Sleep(time.Second) {
		s.rest, s.givenBack = s.memory("VmRSS"), time.Since(begin)
		if s.rest < restKB+tablesKB {
			break
		}
		if s.givenBack > givenBackSoon {
			t.Errorf("%d MiB of memory after %v", s.rest>>10, givenBackSoon)
			break
		}
	}
	return s
}

// copies is a folder with a table and its CRD, and copies in API groups of their own: n of each.
func copies(t testing.TB, example string, n int) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range []string{"crd.yaml", "crosswalk.yaml"} {
		original, err := os.ReadFile(filepath.Join(example, file))
		if err != nil {
			t.Fatal(err)
		}
		text := original
		for i := range n {
			if i > 0 {
				text = bytes.ReplaceAll(original, []byte("autoscaling.example.com"), fmt.Appendf(nil, "n%03d.autoscaling.example.com", i))
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d-%s", i, file)), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func (s *scene) memory(name string) int64 {
	kilobytes, err := s.crosswalk.Status(name)
	if err != nil {
		s.Fatal(err)
	}
	return kilobytes
}

// sized is a CronTab of about so many bytes.
func sized(size int) string {
	return strings.Replace(cron, `"name":"a"`, `"name":"a","annotations":{"note":"`+strings.Repeat("all is well ", (size-len(cron))/12)+`"}`, 1)
}

// ask asks for a conversion. It returns the code of the answer, and what is wrong with it.
func (s *scene) ask(body string) (int, string) {
	response, err := s.client.Post(s.url(), "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	var end tail
	if _, err := io.Copy(&end, response.Body); err != nil {
		return 0, err.Error()
	}
	if response.StatusCode == http.StatusOK && strings.HasSuffix(string(end), `"result":{"status":"Success"}}}`) {
		return http.StatusOK, ""
	}
	return response.StatusCode, fmt.Sprintf("answered %d …%s", response.StatusCode, end)
}

func (s *scene) url() string { return fmt.Sprintf("https://127.0.0.1:%d/convert", s.crosswalk.Port) }

// tail is the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p[max(0, len(p)-300):]...)
	*t = (*t)[max(0, len(*t)-300):]
	return len(p), nil
}

func (s *scene) over() bool { return time.Now().After(s.end) }

// asksLarge asks for large reviews.
func (s *scene) asksLarge() {
	for !s.over() && s.untilAnswered(s.large, &s.answered, &s.turnedAway) {
	}
}

// untilAnswered asks again where it is turned away, as the API server does. It reports
// whether it was answered in the end.
func (s *scene) untilAnswered(body string, took, refused *times) bool {
	begin := time.Now()
	for try := 1; ; try++ {
		asked := time.Now()
		code, wrong := s.ask(body)
		if wrong == "" {
			took.add(time.Since(begin))
			return true
		}
		refused.add(time.Since(asked))
		if code != http.StatusServiceUnavailable || try == tries {
			s.Errorf("a review of %d bytes, asked for the time number %d: %s", len(body), try, wrong)
			return false
		}
		time.Sleep(time.Second)
	}
}

// asksSmall asks for small reviews at a fixed rate.
func (s *scene) asksSmall() {
	body := request(sized(10_000))
	var all sync.WaitGroup
	for due := time.Now(); !s.over(); due = due.Add(time.Second / smallASecond) {
		time.Sleep(time.Until(due))
		all.Go(func() {
			begin := time.Now()
			if _, wrong := s.ask(body); wrong != "" {
				s.Errorf("a small review: %s", wrong)
			}
			s.small.add(time.Since(begin))
		})
	}
	all.Wait()
}

// asksHostile asks for objects that take long for their size. Their bodies are cut off where
// the processors leave the client too little time to send them.
func (s *scene) asksHostile() {
	const metrics = 20_000
	body := strings.Replace(request(`{"apiVersion":"autoscaling.example.com/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"a","namespace":"b"},"spec":{"metrics":[`+
		strings.Repeat(`{"type":"Pods"},`, metrics-1)+`{"type":"Pods"}]}}`), "stable.example.com/v1", "autoscaling.example.com/v2beta1", 1)
	for !s.over() && s.untilAnswered(body, &s.hostile, &s.cutOff) {
	}
}

// stops sends a large review but for its last bytes, and then neither sends nor reads
// anything until it is cut off; and again.
func (s *scene) stops(missing int) {
	for ; !s.over(); time.Sleep(time.Second) {
		conn, err := tls.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.crosswalk.Port), s.client.Transport.(*http.Transport).TLSClientConfig)
		if err != nil {
			s.Error(err)
			return
		}
		_, err = fmt.Fprintf(conn, "POST /convert HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			dnsName, len(s.large), s.large[:len(s.large)-missing])
		// Cut off before the end is what it has to expect.
		if err == nil && missing > 0 {
			_ = conn.SetReadDeadline(s.end)
			_, _ = io.Copy(io.Discard, conn)
		} else if err == nil {
			time.Sleep(min(5*time.Second, time.Until(s.end)))
		}
		_ = conn.Close()
	}
}

// probes asks for readiness, as the kubelet does.
func (s *scene) probes() {
	for ; !s.over(); time.Sleep(100 * time.Millisecond) {
		begin := time.Now()
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", s.crosswalk.Health))
		if err != nil {
			s.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			s.Errorf("readyz: %s", response.Status)
		}
		s.ready.add(time.Since(begin))
	}
}

// times are how long things took.
type times struct {
	mu  sync.Mutex
	all []time.Duration
}

func (t *times) add(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, took)
}

// part is how long the quickest so many in a hundred took at most.
func (t *times) part(hundredths int) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.all) == 0 {
		return 0
	}
	slices.Sort(t.all)
	return t.all[(len(t.all)*hundredths+99)/100-1]
}

func (t *times) String() string {
	ms := func(part int) time.Duration { return t.part(part).Round(time.Millisecond) }
	p50, p99, longest := ms(50), ms(99), ms(100)
	return fmt.Sprintf("%6d: p50 %v, p99 %v, longest %v", len(t.all), p50, p99, longest)
}
