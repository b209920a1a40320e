package builtin

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// All schemas are for the oracle to judge. Here is one of every sort.
func TestSchema(t *testing.T) {
	name, all := Schema(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"})
	if name != "io.k8s.api.apps.v1.Deployment" {
		t.Fatalf("got %s", name)
	}
	const core, apimachinery = "io.k8s.api.core.v1.", "io.k8s.apimachinery.pkg."
	for _, test := range []struct{ of, field, kind, format, refers string }{
		{name, "apiVersion", "string", "", ""},
		{name, "spec", "", "", "io.k8s.api.apps.v1.DeploymentSpec"},
		{"io.k8s.api.apps.v1.DeploymentSpec", "replicas", "integer", "int64", ""},
		{"io.k8s.api.apps.v1.DeploymentSpec", "paused", "boolean", "", ""},
		{core + "PodSpec", "containers", "array", "", ""},
		{core + "Secret", "data", "object", "", ""},
		{core + "ResourceRequirements", "limits", "object", "", ""},
		{apimachinery + "apis.meta.v1.ObjectMeta", "creationTimestamp", "", "", apimachinery + "apis.meta.v1.Time"},
	} {
		s := all[test.of]
		if s == nil {
			t.Errorf("%s is not there", test.of)
			continue
		}
		got, found := s.Properties[test.field]
		if kind := append(got.Type, "")[0]; !found || kind != test.kind || got.Format != test.format || got.Ref.String() != prefixed(test.refers) {
			t.Errorf("%s.%s: found %v, %v", test.of, test.field, found, got)
		}
	}
	if s := all[apimachinery+"apis.meta.v1.Time"]; s.Type[0] != "string" || s.Format != "date-time" {
		t.Errorf("a time is %v", s)
	}
	if s := all[apimachinery+"api.resource.Quantity"]; len(s.Type) > 0 {
		t.Errorf("a quantity is %v", s)
	}
	for _, kind := range []schema.GroupVersionKind{{Version: "v1", Kind: "Pot"}, {Group: "batch", Version: "v1beta1", Kind: "CronJob"}} {
		if name, _ := Schema(kind); name != "" {
			t.Errorf("%v is %s", kind, name)
		}
	}
}

func prefixed(name string) string {
	if name == "" {
		return ""
	}
	return "#/components/schemas/" + name
}
