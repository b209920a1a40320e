package chaos

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// calls are clients of the API server, and what became of their requests and of the calls
// that the API server made for them.
type calls struct {
	s       *soak
	end     context.CancelFunc
	running sync.WaitGroup
	down    outages // of the API server

	mu           sync.Mutex
	requests     int
	failures     []string
	refusals     map[string]int // by the API server itself
	certificates map[string]bool
	authorities  map[string]bool
	before       counters // of the API servers that have ended
	now          counters
}

// counters are metrics of the API server.
type counters struct{ conversions, admissions, failed float64 }

func (c counters) made() float64 { return c.conversions + c.admissions }

func (c counters) plus(d counters) counters {
	return counters{c.conversions + d.conversions, c.admissions + d.admissions, c.failed + d.failed}
}

// clients is how many ask at the same time, each about an object of its own.
const clients = 4

// startCalls creates objects and starts clients, until stop is called.
func (s *soak) startCalls(t *testing.T) *calls {
	t.Helper()
	ctx, end := context.WithCancel(t.Context()) // of the clients, and not of their requests
	c := &calls{s: s, end: end, refusals: map[string]int{}, certificates: map[string]bool{}, authorities: map[string]bool{}}
	t.Cleanup(c.stop)
	for i := range clients {
		o, err := create(ctx, s.tables[i%len(s.tables)].table, fmt.Sprintf("soak-%d", i), versions()[i/2%2])
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		c.running.Go(func() {
			for ctx.Err() == nil {
				c.round(t.Context(), o, random)
			}
		})
	}
	c.running.Go(func() { c.askAnew(ctx) })
	c.running.Go(func() {
		for pause(ctx, 500*time.Millisecond) {
			c.count(t)
		}
	})
	return c
}

// stop ends the clients.
func (c *calls) stop() {
	c.end()
	c.running.Wait()
}

// round writes an object and reads it in each version, tries what a policy denies, and undoes
// what another has changed.
func (c *calls) round(ctx context.Context, o *object, random *rand.Rand) {
	in := o.table.in(versions()[random.IntN(2)])
	if len(o.states) == 1 { // otherwise the outcome of the last write has to be found out first
		c.once(ctx, func() error { return o.write(ctx, random, in.Version) })
	}
	for _, version := range versions() {
		c.once(ctx, func() error { return o.check(ctx, version) })
	}
	c.once(ctx, func() error {
		_, err := in.MergePatch(ctx, o.name, `{"spec": {"image": "example.com/backup:latest"}}`)
		if err == nil {
			return errors.New("no policy denies a write")
		}
		if strings.Contains(err.Error(), rule) {
			return nil
		}
		return err
	})
	c.once(ctx, func() error {
		after, err := in.MergePatch(ctx, o.name, `{"metadata": {"labels": {"stamp": null}}}`)
		return joinErr(err, want(strings.Contains(string(after), `"stamp":"`+stamp+`"`), "no policy changes a write: %s", after))
	})
}

// once makes a request, and counts it.
func (c *calls) once(ctx context.Context, request func() error) {
	since := time.Now()
	err := request()
	if err != nil {
		defer pause(ctx, 50*time.Millisecond)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	switch {
	case err == nil:
	case !errors.Is(err, errLost) && !strings.Contains(err.Error(), "webhook") && (isStatus(err, 429) || c.down.touch(since)):
		c.refusals[reason(err)]++
	default:
		c.failures = append(c.failures, time.Now().Format("15:04:05.000 ")+err.Error())
	}
}

// reason is what an error has in common with others.
func reason(err error) string {
	var status *harness.StatusError
	if errors.As(err, &status) {
		var answer struct{ Message string }
		_ = json.Unmarshal([]byte(status.Body), &answer) // or it has no message
		return fmt.Sprintf("%d %s", status.Code, answer.Message)
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// askAnew asks for conversions as an API server that has just started does: without a
// connection, and with the bundle that the CRD has at this moment.
func (c *calls) askAnew(ctx context.Context) {
	for pause(ctx, 20*time.Millisecond) {
		for name, a := range c.s.observer.armedNow() {
			if ctx.Err() == nil && strings.HasPrefix(name, "crontabs.soak-") {
				c.s.observer.try(ctx, name, a)
			}
		}
	}
}

// served notes a certificate that is served.
func (c *calls) served(leaf *x509.Certificate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.certificates[leaf.SerialNumber.String()] = true
	c.authorities[string(leaf.AuthorityKeyId)] = true
}

// count reads the API server's metrics, which begin at zero when it starts: see restarted.
func (c *calls) count(t testing.TB) {
	since := time.Now()
	metrics, err := c.s.API().Get(t.Context(), "/metrics")
	if err != nil || c.down.touch(since) {
		return
	}
	total := func(metric, label string) float64 { return stage.Total(t, metrics, metric, label) }
	now := counters{
		conversions: total("apiserver_conversion_webhook_request_total", ""),
		admissions:  total("apiserver_admission_webhook_request_total", ""),
		failed: total("apiserver_conversion_webhook_request_total", `result="failure"`) +
			total("apiserver_crd_conversion_webhook_duration_seconds_count", `succeeded="false"`) +
			total("apiserver_admission_webhook_rejection_count", "") - total("apiserver_admission_webhook_rejection_count", `error_type="no_error"`) +
			total("apiserver_admission_webhook_fail_open_count", ""),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// restarted begins to count the calls of another API server.
func (c *calls) restarted() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before, c.now = c.before.plus(c.now), counters{}
}

// made returns how many calls the API server has made.
func (c *calls) made() float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.before.plus(c.now).made()
}

// want wants that no request has failed and no call, and that there were enough.
func (c *calls) want(t *testing.T, goal size) {
	t.Helper()
	c.count(t)
	all := c.before.plus(c.now)
	t.Logf("%d requests of clients, each once; %.0f conversions and %.0f admissions for them, %.0f failed; %d certificates of %d CAs; %d questions over new connections",
		c.requests, all.conversions, all.admissions, all.failed, len(c.certificates), len(c.authorities), c.s.observer.asked)
	for _, refusal := range slices.Sorted(maps.Keys(c.refusals)) {
		t.Logf("the API server itself refused %d: %s", c.refusals[refusal], refusal)
	}
	for _, failure := range c.failures[:min(5, len(c.failures))] {
		t.Error(failure)
	}
	if len(c.failures) > 0 || all.failed > 0 {
		t.Errorf("%d requests failed, and %.0f calls", len(c.failures), all.failed)
	}
	if all.made() < goal.calls || min(all.conversions, all.admissions) < goal.calls/10 || len(c.certificates) < goal.certificates || len(c.authorities) <= goal.authorities {
		t.Errorf("not enough: %.0f conversions, %.0f admissions, %d certificates, %d CAs", all.conversions, all.admissions, len(c.certificates), len(c.authorities))
	}
	c.wantLog(t)
}

// wantLog wants no failed call in the log of the API servers, either: what fails just before
// one ends is in no metric that was read.
func (c *calls) wantLog(t *testing.T) {
	t.Helper()
	log, err := os.ReadFile(c.s.ControlPlane.APIServerLog)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		switch {
		case !failedCall.MatchString(line):
		// An API server that ends still asks whether it may write, and does not answer what
		// Crosswalk then asks it.
		case strings.Contains(line, c.s.ControlPlane.Server) && c.loggedWhileDown(line):
			t.Logf("the API server ended: %s", line)
		default:
			t.Errorf("the API server logs: %s", line)
		}
	}
}

// failedCall matches what the API server logs about a call that failed.
var failedCall = regexp.MustCompile(`(?i)failed calling webhook|conversion webhook for`)

// loggedWhileDown reports whether the API server was about to end when it wrote a line, which
// begins with a letter, the month, the day and the time.
func (c *calls) loggedWhileDown(line string) bool {
	stamp, _, _ := strings.Cut(line, ".")
	at, err := time.ParseInLocation("20060102 15:04:05", strconv.Itoa(time.Now().Year())+strings.TrimLeft(stamp, "IWEF"), time.Local)
	return err == nil && c.down.between(at, at.Add(time.Second))
}
