package migrate

import (
	"net/http"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func schemaOf(field, description string) *apiextensionsv1.CustomResourceValidation {
	return &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
		Properties: map[string]apiextensionsv1.JSONSchemaProps{field: {Type: "string", Description: description}},
	}}
}

// Without a converter the rewrite would prune what the other version does not name.
func TestNothingConverts(t *testing.T) {
	const refusal = "nothing converts v1beta1 to v1 (spec.conversion.strategy is not Webhook) and their schemas differ, so a rewrite would permanently lose the fields that v1 does not have: check that `kubectl get crosswalk crontabs.stable.example.com` is Ready, and run it again"
	differ := func(f *fakeAPI) {
		f.crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
		f.crd.Spec.Versions[0].Schema, f.crd.Spec.Versions[1].Schema = schemaOf("old", ""), schemaOf("new", "")
	}
	for _, dryRun := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1beta1": 3})
			differ(f)
			migrateWith(t.Context(), t, f, func(o *Options) { o.DryRun = dryRun }).want(t, "",
				"crontabs.stable.example.com: nothing was written, because "+refusal)
			f.wantAllIn(t, "v1beta1")
			f.wantStored(t, "v1beta1 v1")
		})
	}
	harmless := map[string]func(*fakeAPI){
		"other texts": func(f *fakeAPI) {
			f.crd.Spec.Versions[0].Schema, f.crd.Spec.Versions[1].Schema = schemaOf("same", "old"), schemaOf("same", "new")
		},
		"another default": func(f *fakeAPI) {
			f.crd.Spec.Versions[0].Schema, f.crd.Spec.Versions[1].Schema = schemaOf("same", ""), schemaOf("same", "")
			same := f.crd.Spec.Versions[1].Schema.OpenAPIV3Schema.Properties["same"]
			same.Default = &apiextensionsv1.JSON{Raw: []byte(`"green"`)}
			f.crd.Spec.Versions[1].Schema.OpenAPIV3Schema.Properties["same"] = same
		},
	}
	for name, change := range harmless {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				differ(f)
				change(f)
				migrateWith(t.Context(), t, f, nil).want(t, allThree, "")
			})
		})
	}
	t.Run("the version written through", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1": 3})
			differ(f)
			f.crd.Status.StoredVersions = []string{"v1"}
			f.crd.Spec.Versions[1].Served = false
			got := migrateWith(t.Context(), t, f, nil)
			if got.failure == nil || !strings.Contains(got.failure.Error(), "nothing converts v1 to v1beta1") {
				t.Errorf("failed with %v", got.failure)
			}
		})
	})
	t.Run("it is deleted meanwhile", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1beta1": 3})
			during(f, "job-003", func() {
				f.changeSpec("v1")
				differ(f)
			})
			got := migrateWith(t.Context(), t, f, nil)
			if want := "crontabs.stable.example.com: gave up after 3 of about 3 objects (100%), and nothing is trimmed: the conversion was removed meanwhile, so check the objects that were written last: " + refusal; got.failure == nil || got.failure.Error() != want {
				t.Errorf("failed with %v", got.failure)
			}
			f.wantStored(t, "v1beta1 v1")
		})
	})
}

// A 404 that is not about the object does not make it gone.
func TestNotFoundOfSomethingElse(t *testing.T) {
	tests := map[string]reply{
		"version no longer served": {message: "the server could not find the requested resource"},
		"another object":           {message: "not found", kind: "crontabs", name: "other"},
		"another kind":             {message: "not found", kind: "namespaces", name: "job-001"},
		"answered by a webhook":    {message: "not found", kind: "crontabs", name: "job-001"},
	}
	for name, test := range tests {
		test.code, test.reason = http.StatusNotFound, metav1.StatusReasonNotFound
		t.Run("write: "+name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := newFake(t, map[string]int{"v1beta1": 3})
				f.before = func(r *http.Request) *reply {
					if _, yes := isApply(r); yes {
						return &test
					}
					return nil
				}
				got := migrateWith(t.Context(), t, f, nil)
				if !strings.HasSuffix(got.out, "0 deleted meanwhile, 3 failed\n") || !strings.Contains(got.err, "check that v1 is still served") {
					t.Errorf("told %s and %s", got.out, got.err)
				}
				f.wantStored(t, "v1beta1 v1")
			})
		})
	}
	t.Run("list", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1beta1": 12})
			f.before = func(r *http.Request) *reply {
				if r.URL.Query().Get("continue") != "" {
					return &reply{code: 404, reason: metav1.StatusReasonNotFound, message: "not here"}
				}
				return nil
			}
			if got := migrateWith(t.Context(), t, f, nil); got.failure == nil {
				t.Errorf("told %s", got.out)
			}
			f.wantStored(t, "v1beta1 v1")
		})
	})
	t.Run("every request of an object", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := newFake(t, map[string]int{"v1beta1": 3})
			f.before = func(r *http.Request) *reply {
				if strings.Contains(r.URL.Path, "/crontabs/") {
					return &reply{code: 404, reason: metav1.StatusReasonNotFound, message: "not here"}
				}
				return nil
			}
			migrateWith(t.Context(), t, f, nil).want(t, "", "crontabs.stable.example.com: nothing was written, because a try failed: not here")
		})
	})
}
