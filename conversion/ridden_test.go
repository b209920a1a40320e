package conversion_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// After a change of the hub nothing tells equal elements apart whose own fields the former hub knew. What was
// kept of them stays in the annotation, and is there again with the former hub.
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
	former, today := withHub(t, crd, "v1alpha1"), withHub(t, crd, "v1beta1")
	for range 2 {
		view := convert(t, today, stored, "v1beta1")
		if got, want := strip(t, view), thing("v1beta1", `"spec":{"list":[{"a":"x"},{"a":"x"}]}`); !sameJSON(t, got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
		stored = convert(t, today, view, "v1")
	}
	if got := strip(t, convert(t, former, stored, "v1beta1")); !sameJSON(t, got, object) {
		t.Errorf("got %s, want %s", got, object)
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
