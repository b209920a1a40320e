package migrate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testAway has no converter at first, and loses it half-way later.
func testAway(t *testing.T, w *world) {
	const n = 40
	w.fill(t, n)
	w.store(t, "v1")
	w.waitStored(t, "v1")
	before := w.states(t)

	if err := w.scene.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{w.crd, "--quiet"}, {w.crd, "--quiet", "--dry-run"}} {
		got := w.migrate(t, args...)
		if got.code != 1 || got.out != "" ||
			!strings.HasPrefix(got.errors, "crosswalk: "+w.crd+": nothing was written, because a try failed: ") ||
			!strings.HasSuffix(got.errors, "; objects are converted by the Service crosswalk-system/crosswalk: check that it runs and is ready, and that caBundle in the CRD's spec.conversion is the CA of its certificate\n") {
			t.Errorf("without Crosswalk: %+v", got)
		}
	}
	if err := w.scene.StartCrosswalk(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantUntouched(t, before, w.states(t))

	// A crash half-way is waited for.
	_, resourceVersion, err := w.beta.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The API server may have begun to fill its watch cache while nothing answered, and tries again
	// later. Until then it rejects watches.
	var watch *harness.Watch
	stage.Until(t, time.Minute, func(context.Context) (err error) {
		watch, err = w.beta.API.Watch(t.Context(), w.beta.In("v1").Path("?watch=true&resourceVersion="+resourceVersion))
		return err
	})
	defer watch.Close()
	r := w.begin(t, w.crd, "--qps", "40", "--quiet")
	for range n / 4 {
		if _, err := watch.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.scene.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	// Now the last object, which is still stored in v1beta1, cannot be converted.
	last := fmt.Sprintf("job-%04d", n-1)
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		if _, err := w.beta.In("v1").Get(ctx, last); err == nil {
			return fmt.Errorf("%s can still be read", last)
		}
		return nil
	})
	if err := w.scene.StartCrosswalk(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.wait(t).want(t, ended{out: fmt.Sprintf(`%[1]s: %[2]d objects are stored in v1: %[2]d rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
%[1]s: status.storedVersions is trimmed from v1beta1, v1 to v1
`, w.crd, n)})
	// Above all, no object lost its managedFields.
	wantMigrated(t, before, w.states(t), "v1")
}
