package crontab

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// testUpdate replaces the whole object through the other version, as a client
// does that read it there before.
func (v variant) testUpdate(t *testing.T) {
	name := v.create(t, "update")
	read, err := v.other.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}

	same, err := v.other.Update(t.Context(), name, read)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := resourceVersion(t, same), resourceVersion(t, read); got != want {
		t.Errorf("an update that changes nothing wrote the object: resourceVersion %s became %s", want, got)
	}

	changed := decode(t, read)
	changed.(map[string]any)["spec"] = decode(t, []byte(v.seenEdit))
	if _, err := v.other.Update(t.Context(), name, encode(t, changed)); err != nil {
		t.Fatal(err)
	}
	wantSpec(t, v.via, name, v.edited)
	wantSpec(t, v.other, name, v.seenEdit)

	// Back again through the version that it came from.
	read, err = v.via.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	wantMetadata(t, read)
	back := decode(t, read)
	spec, _ := exact.At(decode(t, object(v.via, name, v.own)), "spec")
	back.(map[string]any)["spec"] = spec
	if _, err := v.via.Update(t.Context(), name, encode(t, back)); err != nil {
		t.Fatal(err)
	}
	wantSpec(t, v.via, name, v.own)
	wantSpec(t, v.other, name, v.seen)
}
