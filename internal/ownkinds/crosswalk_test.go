package ownkinds

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation"
)

const crontabs = "crontabs.stable.example.com"

// crds has the example's CRD.
type crds struct {
	crd *apiextensionsv1.CustomResourceDefinition
	err error
}

func (c crds) CRD(_ context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	if c.err != nil || c.crd == nil || c.crd.Name != name {
		return nil, c.err
	}
	return c.crd, nil
}

func example(t *testing.T) crds {
	t.Helper()
	text, err := os.ReadFile("../../examples/crontab/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal(text, crd); err != nil {
		t.Fatal(err)
	}
	return crds{crd: crd}
}

// crosswalk is the JSON of one; spec is YAML.
func crosswalk(t *testing.T, name, spec string) []byte {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte("apiVersion: crosswalk.dev/v1alpha1\nkind: Crosswalk\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func request(now, old []byte) *admissionv1.AdmissionRequest {
	r := &admissionv1.AdmissionRequest{
		Kind:      metav1.GroupVersionKind{Group: "crosswalk.dev", Version: "v1alpha1", Kind: "Crosswalk"},
		Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: now}, OldObject: runtime.RawExtension{Raw: old},
	}
	if old != nil {
		r.Operation = admissionv1.Update
	}
	return r
}

func messages(v *validation.Verdict) []string {
	var all []string
	for _, c := range v.Causes {
		all = append(all, c.Field+": "+c.Message)
	}
	for _, w := range v.Warnings {
		all = append(all, "Warning: "+w)
	}
	return all
}

const goodRow = `{spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}`

func TestCrosswalks(t *testing.T) {
	for name, test := range map[string]struct {
		name, spec string
		want       []string
	}{
		"fits": {crontabs, `{hub: v1, versions: [{name: v1beta1, rows: [` + goodRow + `]}]}`, nil},
		"wrong paths": {crontabs, `{hub: v1, versions: [{name: v1beta1, rows: [
			{spoke: .spec.hostPorts, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"},
			{spoke: .spec.cronSpec, hub: .spec.cronSpecs}]}]}`, []string{
			"spec.versions[0].rows[0]: v1beta1 (.spec.hostPorts <-> .spec.host, .spec.port): spoke path .spec.hostPorts is not in the v1beta1 schema; did you mean .spec.hostPort?",
			"spec.versions[0].rows[1]: v1beta1 (.spec.cronSpec <-> .spec.cronSpecs): hub path .spec.cronSpecs is not in the v1 schema; did you mean .spec.cronSpec?",
		}},
		"no such hub":     {crontabs, `{hub: v3}`, []string{"spec.hub: hub v3 is not a version of the CRD, which has v1beta1, v1; did you mean v1?"}},
		"no such version": {crontabs, `{hub: v1, versions: [{name: v1beta1, rows: [` + goodRow + `]}, {name: v7}]}`, []string{"spec.versions[1]: v7: this is not a version of the CRD, which has v1beta1, v1; remove the entry"}},
		"not written as a Crosswalk": {crontabs, `{hub: v1, admission: no, versions: [{name: v1beta1, rows: [{spok: .a, each: {rows: [{hub: 5}]}}]}]}`, []string{
			"spec.admission: must be a string, not a boolean; put it in quotes",
			"spec.versions[0].rows[0].spok: unknown field; did you mean spoke?",
			"spec.versions[0].rows[0].each.rows[0].hub: must be a path or a map from names to paths, not a number; write hub: .spec.a, or hub: {a: .spec.a, b: .spec.b}",
		}},
		"no spec":  {crontabs, `null`, []string{"spec: must be a map, not null"}},
		"no name":  {`""`, `{hub: v1}`, []string{"metadata.name: is missing: name the table for its CustomResourceDefinition"}},
		"no CRD":   {"things.example.com", `{hub: v1}`, []string{"Warning: there is no CustomResourceDefinition things.example.com yet, so the table was not checked; a Crosswalk must have the name of its CRD"}},
		"opts out": {crontabs, `{hub: v1, admission: None, versions: [{name: v1beta1, rows: [` + goodRow + `]}]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := Crosswalks(example(t)).Review(t.Context(), request(crosswalk(t, test.name, test.spec), nil))
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(test.want)
			if got := messages(verdict); !slices.Equal(slices.Sorted(slices.Values(got)), test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// A table that no longer compiles, because its CRD has changed, can still be deleted.
func TestSpecIsLeftAlone(t *testing.T) {
	broken := crosswalk(t, crontabs, `{hub: v3}`)
	for name, test := range map[string]struct {
		now     string
		allowed bool
	}{
		"a finalizer": {strings.Replace(string(broken), `"metadata":{`, `"metadata":{"finalizers":["crosswalk.dev/disarm"],`, 1), true},
		"a status":    {strings.TrimSuffix(string(broken), "}") + `,"status":{"kind":"CronTab"}}`, true},
		"a worse hub": {strings.Replace(string(broken), "v3", "v4", 1), false},
		"no spec":     {`{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"` + crontabs + `"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := Crosswalks(example(t)).Review(t.Context(), request([]byte(test.now), broken))
			if err != nil || verdict.Allowed() != test.allowed {
				t.Errorf("got %v, %v", messages(verdict), err)
			}
		})
	}
}

// What cannot be judged is not denied.
func TestUnknownCRDIsAnError(t *testing.T) {
	table := crosswalk(t, crontabs, `{hub: v1}`)
	_, err := Crosswalks(crds{err: errors.New("the API server is unavailable")}).Review(t.Context(), request(table, nil))
	if err == nil || err.Error() != "customresourcedefinition "+crontabs+": the API server is unavailable" {
		t.Errorf("got %v", err)
	}
}

func TestOthersPass(t *testing.T) {
	for name, change := range map[string]func(*admissionv1.AdmissionRequest){
		"another kind":  func(r *admissionv1.AdmissionRequest) { r.Kind.Kind = "Canary" },
		"another group": func(r *admissionv1.AdmissionRequest) { r.Kind.Group = "example.com" },
		"status":        func(r *admissionv1.AdmissionRequest) { r.SubResource = "status" },
		"deletion": func(r *admissionv1.AdmissionRequest) {
			r.Operation, r.OldObject, r.Object = admissionv1.Delete, r.Object, runtime.RawExtension{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(crosswalk(t, crontabs, `{hub: v3}`), nil)
			change(r)
			verdict, err := Crosswalks(example(t)).Review(t.Context(), r)
			if err != nil || !verdict.Allowed() || verdict.Warnings != nil {
				t.Errorf("got %v, %v", messages(verdict), err)
			}
		})
	}
}

// What a table may not mean does not keep anybody from writing it.
func TestCrosswalkWarnings(t *testing.T) {
	known := example(t)
	spec := known.crd.Spec.Versions[1].Schema.OpenAPIV3Schema.Properties["spec"]
	image := spec.Properties["image"]
	image.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"one"`)}}
	spec.Properties["image"] = image
	verdict, err := Crosswalks(known).Review(t.Context(), request(crosswalk(t, crontabs, `{hub: v1, versions: [{name: v1beta1, rows: [`+goodRow+`]}]}`), nil))
	want := `Warning: spec.versions[0]: v1beta1: v1beta1 allows any value in .spec.image, but v1 only allows "one" in .spec.image: other values are passed unchanged, but an object with such a value can't be written in v1; ` +
		"map the values, and keep other values: {spoke: .spec.image, hub: .spec.image, values: {one: one}, closed: true}"
	if err != nil || !verdict.Allowed() || !slices.Equal(messages(verdict), []string{want}) {
		t.Errorf("got %v, %v\nwant %s", messages(verdict), err, want)
	}
}
