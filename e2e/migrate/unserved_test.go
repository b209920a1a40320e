package migrate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// testStorageVersionNotServed goes through the version that is served.
func testStorageVersionNotServed(t *testing.T, w *world) {
	const n = 6
	w.fill(t, n)
	w.store(t, "v1")
	w.waitStored(t, "v1")
	before := w.states(t)
	serve := func(served bool) {
		w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", fmt.Sprintf(`[{"op":"replace","path":"/spec/versions/1/served","value":%t}]`, served))
		eventually(t, 30*time.Second, func(ctx context.Context) error {
			_, err := w.beta.In("v1").Get(ctx, "job-0000")
			if (err == nil) != served {
				return fmt.Errorf("v1: want served %t, got %v", served, err)
			}
			return nil
		})
	}
	serve(false)
	got := w.migrate(t, w.crd)
	if got.code != 0 || !strings.Contains(got.errors, "rewrites objects to v1 through v1beta1/status\n") {
		t.Errorf("got %+v", got)
	}
	serve(true)
	wantMigrated(t, before, w.states(t), "v1")
	w.wantStoredVersions(t, `["v1"]`)
}
