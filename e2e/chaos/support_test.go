package chaos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// long reports whether there is time for tests that wait for a Lease.
func long() bool { return os.Getenv("CROSSWALK_CHAOS_LONG") != "" }

// wantMessage wants a message word for word.
func wantMessage(t testing.TB, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("the message is\n%s\nwant\n%s", got, want)
	}
}

// wantNotReady wants that the Crosswalk gives a reason why it is not ready.
func (t table) wantNotReady(tb testing.TB, reason string) {
	tb.Helper()
	t.waitCondition(tb, v1alpha1.ConditionReady, reason)
}

// wantObject writes an object through each version, and reads it in all.
func (t table) wantObject(tb testing.TB) {
	tb.Helper()
	for _, version := range versions() {
		o, err := create(tb.Context(), t, "object-"+version, version)
		if err != nil {
			tb.Fatal(err)
		}
		if err := o.checkAll(tb.Context()); err != nil {
			tb.Error(err)
		}
	}
}

// withRow is the same table with one more row, as JSON.
func (t table) withRow(tb testing.TB, row string) table {
	tb.Helper()
	return t.edited(tb, func(c *v1alpha1.Crosswalk) {
		var r v1alpha1.Row
		if err := json.Unmarshal([]byte(row), &r); err != nil {
			tb.Fatal(err)
		}
		c.Spec.Versions[0].Rows = append(c.Spec.Versions[0].Rows, r)
	})
}

// broken is the same table, which fits no more.
func (t table) broken(tb testing.TB) table {
	tb.Helper()
	return t.withRow(tb, `{"spoke": ".spec.hots", "hub": ".spec.image"}`)
}

// edited is the same table after an edit.
func (t table) edited(tb testing.TB, edit func(*v1alpha1.Crosswalk)) table {
	tb.Helper()
	text, err := json.Marshal(t.Crosswalk)
	if err != nil {
		tb.Fatal(err)
	}
	next := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(text, next); err != nil {
		tb.Fatal(err)
	}
	edit(next)
	t.Crosswalk = next
	return t
}

// withVersion is the same CRD with v2, which is like v1.
func (t table) withVersion(storage bool) table {
	crd := t.CRD.DeepCopy()
	for i := range crd.Spec.Versions {
		if crd.Spec.Versions[i].Name == "v1" {
			v2 := crd.Spec.Versions[i].DeepCopy()
			v2.Name, v2.Storage = "v2", storage
			crd.Spec.Versions = append(crd.Spec.Versions, *v2)
		}
	}
	if storage {
		for i := range crd.Spec.Versions {
			crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == "v2"
		}
	}
	t.CRD = crd
	return t
}

// withField is the same CRD with one more field in one version.
func (t table) withField(version, field string) table {
	crd := t.CRD.DeepCopy()
	for i := range crd.Spec.Versions {
		if crd.Spec.Versions[i].Name == version {
			crd.Spec.Versions[i].Schema.OpenAPIV3Schema.Properties["spec"].Properties[field] = apiextensionsv1.JSONSchemaProps{Type: "string"}
		}
	}
	t.CRD = crd
	return t
}

// revisions are the names of the table's ControllerRevisions.
func (t table) revisions(tb testing.TB) []string {
	tb.Helper()
	data, err := t.API().Get(tb.Context(), revisionsPath)
	if err != nil {
		tb.Fatal(err)
	}
	var list struct {
		Items []struct{ Metadata struct{ Name string } }
	}
	if err := json.Unmarshal(data, &list); err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, item := range list.Items {
		if strings.HasPrefix(item.Metadata.Name, t.name()+"-") {
			names = append(names, item.Metadata.Name)
		}
	}
	return names
}

// remove deletes an object, which must be there.
func (w *world) remove(tb testing.TB, path string) {
	tb.Helper()
	if _, err := w.API().Do(tb.Context(), http.MethodDelete, path, "", nil); err != nil {
		tb.Fatal(err)
	}
}

// fingerprint is that of the table that the CRD is armed with.
func (t table) fingerprint(tb testing.TB) string {
	tb.Helper()
	crosswalk, err := t.live(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return crosswalk.Status.Fingerprint
}

func firstState() state {
	return state{image: "example.com/backup:1", host: "a.example.com", port: 1, replicas: 3}
}

// secretsPath is where Secrets of Crosswalk's namespace are.
func secretsPath(name string) string {
	return fmt.Sprintf("/api/v1/namespaces/crosswalk-system/secrets/%s", name)
}
