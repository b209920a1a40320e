package webhook_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

var _ webhook.Guardian = (*typed.Converter)(nil)

// typedCrontabs are Tables with code for the CRD of the example.
func typedCrontabs(t *testing.T) *webhook.Tables {
	t.Helper()
	text, err := os.ReadFile("../examples/crontab/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &CronTabV1{}, "v1beta1": &CronTabV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: "CronTab"}, object)
	}
	up := func(spoke *CronTabV1beta1, hub *CronTabV1) error {
		if address := spoke.Spec.HostPort; address != "" && !strings.Contains(address, ":") {
			return errors.New("no port in " + address)
		}
		return spoke.ConvertTo(hub)
	}
	c, err := typed.New(crd, scheme, "1", typed.Spoke("v1beta1", up, func(hub *CronTabV1, spoke *CronTabV1beta1) error { return spoke.ConvertFrom(hub) }))
	if err != nil {
		t.Fatal(err)
	}
	tables := webhook.NewTables(nil)
	if err := tables.Replace([]webhook.Converter{c}); err != nil {
		t.Fatal(err)
	}
	return tables
}

func writeOf(version, object, old string) *admissionv1.AdmissionRequest {
	raw := func(rest string) (raw runtime.RawExtension) {
		if rest != "" {
			raw.Raw = []byte(`{"apiVersion":"stable.example.com/` + version + `","kind":"CronTab","metadata":{"name":"a"` + rest + `}`)
		}
		return raw
	}
	operation := admissionv1.Create
	if old != "" {
		operation = admissionv1.Update
	}
	return &admissionv1.AdmissionRequest{
		UID: "u-1", Operation: operation, Name: "a",
		Kind:   metav1.GroupVersionKind{Group: "stable.example.com", Version: version, Kind: "CronTab"},
		Object: raw(object), OldObject: raw(old),
	}
}

// TestWritesOfTypes are guarded as those of kinds with a table are: a client that
// drops what another version shows, values that the code does not convert, and
// stashes that no schema allows.
func TestWritesOfTypes(t *testing.T) {
	tables := typedCrontabs(t)
	const kept = `,"annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"entries\":[{\"at\":[\"spec\",\"shell\"],\"value\":\"/bin/dash\"}]}"}`
	verdict, err := webhook.Guard(tables).Review(t.Context(), writeOf("v1", `},"spec":{"image":"j"}`, kept+`},"spec":{"image":"i"}`))
	if err != nil || !verdict.Allowed() || !strings.Contains(string(verdict.Object), "/bin/dash") {
		t.Errorf("got %+v, %v", verdict, err)
	}
	forged := strings.Replace(kept, `\"/bin/dash\"`, `7`, 1)
	for name, test := range map[string]struct{ version, now, old, field string }{
		"fine":             {version: "v1beta1", now: `},"spec":{"hostPort":"a:1"}`},
		"no port":          {version: "v1beta1", now: `},"spec":{"hostPort":"a"}`, field: "spec.hostPort"},
		"no port any more": {version: "v1beta1", now: `},"spec":{"hostPort":"a"}`, old: `},"spec":{"hostPort":"a:1"}`, field: "spec.hostPort"},
		"none before":      {version: "v1beta1", now: `},"spec":{"hostPort":"a","shell":"x"}`, old: `},"spec":{"hostPort":"a"}`},
		"finalized":        {version: "v1beta1", now: `},"spec":{"hostPort":"a"}`, old: `,"finalizers":["x"]},"spec":{"hostPort":"a"}`},
		"a forged stash":   {version: "v1", now: forged + `},"spec":{"image":"i"}`, field: "spec.shell"},
	} {
		verdict, err := webhook.StrictWrites(tables).Review(t.Context(), writeOf(test.version, test.now, test.old))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if test.field == "" && !verdict.Allowed() || test.field != "" && (len(verdict.Causes) != 1 || verdict.Causes[0].Field != test.field) {
			t.Errorf("%s: got %+v", name, verdict.Causes)
		}
	}
}
