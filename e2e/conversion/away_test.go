package conversion

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testAway stops Crosswalk and starts it again. Meanwhile the stored version can
// be read, the other cannot, and writes through it are refused; afterwards all is
// as it was.
func testAway(t *testing.T, scene *harness.Scene, all []variant) {
	for _, v := range all {
		v.create(t, "away")
	}
	if err := scene.StopCrosswalk(); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		name := v.unique("away")
		if _, err := v.via.In(v.stored).Get(t.Context(), name); err != nil {
			t.Errorf("%s: reading what is stored needs no conversion: %v", v.name(), err)
		}
		converted := v.via.In(notStored(v))
		_, err := converted.Get(t.Context(), name)
		wantUnreachable(t, v, err)
		_, err = converted.MergePatch(t.Context(), name, `{"spec":{"replicas":9}}`)
		wantUnreachable(t, v, err)
	}
	if err := scene.StartCrosswalk(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		wantSpec(t, v.via, v.unique("away"), v.own)
		wantSpec(t, v.other, v.unique("away"), v.seen)
	}
}

// testRestartWhileAway lets Crosswalk crash and restarts the API server, so that its
// caches cannot fill, and then lets Crosswalk come back.
func testRestartWhileAway(t *testing.T, scene *harness.Scene, all []variant) {
	before := listAll(t, all)
	if err := scene.KillCrosswalk(); err != nil {
		t.Fatal(err)
	}
	if err := scene.ControlPlane.RestartAPIServer(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	reconnect(t, scene, all)
	for _, v := range all {
		if _, _, err := v.via.In(notStored(v)).List(t.Context()); err == nil {
			t.Errorf("%s: listed without a converter", v.name())
		}
	}
	if err := scene.StartCrosswalk(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	wantLists(t, listAll(t, all), before)
}

func notStored(v variant) string {
	if v.stored == v.via.Version {
		return v.other.Version
	}
	return v.via.Version
}

// wantUnreachable wants the API server's complaint about the webhook, not some
// other failure.
func wantUnreachable(t *testing.T, v variant, err error) {
	t.Helper()
	var status *harness.StatusError
	if !errors.As(err, &status) ||
		!strings.Contains(status.Body, "conversion webhook for "+v.via.Group+"/") ||
		!strings.Contains(status.Body, "connection refused") {
		t.Errorf("%s: want a conversion webhook that refuses connections, got %v", v.name(), err)
	}
}
