package ownkinds

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// names are the Crosswalks that there are.
type names struct {
	all []string
	err error
}

func (n names) Has(_ context.Context, name string) (bool, error) {
	for _, one := range n.all {
		if one == name {
			return true, n.err
		}
	}
	return false, n.err
}

func keeper() KeepConversion {
	return KeepConversion{
		Service: cluster.Service{Namespace: "crosswalk-system", Name: "crosswalk"}, Armer: "crosswalk-arming",
		Crosswalks: names{all: []string{crontabs}},
	}
}

const ours = `{"strategy":"Webhook","webhook":{"clientConfig":{"service":{"namespace":"crosswalk-system","name":"crosswalk","path":"/convert/0123","port":443},"caBundle":"PGE+"},"conversionReviewVersions":["v1"]}}`

// crdJSON is a CRD with a conversion, which may be empty. Its schema holds what a
// decoder could spoil.
func crdJSON(conversion string) string {
	if conversion != "" {
		conversion = `"conversion":` + conversion + `,`
	}
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"` + crontabs + `"},"spec":{` + conversion +
		`"group":"stable.example.com","versions":[{"name":"v1","schema":{"openAPIV3Schema":{"default":{"n":9007199254740993,"f":1.50,"s":"<&>"}}}}]}}`
}

func crdRequest(old, now string) *admissionv1.AdmissionRequest {
	return &admissionv1.AdmissionRequest{
		Kind: metav1.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
		Name: crontabs, Operation: admissionv1.Update,
		Object: runtime.RawExtension{Raw: []byte(now)}, OldObject: runtime.RawExtension{Raw: []byte(old)},
		Options: runtime.RawExtension{Raw: []byte(`{"kind":"UpdateOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"kubectl-replace"}`)},
	}
}

func TestConversionIsKept(t *testing.T) {
	const none = `{"strategy":"None"}`
	const elsewhere = `{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://example.com"},"conversionReviewVersions":["v1"]}}`
	for name, test := range map[string]struct {
		old, now string
		change   func(*admissionv1.AdmissionRequest, *KeepConversion)
		keeps    bool
	}{
		"set to None":       {old: ours, now: none, keeps: true},
		"left out":          {old: ours, now: "", keeps: true},
		"unchanged":         {old: ours, now: ours},
		"taken over":        {old: ours, now: elsewhere},
		"never ours":        {old: elsewhere, now: none},
		"never armed":       {old: none, now: ""},
		"armed":             {old: none, now: ours},
		"another namespace": {old: strings.Replace(ours, "crosswalk-system", "other", 1), now: none},
		"disarmed by manage": {old: ours, now: none, change: func(r *admissionv1.AdmissionRequest, _ *KeepConversion) {
			r.Options.Raw = []byte(`{"kind":"PatchOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"crosswalk-arming"}`)
		}},
		"options that say nothing": {old: ours, now: none, keeps: true, change: func(r *admissionv1.AdmissionRequest, _ *KeepConversion) {
			r.Options.Raw = nil
		}},
		"the Crosswalk is gone": {old: ours, now: none, change: func(_ *admissionv1.AdmissionRequest, k *KeepConversion) { k.Crosswalks = names{} }},
		"status":                {old: ours, now: none, change: func(r *admissionv1.AdmissionRequest, _ *KeepConversion) { r.SubResource = "status" }},
		"a creation": {old: ours, now: none, change: func(r *admissionv1.AdmissionRequest, _ *KeepConversion) {
			r.Operation, r.OldObject.Raw = admissionv1.Create, nil
		}},
		"another kind": {old: ours, now: none, change: func(r *admissionv1.AdmissionRequest, _ *KeepConversion) { r.Kind.Kind = "Thing" }},
	} {
		t.Run(name, func(t *testing.T) {
			k, r := keeper(), crdRequest(crdJSON(test.old), crdJSON(test.now))
			if test.change != nil {
				test.change(r, &k)
			}
			before := string(r.Object.Raw)
			verdict, err := k.Review(t.Context(), r)
			if err != nil || !verdict.Allowed() {
				t.Fatalf("got %+v, %v", verdict, err)
			}
			if string(r.Object.Raw) != before {
				t.Error("the request is changed")
			}
			want := ""
			if test.keeps {
				want = crdJSON(ours) // all but the conversion byte for byte
			}
			if got := string(verdict.Object); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if told := len(verdict.Warnings) == 1; told != test.keeps {
				t.Errorf("warns %v", verdict.Warnings)
			}
		})
	}
}

func TestKeepingFails(t *testing.T) {
	k := keeper()
	k.Crosswalks = names{err: errors.New("the cache is not filled")}
	if _, err := k.Review(t.Context(), crdRequest(crdJSON(ours), crdJSON(""))); err == nil || err.Error() != "crosswalk "+crontabs+": the cache is not filled" {
		t.Errorf("got %v", err)
	}
	if _, err := keeper().Review(t.Context(), crdRequest(crdJSON(ours), "[")); err == nil {
		t.Error("what is no CRD passes")
	}
}

// Only spec.conversion changes, whatever else there is.
func FuzzWithConversion(f *testing.F) {
	f.Add(crdJSON(""), crdJSON(ours))
	f.Add(crdJSON(`{"strategy":"None"}`), crdJSON(ours))
	f.Add(`{"spec":{}}`, `{"spec":{"conversion":1}}`)
	f.Add(`{ "spec" : { "conversion" : null , "a" : 1 } }`, crdJSON(ours))
	f.Add(`{"spec":[]}`, `{"spec":{"conversion":{}}}`)
	f.Fuzz(func(t *testing.T, crd, from string) {
		got, err := withConversion([]byte(crd), []byte(from))
		var now, old, out map[string]any
		if json.Unmarshal([]byte(crd), &now) != nil || json.Unmarshal([]byte(from), &old) != nil {
			return // the API server sends JSON, and Review has decoded it
		}
		spec, isMap := now["spec"].(map[string]any)
		theirs, _ := old["spec"].(map[string]any)
		conversion, has := theirs["conversion"]
		if err != nil || !isMap || !has || repeats(crd) || repeats(from) {
			return
		}
		spec["conversion"] = conversion
		if err := json.Unmarshal(got, &out); err != nil || !reflect.DeepEqual(out, now) {
			t.Errorf("%v: got %s", err, got)
		}
	})
}

// repeats reports whether a name may occur twice, which no API server writes.
func repeats(text string) bool {
	return strings.Count(text, `"spec"`) > 1 || strings.Count(text, `"conversion"`) > 1 || strings.Contains(text, `\`)
}
