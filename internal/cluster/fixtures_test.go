package cluster

import (
	"os"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"
)

const crontabs = "crontabs.stable.example.com"

func crontabCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	decode(t, "crd.yaml", crd)
	return crd
}

func crontabTable(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	table := new(unstructured.Unstructured)
	decode(t, "crosswalk.yaml", &table.Object)
	return table
}

func decode(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../examples/crontab/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func reader(t *testing.T, objects ...client.Object) client.Reader {
	t.Helper()
	// The kind Crosswalk is unknown to it, so that it keeps every field, as an
	// API server does with those that a CRD leaves alone.
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	return fake.NewClientBuilder().WithScheme(scheme).WithRESTMapper(Mapper()).WithObjects(objects...).Build()
}

// crontab is the table of the example, compiled.
func crontab(t *testing.T) *Table {
	t.Helper()
	table, err := Compiler{}.Read(t.Context(), reader(t, crontabCRD(t), crontabTable(t)), crontabs)
	if err != nil || table == nil || table.Problem != nil {
		t.Fatalf("got %+v, %v", table, err)
	}
	return table
}
