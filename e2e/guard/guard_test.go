package guard

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/check"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestGuard does to objects what clients do, with either version stored, and then
// looks at what the API server is told to ask.
func TestGuard(t *testing.T) {
	programs := stage.Programs(t)
	example, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []harness.Table
	for _, stored := range []string{"v1beta1", "v1"} {
		table, err := example.InGroup(stored+"-stored.example.com", stored)
		if err != nil {
			t.Fatal(err)
		}
		table.CRD.Spec.Names.ShortNames = nil // anybody's, and only one group would get them
		tables = append(tables, table)
	}
	scene := startScene(t, programs, tables, example)
	api, err := scene.ControlPlane.API()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		r := harness.Resource{API: api, Group: table.CRD.Spec.Group, Version: "v1beta1", Plural: "crontabs", Namespace: "default"}
		t.Run(r.Group, func(t *testing.T) {
			k := kind{scene: scene, beta: r, v1: r.In("v1")}
			k.waitGuarded(t)
			t.Run("replaced without its stash", k.testReplaced)
			t.Run("being deleted", k.testBeingDeleted)
			t.Run("replaced with a stale stash", k.testStale)
			t.Run("patched with a forged stash", k.testForged)
			t.Run("an apply that takes back", k.testTakenBack)
			t.Run("an apply by somebody else", k.testOtherApply)
			t.Run("status", k.testStatus)
			t.Run("scale", k.testScale)
			t.Run("created with a stash", k.testCreated)
			t.Run("an element that is gone", k.testGone)
			t.Run("stashes that are of no use", k.testUseless)
			t.Run("a value that cannot be shown", k.testStrict)
			t.Run("an object of before", k.testLegacy)
			t.Run("many writers at once", k.testConcurrent)
		})
	}
	t.Run("registration", func(t *testing.T) { testRegistration(t, programs, scene) }) // it takes webhooks away
}

// kind is the resource in both versions. Only v1beta1 shows spec.shell and
// status.message, and only v1 spec.timeZone and status.lastRunTime.
type kind struct {
	scene    *harness.Scene
	beta, v1 harness.Resource
}

// create makes an object with something that only one version shows in each part.
func (k kind) create(t *testing.T, name string) {
	t.Helper()
	k.do(t)(k.beta.Create(t.Context(), k.object(k.beta, name, "", `"shell":"/bin/dash","hostPort":"a.example.com:1"`)))
	k.do(t)(k.v1.MergePatch(t.Context(), name, `{"spec":{"timeZone":"Europe/Zurich"}}`))
	k.do(t)(k.beta.MergePatch(t.Context(), name+"/status", `{"status":{"message":"done"}}`))
	k.do(t)(k.v1.MergePatch(t.Context(), name+"/status", `{"status":{"lastRunTime":"2026-01-02T03:04:05Z"}}`))
	k.wantWhole(t, name)
}

func (k kind) object(r harness.Resource, name, metadata, spec string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q%s},"spec":{"cronSpec":"* * * * *","image":"example.com/a:1",%s}}`,
		r.APIVersion(), name, metadata, spec)
}

// do ends the test unless a write succeeded.
func (k kind) do(t *testing.T) func([]byte, error) {
	t.Helper()
	return func(_ []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// wantWhole wants what create has made, but for what is named.
func (k kind) wantWhole(t *testing.T, name string, but ...string) {
	t.Helper()
	lost := strings.Join(but, " ")
	for field, want := range map[string]any{
		"spec.shell": "/bin/dash", "status.message": "done",
		"spec.timeZone": "Europe/Zurich", "status.lastRunTime": "2026-01-02T03:04:05Z",
	} {
		r := k.beta
		if field == "spec.timeZone" || field == "status.lastRunTime" {
			r = k.v1
		}
		got, there := k.value(t, r, name, field)
		switch gone := strings.Contains(lost, field); {
		case gone && there:
			t.Errorf("%s is still %v", field, got)
		case !gone && got != want:
			t.Errorf("%s is %v, want %v", field, got, want)
		}
	}
}

func (k kind) value(t *testing.T, r harness.Resource, name, field string) (any, bool) {
	t.Helper()
	return exact.At(check.Decode(t, check.Get(t, r, name)), strings.Split(field, ".")...)
}

func (k kind) want(t *testing.T, r harness.Resource, name, field string, want any) {
	t.Helper()
	if got, _ := k.value(t, r, name, field); got != want {
		t.Errorf("%s of %s in %s is %v, want %v", field, name, r.Version, got, want)
	}
}

// both runs a test through the version that does not show a field, for either.
func (k kind) both(t *testing.T, test func(t *testing.T, r harness.Resource, name string)) {
	for _, r := range []harness.Resource{k.beta, k.v1} {
		t.Run("through "+r.Version, func(t *testing.T) {
			name := strings.NewReplacer("/", "-", "_", "-", ".", "-").Replace(strings.ToLower(t.Name()))
			name = name[max(0, len(name)-50):]
			name = strings.Trim(name, "-")
			k.create(t, name)
			test(t, r, name)
		})
	}
}

// waitGuarded waits until the API server asks the guard: it hears of webhooks some
// time after they are registered.
func (k kind) waitGuarded(t *testing.T) {
	t.Helper()
	stage.Until(t, time.Minute, func(ctx context.Context) error {
		if _, err := k.beta.Create(ctx, k.object(k.beta, "refused", "", `"hostPort":"nonsense"`)); err != nil && strings.Contains(err.Error(), "spec.hostPort") {
			return nil
		}
		_, _ = k.beta.Delete(ctx, "refused")
		return fmt.Errorf("%s is not guarded", k.beta.Group)
	})
}
