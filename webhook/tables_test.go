package webhook

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestTables(t *testing.T) {
	tables := NewTables(nil)
	if err := tables.Check(); err == nil || err.Error() != "no tables are loaded yet" {
		t.Errorf("nothing is loaded: %v", err)
	}
	// A configuration without tables is one: it must not stop a rollout.
	if err := tables.Replace(nil); err != nil {
		t.Fatal(err)
	}
	if err := tables.Check(); err != nil {
		t.Errorf("an empty configuration is loaded: %v", err)
	}
	if err := tables.Replace([]Converter{&fake{rename}}); err != nil {
		t.Fatal(err)
	}
	err := tables.Replace([]Converter{&fake{rename}, &fake{rename}})
	if want := "two tables for kind Star of group sky.dev: stars.sky.dev and stars.sky.dev; keep one"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if tables.snapshot().find([]byte("sky.dev"), []byte("Star")) == nil {
		t.Error("what was loaded before is gone")
	}
}

// TestTablesAreSwappedWhole while requests run.
func TestTablesAreSwappedWhole(t *testing.T) {
	tables := loaded(t, nil, rename)
	h := NewHandler(Options{Tables: tables})
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = tables.Replace([]Converter{&fake{rename}}) // one table never clashes
			}
		}
	})
	for range 200 {
		post(t, h, "/convert", review1(star)).expect(t, 200, success(starV1))
	}
	close(stop)
	group.Wait()
}

// A CRD may be armed with a table that has a successor already.
func TestOlderTablesAnswerTheirOwnPath(t *testing.T) {
	tables := NewTables(nil)
	older := &fingerprinted{fake{rename}, "0123"}
	if err := tables.Replace([]Converter{&fake{rename}}, older); err != nil {
		t.Fatal(err)
	}
	h := NewHandler(Options{Tables: tables})
	post(t, h, "/convert/0123", review1(star)).expect(t, 200, success(starV1))
	post(t, h, "/convert/"+(&fake{}).Fingerprint(), review1(star)).expect(t, 200, success(starV1))
	if err := tables.Replace(nil, older); err != nil {
		t.Fatal(err)
	}
	post(t, h, "/convert/0123", review1(star)).expect(t, 200, success(starV1))
	for path, want := range map[string]string{
		"/convert":      "no table is loaded yet for kind Star of group sky.dev",
		"/convert/4567": "the table with the fingerprint in the path is not loaded yet; stars.sky.dev has 0123",
	} {
		post(t, h, path, review1(star)).refused(t, 503, want)
	}
}

// While a CRD with a new version is armed with the old table, the API
// server is asked to try again.
func TestNewVersionIsNotLoadedYet(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	body := strings.Replace(review1(star), "sky.dev/v1\"", "sky.dev/v2\"", 1)
	post(t, h, "/convert/"+(&fake{}).Fingerprint(), body).refused(t, 503,
		"the table in the path does not convert stars.sky.dev to v2: if the version is new, see kubectl describe crosswalk stars.sky.dev; if the table has retired it, run crosswalk migrate stars.sky.dev, and remove the version from the rules of policies and webhooks")
}

type fingerprinted struct {
	fake
	fingerprint string
}

func (f *fingerprinted) Fingerprint() string { return f.fingerprint }

// A table that was kept by a process which compiles it to something else answers its
// own path; but not where somebody wants to make sure that it is compiled alike.
func TestAnotherBuildAnswersOnlyTheAPIServer(t *testing.T) {
	tables := NewTables(nil)
	if err := tables.Replace([]Converter{&fake{rename}}, &kept{fingerprinted{fake{rename}, "0123"}, "4567"}); err != nil {
		t.Fatal(err)
	}
	h := NewHandler(Options{Tables: tables})
	own := "/convert/" + (&fake{}).Fingerprint()
	for _, path := range []string{"/convert/0123", "/convert/0123?timeout=30s", "/convert/0123?compiled=4567", own + "?timeout=1s&compiled=" + (&fake{}).Fingerprint()} {
		post(t, h, path, review1(star)).expect(t, 200, success(starV1))
	}
	post(t, h, "/convert/0123?compiled=0123", review1(star)).refused(t, 503, "this replica compiles the table in the path to 4567 instead of 0123, so it is another release of crosswalk, "+
		"or a build in which a function of the table has another revision; run serve and manage with the same build")
}

type kept struct {
	fingerprinted
	compiled string
}

func (k *kept) Compiled() string { return k.compiled }

// A replica tells `crosswalk manage` how long ago a table has left a value unplaced, also after other
// tables have changed, and nothing of another table.
func TestUnplacedHeader(t *testing.T) {
	leaves := 0
	one := &fake{func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error) {
		notes.Unplaced += leaves
		return rename(dst, object, to, notes)
	}}
	tables := NewTables(nil)
	replace := func(current Converter, older ...Converter) {
		t.Helper()
		if err := tables.Replace([]Converter{current}, older...); err != nil {
			t.Fatal(err)
		}
	}
	replace(one)
	clock := time.Unix(1000, 0)
	h := NewHandler(Options{Tables: tables, Now: func() time.Time { return clock }})
	header := func(path string) string {
		t.Helper()
		got := post(t, h, path, review1(star))
		got.expect(t, http.StatusOK, success(starV1))
		return got.header.Get("Crosswalk-Unplaced")
	}
	const asked = "/convert/0123abcd?compiled=0123abcd"
	if got := header(asked); got != "" {
		t.Errorf("before: %q", got)
	}
	leaves = 2
	if got := header("/convert/0123abcd"); got != "" {
		t.Errorf("the API server is told %q", got)
	}
	leaves = 0
	clock = clock.Add(90 * time.Second)
	other := &fingerprinted{fake{rename}, "4567"}
	replace(other, one)
	if got := header(asked); got != "90" {
		t.Errorf("90 seconds later: %q", got)
	}
	if got := header("/convert/4567?compiled=4567"); got != "" {
		t.Errorf("another table: %q", got)
	}
}
