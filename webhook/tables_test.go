package webhook

import (
	"strings"
	"sync"
	"testing"
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

// While a CRD with a new version is armed with the table of before, the API
// server is asked to come again.
func TestNewVersionIsNotLoadedYet(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	body := strings.Replace(review1(star), "sky.dev/v1\"", "sky.dev/v2\"", 1)
	post(t, h, "/convert/"+(&fake{}).Fingerprint(), body).refused(t, 503,
		"the table in the path does not know the version v2 of stars.sky.dev yet; kubectl describe crosswalk stars.sky.dev says more")
}

type fingerprinted struct {
	fake
	fingerprint string
}

func (f *fingerprinted) Fingerprint() string { return f.fingerprint }
