package migrate

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// failApply answers the first n rewrites of an object with a failure.
func failApply(f *fakeAPI, name string, n int, with reply) *int {
	failures := 0
	f.before = func(r *http.Request) *reply {
		if got, yes := isApply(r); yes && got == name && failures < n {
			failures++
			return &with
		}
		return nil
	}
	return &failures
}

const allThree = `crontabs.stable.example.com: 3 objects are stored in v1: 3 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`

const webhookDown = `conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: Post "https://crosswalk.crosswalk-system.svc:443/convert?timeout=30s": dial tcp 127.0.0.1:8443: connect: connection refused`

func TestRetries(t *testing.T) {
	tests := map[string]struct {
		times int
		with  reply
		took  time.Duration
	}{
		"too many requests, later":    {2, reply{code: 429, reason: "TooManyRequests", retryAfter: 7}, 14 * time.Second},
		"too many requests, much":     {1, reply{code: 429, reason: "TooManyRequests", retryAfter: 3600}, bulk.LongestAsked},
		"too many requests, backoff":  {3, reply{code: 429, reason: "TooManyRequests", retryAfter: 1}, 4 * time.Second},
		"unavailable, later":          {1, reply{code: 503, reason: "ServiceUnavailable", retryAfter: 5}, 5 * time.Second},
		"unavailable":                 {2, reply{code: 503, reason: "ServiceUnavailable"}, 1500 * time.Millisecond},
		"conversion webhook restarts": {5, reply{code: 500, message: webhookDown}, 15500 * time.Millisecond},
		"no connection":               {1, reply{}, 500 * time.Millisecond},
		"timeout":                     {1, reply{code: 504, reason: "Timeout"}, 500 * time.Millisecond},
		"conflicts":                   {4, reply{code: 409, reason: "Conflict"}, 15 * bulk.ConflictDelay},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				failures := failApply(f, "job-002", test.times, test.with)
				got := migrateWith(t.Context(), t, f, nil)
				got.want(t, allThree, "")
				if *failures != test.times || got.took != test.took {
					t.Errorf("%d failures took %s, want %d and %s", *failures, got.took, test.times, test.took)
				}
			})
		})
	}
}

func TestRetriesAreBounded(t *testing.T) {
	tests := map[string]struct {
		with  reply
		tries int
	}{
		"too many requests": {reply{code: 429, reason: "TooManyRequests", message: "slow down", retryAfter: 2}, bulk.BusyTries},
		"server error":      {reply{code: 500, message: webhookDown}, bulk.BrokenTries},
		"conflicts":         {reply{code: 409, reason: "Conflict", message: "modified"}, bulk.ConflictTries},
		"denied":            {reply{code: 403, reason: "Forbidden", message: "no"}, 1},
		"bad request":       {reply{code: 400, reason: "BadRequest", message: "no"}, 1},
		"too large":         {reply{code: 413, reason: "RequestEntityTooLarge", message: "no"}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				tries := failApply(f, "job-002", 1000, test.with)
				got := migrateWith(t.Context(), t, f, nil)
				if *tries != test.tries || !strings.Contains(got.err, "default/job-002: "+test.with.message) || got.failure == nil {
					t.Errorf("%d tries, want %d; printed %s and %v", *tries, test.tries, got.err, got.failure)
				}
				f.wantStored(t, "v1beta1 v1")
			})
		})
	}
}

// An object that fails while others succeed is given up sooner.
func TestOwnFailureIsGivenUpSooner(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 60})
		tries := failApply(f, "job-002", 1000, reply{code: 500, message: "conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: no"})
		migrateWith(t.Context(), t, f, func(o *Options) { o.Parallel, o.PageSize = 2, 100 })
		if *tries != bulk.BrokenMinTries {
			t.Errorf("%d tries", *tries)
		}
	})
}

// When nothing works any more the run ends, and the next goes on from there.
func TestGivesUpWhenNothingWorks(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 1000})
		var down atomic.Bool
		f.before = func(r *http.Request) *reply {
			name, yes := isApply(r)
			if name == "job-100" {
				down.Store(true)
			}
			if yes && down.Load() {
				return &reply{code: 500, message: webhookDown}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Parallel, o.PageSize = 4, 500 })
		if got.failure == nil || got.took > 2*time.Minute {
			t.Fatalf("took %s, error %v", got.took, got.failure)
		}
		if lines := strings.Count(got.err, "\n"); lines > 8 {
			t.Errorf("%d objects failed first:\n%s", lines, got.err)
		}
		if printed := got.failure.Error(); !strings.Contains(printed, "of about 1000 objects (10%)") ||
			!strings.HasSuffix(printed, " because objects failed one after another, the last with: "+webhookDown+
				"; objects are converted by the Service crosswalk-system/crosswalk: check that it runs and is ready, and that caBundle in the CRD's spec.conversion is the CA of its certificate; run the same command again to continue from there") {
			t.Errorf("printed %s", printed)
		}
		f.before = nil
		again := migrateWith(t.Context(), t, f, nil)
		if again.failure != nil || !strings.HasPrefix(again.out, "crontabs.stable.example.com: 1000 objects are stored in v1: ") {
			t.Errorf("then %+v", again)
		}
		f.wantAllIn(t, "v1")
		f.wantStored(t, "v1")
	})
}

// Failures that others succeed between are not the end.
func TestFailuresInBetween(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 40})
		f.before = func(r *http.Request) *reply {
			if name, yes := isApply(r); yes && strings.HasSuffix(name, "3") || strings.HasSuffix(name, "7") {
				return &reply{code: 500, message: "conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: no"}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, nil)
		if got.out != "crontabs.stable.example.com: 32 objects are stored in v1: 32 rewritten, 0 already stored in it; 0 deleted meanwhile, 8 failed\n" {
			t.Errorf("got %+v", got)
		}
	})
}

// A write that changes something each time proves nothing.
func TestUnrulyObject(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		f.objects["default/job-002"].unruly = true
		got := migrateWith(t.Context(), t, f, nil)
		if want := "crosswalk: crontabs.stable.example.com: default/job-002: every write that should change nothing changes it (resourceVersion 105, 106, 107, 108, 109, 110), so its storage version cannot be proven: its conversion, or a webhook for it, gives different results each time\n"; got.err != want {
			t.Errorf("printed\n%s\nwant\n%s", got.err, want)
		}
		f.wantStored(t, "v1beta1 v1")
	})
}
