package webhook

import (
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
