package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testResume stops a migration half-way and lets another one go on. Objects have
// been written by many managers, through both versions and to status.
func testResume(t *testing.T, w *world) {
	const old, recent = 60, 8
	w.fill(t, old)
	v1 := w.beta.In("v1")
	patch := func(r harness.Resource, name, body string) {
		t.Helper()
		if _, err := r.MergePatch(t.Context(), name, body); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < old; i += 3 {
		name := fmt.Sprintf("job-%04d", i)
		applied := fmt.Sprintf(`{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q},"spec":{"timeZone":"Europe/Zurich"}}`, v1.APIVersion(), name)
		if _, err := v1.Apply(t.Context(), name, "somebody", []byte(applied)); err != nil {
			t.Fatal(err)
		}
		patch(v1, name+"/status", `{"status":{"replicas":2,"lastRunTime":"2026-01-02T03:04:05Z"}}`)
		patch(w.beta, name, `{"metadata":{"finalizers":["example.com/cleanup"]}}`)
	}
	// One whose managedFields somebody removed, and one that is being deleted. Before
	// Kubernetes 1.36 the first would get an entry in them: see docs/migrate.md.
	if stage.Minor(t) >= 36 {
		patch(w.beta, "job-0001", `{"metadata":{"managedFields":[{}]}}`)
	}
	if _, err := w.beta.Delete(t.Context(), "job-0003"); err != nil {
		t.Fatal(err)
	}
	w.store(t, "v1")
	w.waitStored(t, "v1")
	for i := range recent {
		w.create(t, []harness.Resource{w.beta, v1}[i%2], fmt.Sprintf("job-00%02d-recent", i*7), i)
	}
	before := w.states(t)
	if in(before, "v1beta1") != old || in(before, "v1") != recent {
		t.Fatalf("%d objects are stored in v1beta1 and %d in v1", in(before, "v1beta1"), in(before, "v1"))
	}
	w.wantStoredVersions(t, `["v1beta1","v1"]`)

	// An open watch shows the writes. It stays open throughout: the position is kept
	// in the CRD's metadata only.
	_, resourceVersion, err := v1.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	watch, err := v1.API.Watch(t.Context(), v1.Path("?watch=true&resourceVersion="+resourceVersion))
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	first := w.begin(t, w.crd, "--page-size", "7", "--qps", "60", "--parallel", "3")
	for range old / 2 {
		if _, err := watch.Next(); err != nil {
			t.Fatal(err)
		}
	}
	first.stop(t)
	got := first.wait(t)
	if got.code != 1 || got.out != "" || !strings.HasSuffix(got.errors, "; run the same command again to continue from there\n") ||
		!strings.Contains(got.errors, "\ncrosswalk: "+w.crd+": stopped after ") {
		t.Fatalf("got %+v", got)
	}
	w.wantStoredVersions(t, `["v1beta1","v1"]`)
	half := w.states(t)
	if n := in(half, "v1beta1"); n == 0 || n == old {
		t.Fatalf("%d objects are stored in v1beta1: not half-way", n)
	}
	position := w.position(t)
	if position.StorageVersion != "v1" || position.After == "" || position.Continue == "" || position.Rewritten == 0 {
		t.Errorf("the position is %+v", position)
	}

	second := w.migrate(t, "crontab."+w.beta.Group) // not a name of any
	if second.code != 2 || !strings.HasPrefix(second.errors, `crosswalk: no CustomResourceDefinition has the name, plural, short name or kind "crontab.`+w.beta.Group) {
		t.Errorf("got %+v", second)
	}
	second = w.migrate(t, w.crd, "--qps", "0", "--page-size", "11")
	if second.code != 0 || !strings.HasPrefix(second.out, fmt.Sprintf("%s: %d objects are stored in v1: ", w.crd, old+recent)) ||
		!strings.HasSuffix(second.out, w.crd+": status.storedVersions is trimmed from v1beta1, v1 to v1\n") ||
		!strings.Contains(second.errors, fmt.Sprintf("rewrites objects to v1 through v1/status; continues after %d that an earlier run did\n", position.Rewritten+position.Already)) {
		t.Errorf("got %+v", second)
	}
	wantMigrated(t, before, w.states(t), "v1")
	w.wantStoredVersions(t, `["v1"]`)
	if left := w.position(t); left.After != "" {
		t.Errorf("the position is still there: %+v", left)
	}
	// The rest of the events come through the same watch.
	for range old / 2 {
		if event, err := watch.Next(); err != nil || event.Type != "MODIFIED" {
			t.Fatalf("the watch says %s, %v", event.Type, err)
		}
	}

	// Once more: all is proven with one write each that changes nothing.
	settled := w.states(t)
	w.migrate(t, w.crd, "--qps", "0", "--quiet").want(t, ended{out: fmt.Sprintf(`%[1]s: %[2]d objects are stored in v1: 0 rewritten, %[2]d already stored in it; 0 deleted meanwhile, 0 failed
%[1]s: status.storedVersions is v1 already
`, w.crd, old+recent)})
	wantUntouched(t, settled, w.states(t))

	// Now the old version can go.
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", `[{"op":"remove","path":"/spec/versions/0"}]`)
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		_, err := w.beta.Get(ctx, "job-0000")
		var status *harness.StatusError
		if !errors.As(err, &status) || status.Code != http.StatusNotFound {
			return fmt.Errorf("v1beta1 is served still: %v", err)
		}
		return nil
	})
	for name, was := range settled {
		data, err := v1.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		spec := func(v any) any { return v.(map[string]any)["spec"] }
		if diff := exact.Diff(spec(must(t, data)), spec(was.v1)); diff != "" {
			t.Errorf("%s without v1beta1: %s", name, diff)
		}
	}
}

// position is what the CRD's annotation says.
type position struct {
	StorageVersion, Continue, After string
	Rewritten, Already              int
	Failed                          []string
}

func (w *world) position(t *testing.T) position {
	t.Helper()
	var p position
	if text := w.kubectl(t, "get", "crd", w.crd, "-o", `jsonpath={.metadata.annotations.crosswalk\.dev/migration}`); text != "" {
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
