package crontab

import (
	"strings"
	"testing"
)

// testClientSideApply applies one object by turns in both versions, with kubectl,
// which computes its patches from an annotation in the version applied last.
func (v variant) testClientSideApply(t *testing.T) {
	name := v.unique("apply")
	apply := func(manifest []byte, want string) {
		t.Helper()
		said, err := v.scene.ControlPlane.KubectlWith(t.Context(), string(manifest), "apply", "-f", "-")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(said); !strings.HasSuffix(got, name+" "+want) {
			t.Errorf("kubectl said %q, want %s", got, want)
		}
	}
	apply(object(v.via, name, v.own), "created")
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)
	apply(object(v.via, name, v.own), "unchanged")

	apply(object(v.other, name, v.seenEdit), "configured")
	wantSpec(t, v.other, name, v.seenEdit)
	wantSpec(t, v.via, name, v.edited)

	apply(object(v.via, name, v.own), "configured")
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)

	// What the manifest no longer has is removed, for both.
	apply(object(v.via, name, v.less), "configured")
	wantSpec(t, v.via, name, v.less)
	wantSpec(t, v.other, name, v.seen)
}
