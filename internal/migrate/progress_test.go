package migrate

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// atOneASecond makes each rewrite take half a second.
func atOneASecond(f *fakeAPI) {
	f.before = func(r *http.Request) *reply {
		if _, yes := isApply(r); yes {
			time.Sleep(520 * time.Millisecond)
		}
		return nil
	}
}

func TestProgressInLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 26})
		atOneASecond(f)
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false })
		if want := `crontabs.stable.example.com: rewrites objects to v1 through v1/status
crontabs.stable.example.com: 9 of about 26 objects (34%), 1/s, 19s left
crontabs.stable.example.com: 19 of about 26 objects (73%), 1/s, 7s left
`; got.err != want {
			t.Errorf("printed\n%s\nwant\n%s", got.err, want)
		}
	})
}

func TestProgressOnATerminal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1beta1": 3})
		f.before = func(r *http.Request) *reply {
			name, yes := isApply(r)
			if yes {
				time.Sleep(510 * time.Millisecond)
			}
			if yes && name == "job-002" {
				return &reply{code: 422, reason: "Invalid", message: "no"}
			}
			return nil
		}
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet, o.Console.Terminal = false, true })
		const clear = "\r\x1b[K"
		if want := strings.Join([]string{
			"crontabs.stable.example.com: rewrites objects to v1 through v1/status\n",
			"crontabs.stable.example.com: 0 of about 3 objects (0%)", clear,
			"crontabs.stable.example.com: 0 of about 3 objects (0%)", clear,
			"crontabs.stable.example.com: 1 of about 3 objects (33%), 1/s, 3s left", clear,
			"crosswalk: crontabs.stable.example.com: default/job-002: no\n",
			"crontabs.stable.example.com: 2 of about 3 objects (66%), 1 failed, 1/s, 1s left", clear,
			"crontabs.stable.example.com: 2 of about 3 objects (66%), 1 failed, 1/s, 1s left", clear,
		}, ""); got.err != want {
			t.Errorf("printed\n%q\nwant\n%q", got.err, want)
		}
	})
}

// What is left counts from where an earlier run stopped.
func TestProgressAfterResume(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake(t, map[string]int{"v1": 10, "v1beta1": 20})
		f.crd.Annotations = map[string]string{Annotation: `{"uid":"crd-uid","generation":3,"storageVersion":"v1","versions":["v1","v1beta1"],"continue":"after default/job-010","after":"default/job-010","rewritten":7,"already":3,"gone":0}`}
		atOneASecond(f)
		got := migrateWith(t.Context(), t, f, func(o *Options) { o.Console.Quiet = false })
		if want := `crontabs.stable.example.com: rewrites objects to v1 through v1/status; continues after 10 that an earlier run did
crontabs.stable.example.com: 19 of about 30 objects (63%), 1/s, 12s left
crontabs.stable.example.com: 29 of about 30 objects (96%), 1/s, 1s left
`; got.err != want {
			t.Errorf("printed\n%s\nwant\n%s", got.err, want)
		}
		got.want(t, `crontabs.stable.example.com: 30 objects are stored in v1: 27 rewritten, 3 already stored in it; 0 deleted meanwhile, 0 failed
crontabs.stable.example.com: status.storedVersions is trimmed from v1beta1, v1 to v1
`, "")
	})
}
