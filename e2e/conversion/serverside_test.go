package conversion

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testServerSideApply lets two managers own fields of one object, each in its own
// version.
func (v variant) testServerSideApply(t *testing.T) {
	name := v.unique("ssa")
	apply := func(r harness.Resource, manager, spec string) []byte {
		t.Helper()
		got, err := r.Apply(t.Context(), name, manager, fragment(r, name, spec))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	apply(v.via, "first", v.own)
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)

	apply(v.other, "second", v.private)
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seenBoth)

	// Nobody's repeated apply changes anything.
	before := check.ResourceVersion(t, check.Get(t, v.via, name))
	apply(v.via, "first", v.own)
	last := apply(v.other, "second", v.private)
	if after := check.ResourceVersion(t, last); after != before {
		t.Errorf("an apply that changes nothing wrote the object: resourceVersion %s became %s", before, after)
	}
	wantManager(t, last, "first", v.via.APIVersion())
	wantManager(t, last, "second", v.other.APIVersion())

	// Each changes its own, and keeps the other's.
	changed := strings.Replace(v.own, "0 2 * * *", "0 3 * * *", 1)
	apply(v.via, "first", changed)
	wantSpec(t, v.via, name, changed)
	wantSpec(t, v.other, name, strings.Replace(v.seenBoth, "0 2 * * *", "0 3 * * *", 1))

	// What the first no longer applies is removed, though only its version has it.
	apply(v.via, "first", v.less)
	wantSpec(t, v.via, name, v.less)
	wantSpec(t, v.other, name, v.seenBoth)

	// So it is for the second.
	apply(v.other, "second", `{}`)
	wantSpec(t, v.via, name, v.less)
	wantSpec(t, v.other, name, v.seen)
}

// testServerSideApplyConflict lets a manager in one version claim what a manager
// in the other version owns.
func (v variant) testServerSideApplyConflict(t *testing.T) {
	name := v.unique("conflict")
	if _, err := v.via.Apply(t.Context(), name, "first", fragment(v.via, name, v.own)); err != nil {
		t.Fatal(err)
	}
	claim := fragment(v.other, name, `{"replicas":5}`)
	_, err := v.other.Apply(t.Context(), name, "second", claim)
	var status *harness.StatusError
	if !errors.As(err, &status) || status.Code != http.StatusConflict || !strings.Contains(status.Body, `\"first\"`) {
		t.Fatalf("want a conflict with the first manager, got %v", err)
	}
	wantSpec(t, v.via, name, v.own)

	if _, err := v.other.Apply(t.Context(), name, "second&force=true", claim); err != nil {
		t.Fatal(err)
	}
	wantSpec(t, v.via, name, strings.Replace(v.own, `"replicas":3`, `"replicas":5`, 1))
	wantSpec(t, v.other, name, strings.Replace(v.seen, `"replicas":3`, `"replicas":5`, 1))
}

// wantManager looks for a manager that applied in apiVersion.
func wantManager(t *testing.T, data []byte, manager, apiVersion string) {
	t.Helper()
	managed, _ := exact.At(check.Decode(t, data), "metadata", "managedFields")
	entries, _ := managed.([]any)
	for _, entry := range entries {
		if name, _ := exact.At(entry, "manager"); name == manager {
			if got, _ := exact.At(entry, "apiVersion"); got != apiVersion {
				t.Errorf("manager %s applied in %v, want %s", manager, got, apiVersion)
			}
			return
		}
	}
	t.Errorf("no manager %s in %v", manager, managed)
}
