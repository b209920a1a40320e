package migrate

import (
	"fmt"
	"testing"
)

// testDryRun says what would be done, and does none of it.
func testDryRun(t *testing.T, w *world) {
	const n = 12
	w.fill(t, n)
	w.store(t, "v1")
	w.waitStored(t, "v1")
	before := w.states(t)
	crd := w.kubectl(t, "get", "crd", w.crd, "-o", "json", "--show-managed-fields")
	w.migrate(t, w.crd, "--dry-run", "--quiet").want(t, ended{out: fmt.Sprintf(`%[1]s: would rewrite %[2]d objects to v1, except those that are already stored in it
%[1]s: would trim status.storedVersions from v1beta1, v1 to v1
`, w.crd, n)})
	wantUntouched(t, before, w.states(t))
	if now := w.kubectl(t, "get", "crd", w.crd, "-o", "json", "--show-managed-fields"); now != crd {
		t.Errorf("the CRD was\n%s\nis\n%s", crd, now)
	}
}
