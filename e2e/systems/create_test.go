package systems

import (
	"bytes"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
)

// testCreate writes every object and reads it in every way and version, etcd's
// included. Defaults are those of the version that it was written in, and of each
// other version for what only that has: no default leaks into another version.
func (v variant) testCreate(t *testing.T) {
	for _, o := range v.Objects {
		t.Run(o.Name, func(t *testing.T) {
			name := slug("create-" + o.Name)
			answer, err := v.in(o.Born).Create(t.Context(), v.written(t, o, name))
			if err != nil {
				t.Fatal(err)
			}
			v.wantView(t, answer, o.Born, o.Views)
			v.wantViews(t, name, o.Views)
			for _, version := range v.versions() {
				v.wantView(t, check.Listed(t, v.in(version), name), version, o.Views)
			}
			raw := v.wantStored(t, name, v.stored, o.Views)
			if o.Born == v.stored || o.Fits {
				wantNoStash(t, raw)
			}
			for _, version := range v.versions() {
				if o.Fits {
					wantNoStash(t, check.Get(t, v.in(version), name))
				}
			}
		})
	}
}

func wantNoStash(t *testing.T, data []byte) {
	t.Helper()
	if bytes.Contains(data, []byte(check.StashPrefix)) {
		t.Errorf("there was nothing to keep: %s", data)
	}
}
