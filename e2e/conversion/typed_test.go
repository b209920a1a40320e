package conversion

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// dumps reads the CRD for a group, with a version stored.
func dumps(t *testing.T, group, stored string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile("testdata/typed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	crd.Name, crd.Spec.Group = "dumps."+group, group
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == stored
	}
	return crd
}

// testTyped serves types that convert themselves, unchanged, from a manager of
// controller-runtime. kubectl writes either version, with either stored, and what
// the code loses comes back.
func testTyped(t *testing.T, plane *harness.ControlPlane) {
	stores := map[string]string{"v1-stored.dumps.example.com": "v1", "v1beta1-stored.dumps.example.com": "v1beta1"}
	var crds []*apiextensionsv1.CustomResourceDefinition
	var groups []string
	for group, stored := range stores {
		crds, groups = append(crds, dumps(t, group, stored)), append(groups, group)
	}
	m := startDumpManager(t, plane, crds...)
	items := m.configurations(groups...)
	for _, crd := range crds {
		m.arm(crd)
		items = append(items, crd)
	}
	manifest, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plane.KubectlWith(t.Context(), string(manifest), "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	for group, stored := range stores {
		k := dumpKubectl{plane, group}
		t.Run(stored+" stored", func(t *testing.T) {
			stage.Until(t, time.Minute, func(ctx context.Context) error {
				_, err := plane.Kubectl(ctx, "get", k.resource("v1beta1"))
				return err
			})
			k.testOldToNew(t)
			k.testNewToOld(t)
			k.testRefusals(t)
		})
	}
}

// dumpKubectl is a user of one of the kinds.
type dumpKubectl struct {
	plane *harness.ControlPlane
	group string
}

func (k dumpKubectl) resource(version string) string { return "dumps." + version + "." + k.group }

func (k dumpKubectl) run(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := k.plane.KubectlWith(t.Context(), stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (k dumpKubectl) object(version, name, metadata, spec string) string {
	return `{"apiVersion":"` + k.group + `/` + version + `","kind":"Dump","metadata":{"name":"` + name + `","namespace":"default"` + metadata + `},"spec":` + spec + `}`
}

// want reads labels and spec.
func (k dumpKubectl) want(t *testing.T, version, name, want string) {
	t.Helper()
	if got := k.run(t, "", "get", k.resource(version), name, "-o", "jsonpath={.metadata.labels}{.spec}"); got != want {
		t.Errorf("%s in %s: got  %s\nwant %s", name, version, got, want)
	}
}

// testOldToNew: somebody writes v1beta1, and others v1.
func (k dumpKubectl) testOldToNew(t *testing.T) {
	k.run(t, k.object("v1beta1", "old", `,"labels":{"team":"ops"}`, `{"hostPort":"db:5432","image":"i","shell":"/bin/dash","revision":9007199254740993}`), "apply", "-f", "-")
	k.want(t, "v1", "old", `{"team":"ops"}{"host":"db","image":"i","port":5432,"revision":9007199254740993}`)
	k.run(t, "", "patch", k.resource("v1"), "old", "--type=merge", "-p", `{"spec":{"port":5433}}`)
	k.want(t, "v1beta1", "old", `{"team":"ops"}{"hostPort":"db:5433","image":"i","revision":9007199254740993,"shell":"/bin/dash"}`)
	// A client that knows nothing of annotations.
	k.run(t, k.object("v1", "old", "", `{"host":"db2","port":1,"timeZone":"UTC"}`), "replace", "-f", "-")
	k.want(t, "v1beta1", "old", `{"hostPort":"db2:1","shell":"/bin/dash"}`)
	k.want(t, "v1", "old", `{"host":"db2","port":1,"timeZone":"UTC"}`)
}

// testNewToOld: somebody writes v1, and others v1beta1.
func (k dumpKubectl) testNewToOld(t *testing.T) {
	k.run(t, k.object("v1", "new", `,"labels":{"team":"ops"}`, `{"host":"db","port":5432,"timeZone":"UTC"}`), "apply", "--server-side", "-f", "-")
	k.want(t, "v1beta1", "new", `{"team":"ops"}{"hostPort":"db:5432"}`)
	k.run(t, k.object("v1beta1", "new", "", `{"image":"j","shell":"/bin/sh"}`), "apply", "--server-side", "--field-manager=other", "-f", "-")
	k.want(t, "v1beta1", "new", `{"team":"ops"}{"hostPort":"db:5432","image":"j","shell":"/bin/sh"}`)
	k.want(t, "v1", "new", `{"team":"ops"}{"host":"db","image":"j","port":5432,"timeZone":"UTC"}`)
	k.run(t, "", "label", k.resource("v1beta1"), "new", "team-")
	k.want(t, "v1", "new", `{"host":"db","image":"j","port":5432,"timeZone":"UTC"}`)
	k.run(t, "", "delete", k.resource("v1beta1"), "new")
}

// testRefusals: what the code does not convert is said when it is written.
func (k dumpKubectl) testRefusals(t *testing.T) {
	_, err := k.plane.Kubectl(t.Context(), "patch", k.resource("v1beta1"), "old", "--type=merge", "-p", `{"spec":{"hostPort":"nowhere"}}`)
	const want = `The Dump "old" is invalid: spec.hostPort: the value can't be represented in v1: the code that converts it returns: "nowhere" does not end with a port; use a value that it converts`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("kubectl says %v\nwant %s", err, want)
	}
}
