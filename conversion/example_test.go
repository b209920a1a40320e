package conversion_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// crontabs reads a CRD and its table from files.
func crontabs() (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) {
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	for name, into := range map[string]any{"crd": crd, "crosswalk": table} {
		text, err := os.ReadFile("../examples/crontab/" + name + ".yaml")
		if err != nil {
			panic(err)
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			panic(err)
		}
	}
	return crd, table
}

// An object goes to another version and back. v1 has no shell, so the object carries it
// in an annotation meanwhile.
func ExampleConverter_Convert() {
	converter, err := conversion.Compile(crontabs())
	if err != nil {
		panic(err)
	}
	v1, err := converter.Convert(nil, []byte(
		`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"localhost:1234","shell":"/bin/dash"}}`), "v1")
	if err != nil {
		panic(err)
	}
	shown, err := conversion.Strip(nil, v1)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(shown))
	for _, kept := range conversion.StashedIn(v1) {
		fmt.Println("kept for", kept.Owner, kept.Names)
	}
	back, err := converter.Convert(nil, v1, "v1beta1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(back))
	// Output:
	// {"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"host":"localhost","port":"1234"}}
	// kept for v1beta1 [spec shell]
	// {"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"localhost:1234","shell":"/bin/dash"}}
}

// What is wrong with a table, all at once.
func ExampleCompile() {
	crd, table := crontabs()
	table.Spec.Versions[0].Rows[0].Hub.Named["host"] = ".spec.hots"
	_, err := conversion.Compile(crd, table)
	var problems conversion.Problems
	if errors.As(err, &problems) {
		for _, problem := range problems {
			fmt.Println(problem)
		}
	}
	// Output:
	// crosswalk crontabs.stable.example.com: v1beta1 row 1 (.spec.hostPort <-> .spec.hots, .spec.port): hub path .spec.hots is not in the v1 schema; did you mean .spec.host?
}

// What wrote each field of the result.
func ExampleConverter_Explain() {
	converter, err := conversion.Compile(crontabs())
	if err != nil {
		panic(err)
	}
	explanation, err := converter.Explain(context.Background(), []byte(
		`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"localhost:1234"}}`), "v1")
	if err != nil {
		panic(err)
	}
	for _, step := range explanation.Steps {
		for _, place := range step.Origins {
			fmt.Println(place.Path, "by", place.By, "from", place.From)
		}
	}
	// Output:
	// .kind by same from []
	// .metadata.name by same from []
	// .spec.host by row from [.spec.hostPort]
	// .spec.port by row from [.spec.hostPort]
}
