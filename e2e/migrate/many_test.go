package migrate

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// testMany rewrites some pages of objects in bounded time. They were written
// through v1, so that what takes time is less their managers' conversions.
func testMany(t *testing.T, w *world) {
	const n, limit = 300, 90 * time.Second
	var creating sync.WaitGroup
	for worker := range 8 {
		creating.Go(func() {
			for i := worker; i < n; i += 8 {
				w.create(t, w.beta.In("v1"), fmt.Sprintf("job-%04d", i), i)
			}
		})
	}
	creating.Wait()
	w.store(t, "v1")
	w.waitStored(t, "v1")
	began := time.Now()
	w.migrate(t, w.crd, "--qps", "0", "--page-size", "100", "--quiet").want(t, ended{out: fmt.Sprintf(`%[1]s: %[2]d objects are stored in v1: %[2]d rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
%[1]s: status.storedVersions is trimmed from v1beta1, v1 to v1
`, w.crd, n)})
	took := time.Since(began)
	t.Logf("%d objects in %s", n, took)
	if took > limit {
		t.Errorf("%d objects took %s", n, took)
	}
	for i := range n {
		key := w.beta.EtcdKey(fmt.Sprintf("job-%04d", i))
		value, err := w.scene.ControlPlane.EtcdValue(t.Context(), key)
		if err != nil || !strings.Contains(string(value), `"apiVersion":"`+w.beta.Group+`/v1"`) {
			t.Fatalf("%s: %v: %s", key, err, value)
		}
	}
}
