package oracle

import (
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/util/json"
)

// TestAgainstKubernetes compares what the other version shows with what Kubernetes'
// converter makes of the same object, asks both for the object back, and wants
// Crosswalk to give back all of it that the API server stores.
func TestAgainstKubernetes(t *testing.T) {
	lists, err := filepath.Glob("*/differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(lists) < 6 {
		t.Fatalf("only %d kinds", len(lists))
	}
	program := findProgram(t)
	for _, list := range lists {
		kind := filepath.Dir(list)
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			converter := compile(t, program, kind)
			found := newFindings(t, kind, "differences.yaml")
			program.cases(t, kind, count, func(c oracleCase) { compare(t, converter, c, found) })
			found.judge(t)
		})
	}
}

// TestLaws puts the tables that have rows to the laws, with objects and edits that no
// Go type makes: fragments, values of wrong types, forged stashes. The example is
// judged with the other examples.
func TestLaws(t *testing.T) {
	program := findProgram(t)
	objects := 200
	if testing.Short() {
		objects = 20
	}
	for _, kind := range []string{"endpointslices", "ingresses"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			table := tableOf(t, program, kind)
			subject, err := verify.NewSubject(table.CRD, table.Crosswalk, verify.Compile)
			if err != nil {
				t.Fatal(err)
			}
			report := verify.RunTable(t.Context(), subject, verify.Compile, verify.Options{Seed: seed, Objects: objects})
			if err := report.Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// compile compiles the table of a kind.
func compile(t *testing.T, program oracleProgram, kind string) *conversion.Converter {
	t.Helper()
	table := tableOf(t, program, kind)
	converter, err := conversion.Compile(table.CRD, table.Crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	return converter
}

// autoscalers are the kind that is an example as well, with two more versions.
const autoscalers = "horizontalpodautoscalers"

// tableOf is the table of a kind, for the CRD with the schemas that Kubernetes
// publishes.
func tableOf(t *testing.T, program oracleProgram, kind string) harness.Table {
	t.Helper()
	if kind == autoscalers {
		return exampleTable(t)
	}
	table := harness.Table{CRD: new(apiextensionsv1.CustomResourceDefinition), Crosswalk: new(v1alpha1.Crosswalk)}
	decode(t, program.run(t, "crd", kind), table.CRD)
	decode(t, read(t, kind, "crosswalk.yaml"), table.Crosswalk)
	return table
}

// exampleTable is the example's own table, with the CRD that was written by hand.
func exampleTable(t *testing.T) harness.Table {
	t.Helper()
	table, err := harness.ReadTable("../../examples/horizontalpodautoscaler")
	if err != nil {
		t.Fatal(err)
	}
	if table, err = table.InGroup("autoscaling", "v2"); err != nil {
		t.Fatal(err)
	}
	return table
}

// compare notes where Crosswalk and Kubernetes differ on one object.
func compare(t *testing.T, converter *conversion.Converter, c oracleCase, found *findings) {
	t.Helper()
	there, err := converter.Convert(nil, c.object, c.to)
	if err != nil {
		t.Fatal(err)
	}
	back, err := converter.Convert(nil, there, c.from)
	if err != nil {
		t.Fatal(err)
	}
	view, err := conversion.Strip(nil, there)
	if err != nil {
		t.Fatal(err)
	}
	of := converter.Schema(c.from)
	found.trips.note(t, c, stored(t, of, c.object), stored(t, of, back))
	found.views.note(t, c, c.converted, view)
	found.losses.note(t, c, c.back, c.object)
}

// stored returns an object as the API server stores it: without null where the schema has no place for it, which
// Kubernetes writes for its own kinds.
func stored(t *testing.T, of *apiextensionsv1.JSONSchemaProps, object []byte) []byte {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(of, &internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(object, &value); err != nil {
		t.Fatal(err)
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(value, structural)
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
