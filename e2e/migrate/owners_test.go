package migrate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// ownerless is a CRD without conversion and without status, whose v1 has a default.
const ownerless = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ownerless.removed.example.com}
spec:
  group: removed.example.com
  scope: Namespaced
  names: {kind: Ownerless, plural: ownerless}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, colour: {type: string}}}}}}
  - name: v1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, colour: {type: string, default: green}}}}}}
`

// owners are an object's managers, each with the version and the fields of its entry.
func owners(t *testing.T, of harness.Resource, name string) map[string]string {
	t.Helper()
	data, err := of.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	var object struct {
		Metadata struct {
			ManagedFields []struct {
				Manager, Subresource, APIVersion string
				FieldsV1                         json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range object.Metadata.ManagedFields {
		all[strings.TrimSuffix(e.Manager+"/"+e.Subresource, "/")] = strings.TrimPrefix(e.APIVersion, of.Group+"/") + " " + string(e.FieldsV1)
	}
	return all
}

func wantOwners(t *testing.T, of harness.Resource, name string, want map[string]string) {
	t.Helper()
	if got := owners(t, of, name); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("owners of %s are\n%v\nwant\n%v", name, got, want)
	}
}

// changeVersion changes a version of the CRD, by its place in spec.versions, and waits
// until the version is no longer served.
func (w *world) changeVersion(t *testing.T, of harness.Resource, patch string) {
	t.Helper()
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", patch)
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		if _, _, err := of.List(ctx); err == nil {
			return fmt.Errorf("%s is served still", of.Version)
		}
		return nil
	})
}

// testOwners migrates objects whose fields belong to clients of a version that is not
// served any more: then the version can be removed, and everybody can still apply.
func testOwners(t *testing.T, w *world) {
	const applied = `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":"nightly"},"spec":{"cronSpec":"0 2 * * *","image":"example.com/backup:1.4",%s}}`
	v1 := w.beta.In("v1")
	if _, err := w.beta.Apply(t.Context(), "nightly", "ops", fmt.Appendf(nil, applied, w.beta.APIVersion(), `"hostPort":"localhost:1234","shell":"/bin/dash"`)); err != nil {
		t.Fatal(err)
	}
	w.kubectl(t, "patch", "crontabs.v1beta1."+w.beta.Group, "nightly", "--subresource=status", "--type=merge", "-p", `{"status":{"message":"done","replicas":2}}`)
	generation := func() string {
		return w.kubectl(t, "get", "crontabs.v1."+w.beta.Group, "nightly", "-o", "jsonpath={.metadata.generation} {.spec} {.status} {.metadata.annotations}")
	}
	w.store(t, "v1")
	w.waitStored(t, "v1")
	before := generation()
	w.changeVersion(t, w.beta, `[{"op":"replace","path":"/spec/versions/0/served","value":false}]`)
	w.migrate(t, w.crd, "--quiet").want(t, ended{out: strings.ReplaceAll(`CRD: 1 object is stored in v1: 1 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
CRD: status.storedVersions is trimmed from v1beta1, v1 to v1
CRD: v1beta1 can be removed from spec.versions: it is not served, no object is stored in it, and none names it in managedFields
`, "CRD", w.crd)})
	wantOwners(t, v1, "nightly", map[string]string{
		"ops":                  `v1 {"f:spec":{"f:cronSpec":{},"f:host":{},"f:image":{},"f:port":{}}}`,
		"kubectl-patch/status": `v1 {"f:status":{".":{},"f:replicas":{}}}`,
	})
	if after := generation(); after != before {
		t.Errorf("the object was\n%s\nand is\n%s", before, after)
	}
	removed := w.kubectl(t, "get", "crd", w.crd, "-o", "jsonpath={.spec.versions[0]}")
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", `[{"op":"remove","path":"/spec/versions/0"}]`)
	// The owner of a field is still asked.
	object := fmt.Appendf(nil, applied, v1.APIVersion(), `"host":"localhost","port":"1234"`)
	if _, err := v1.Apply(t.Context(), "nightly", "ops", object); err != nil {
		t.Error(err)
	}
	if _, err := v1.Apply(t.Context(), "nightly", "others", []byte(strings.Replace(string(object), "1234", "4321", 1))); err == nil || !strings.Contains(err.Error(), `conflict with \"ops\": .spec.port`) {
		t.Errorf("another manager applies: %v", err)
	}

	// What is kept for the version is there again with the version: docs/retire.md.
	back := strings.Replace(removed, `"served":false`, `"served":true`, 1)
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", `[{"op":"add","path":"/spec/versions/0","value":`+back+`}]`)
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		data, err := w.beta.Get(ctx, "nightly")
		if err == nil && !(strings.Contains(string(data), `"shell":"/bin/dash"`) && strings.Contains(string(data), `"message":"done"`)) {
			err = fmt.Errorf("the object is %s", data)
		}
		return err
	})
}

// testRemoved repairs objects after their owners' version was removed, and holds what
// docs/migrate.md says of a default.
func testRemoved(t *testing.T, w *world) {
	w.crd = "ownerless.removed.example.com"
	w.apply(t, ownerless)
	w.kubectl(t, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+w.crd)
	beta := harness.Resource{API: w.beta.API, Group: "removed.example.com", Version: "v1beta1", Plural: "ownerless", Namespace: "default"}
	v1 := beta.In("v1")
	object := func(of harness.Resource, name string) []byte {
		return fmt.Appendf(nil, `{"apiVersion":%q,"kind":"Ownerless","metadata":{"name":%q},"spec":{"size":3}}`, of.APIVersion(), name)
	}
	create := func(name string) {
		if _, err := beta.Apply(t.Context(), name, "ops", object(beta, name)); err != nil {
			t.Fatal(err)
		}
	}
	create("early")
	w.changeVersion(t, beta, `[
		{"op":"replace","path":"/spec/versions/0/storage","value":false}, {"op":"replace","path":"/spec/versions/1/storage","value":true},
		{"op":"replace","path":"/spec/versions/0/served","value":false}]`)
	w.migrate(t, w.crd, "--quiet").want(t, ended{out: strings.ReplaceAll(`CRD: 1 object is stored in v1: 1 rewritten, 0 already stored in it; 0 deleted meanwhile, 0 failed
CRD: status.storedVersions is trimmed from v1beta1, v1 to v1
CRD: v1beta1 can be removed from spec.versions: it is not served, no object is stored in it, and none names it in managedFields
`, "CRD", w.crd)})
	mine := map[string]string{"ops": `v1 {"f:spec":{"f:size":{}}}`}
	wantOwners(t, v1, "early", mine)
	// The default was stored by a patch of the object itself.
	if got := w.kubectl(t, "get", w.crd, "early", "-o", "jsonpath={.metadata.generation} {.spec}"); got != `2 {"colour":"green","size":3}` {
		t.Errorf("the object is %s", got)
	}

	// A client of v1beta1 writes until it is removed.
	w.kubectl(t, "patch", "crd", w.crd, "--type=json", "-p", `[{"op":"replace","path":"/spec/versions/0/served","value":true}]`)
	eventually(t, 30*time.Second, func(ctx context.Context) error {
		_, _, err := beta.List(ctx)
		return err
	})
	create("late")
	w.changeVersion(t, beta, `[{"op":"remove","path":"/spec/versions/0"}]`)
	apply := func() error {
		_, err := v1.Apply(t.Context(), "late", "ops", object(v1, "late"))
		return err
	}
	if err := apply(); err == nil || !strings.Contains(err.Error(), "request to convert CR to an invalid group/version: removed.example.com/v1beta1") {
		t.Errorf("an apply after the version is removed: %v", err)
	}
	w.migrate(t, w.crd, "--quiet").want(t, ended{out: strings.ReplaceAll(`CRD: 2 objects are stored in v1: 1 rewritten, 1 already stored in it; 0 deleted meanwhile, 0 failed
CRD: status.storedVersions is v1 already
`, "CRD", w.crd)})
	wantOwners(t, v1, "late", mine)
	if err := apply(); err != nil {
		t.Error(err)
	}
}
