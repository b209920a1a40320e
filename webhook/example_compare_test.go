package webhook_test

import (
	"context"
	"fmt"
	"os"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// sameView reports whether code and a table show the same of an object in a version.
// What they keep for others is theirs, and left out.
func sameView(code, table webhook.Converter, object []byte, version string) (bool, error) {
	var views []any
	for _, converter := range []webhook.Converter{code, table} {
		out, err := converter.ConvertNoting(context.Background(), nil, object, version, nil)
		if err != nil {
			return false, err
		}
		if out, err = conversion.Strip(nil, out); err != nil {
			return false, err
		}
		var view any
		if err := json.Unmarshal(out, &view); err != nil {
			return false, err
		}
		views = append(views, view)
	}
	return reflect.DeepEqual(views[0], views[1]), nil
}

// A table is held against the code that it takes the place of, and found to do more:
// the code makes of an address without a port one with an empty port.
func ExampleConverter_compare() {
	crd, crosswalk := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	for name, into := range map[string]any{"crd": crd, "crosswalk": crosswalk} {
		text, err := os.ReadFile("../examples/crontab/" + name + ".yaml")
		if err != nil {
			panic(err)
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			panic(err)
		}
	}
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &CronTabV1{}, "v1beta1": &CronTabV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: "CronTab"}, object)
	}
	code, err := typed.New(crd, scheme, "v1.4.2")
	if err != nil {
		panic(err)
	}
	table, err := conversion.Compile(crd, crosswalk)
	if err != nil {
		panic(err)
	}
	for _, spec := range []string{`{"hostPort":"h:1"}`, `{"hostPort":"h:1","shell":"/bin/dash"}`, `{"hostPort":"h"}`} {
		object := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":` + spec + `}`
		same, err := sameView(code, table, []byte(object), "v1")
		if err != nil {
			panic(err)
		}
		fmt.Println(spec, same)
	}
	// Output:
	// {"hostPort":"h:1"} true
	// {"hostPort":"h:1","shell":"/bin/dash"} true
	// {"hostPort":"h"} false
}
