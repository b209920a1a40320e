package conversion_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// After a change of the hub what a version has of elements without a key is found by way
// of the hub that was: that had something of its own by which it knew them.
func TestEarlierHubKnowsElements(t *testing.T) {
	list := func(fields string) string {
		return spec("list: {type: array, items: {type: object, properties: {" + fields + "}}}")
	}
	crd := versions(t, map[string]string{
		"v1alpha1": list("a: {type: string}, hubs: {type: integer}"),
		"v1beta1":  list("a: {type: string}, hubs: {type: integer}, own: {type: integer}"),
		"v1":       list("a: {type: string}"),
	})
	object := thing("v1beta1", `"spec":{"list":[{"a":"x","hubs":1,"own":2},{"a":"x","hubs":3,"own":4}]}`)
	stored := convert(t, withHub(t, crd, "v1alpha1"), object, "v1")
	for _, hub := range []string{"v1alpha1", "v1beta1"} {
		if got := strip(t, convert(t, withHub(t, crd, hub), stored, "v1beta1")); !sameJSON(t, got, object) {
			t.Errorf("with the hub %s: got %s, want %s", hub, got, object)
		}
	}
}

func withHub(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, hub string) *conversion.Converter {
	t.Helper()
	cw := table(t, `[]`)
	cw.Spec.Hub, cw.Spec.Versions = hub, nil
	c, err := conversion.Compile(crd, cw)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
