package conversion

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testRestart restarts the API server. What it then reads from etcd and converts
// with cold caches is what it answered before.
func testRestart(t *testing.T, scene *harness.Scene, all []variant) {
	before := listAll(t, all)
	if err := scene.ControlPlane.RestartAPIServer(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	reconnect(t, scene, all)
	wantLists(t, listAll(t, all), before)
}

// reconnect gives the variants a client of the restarted API server.
func reconnect(t *testing.T, scene *harness.Scene, all []variant) {
	t.Helper()
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i].via.API, all[i].other.API = api, api
	}
}

// listAll lists every group in every version, by apiVersion. As a client does, it
// asks again while the API server answers that it is filling its caches.
func listAll(t *testing.T, all []variant) map[string][]json.RawMessage {
	t.Helper()
	ctx := stage.Within(t, 30*time.Second)
	lists := map[string][]json.RawMessage{}
	for _, v := range all {
		items, _, err := v.via.List(ctx)
		for tooMany(err) {
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
			items, _, err = v.via.List(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(items) == 0 {
			t.Fatalf("no objects in %s; the tests before this one leave some", v.via.APIVersion())
		}
		lists[v.via.APIVersion()] = items
	}
	return lists
}

func tooMany(err error) bool {
	var status *harness.StatusError
	return errors.As(err, &status) && status.Code == http.StatusTooManyRequests
}

// wantLists compares lists object by object, metadata included.
func wantLists(t *testing.T, got, want map[string][]json.RawMessage) {
	t.Helper()
	for apiVersion, items := range want {
		if len(got[apiVersion]) != len(items) {
			t.Errorf("%s: %d objects, want %d", apiVersion, len(got[apiVersion]), len(items))
			continue
		}
		for i, item := range items {
			if diff := exact.Diff(check.Decode(t, got[apiVersion][i]), check.Decode(t, item)); diff != "" {
				t.Errorf("%s, object %d:\n%s", apiVersion, i, diff)
			}
		}
	}
}
