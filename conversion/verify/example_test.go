package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// A law judges a table by generated objects, and then a converter that loses a field.
func ExampleRunTable() {
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	read("crd", crd)
	read("crosswalk", table)
	for _, compile := range []verify.CompileFunc{verify.Compile, forgetful} {
		subject, err := verify.NewSubject(crd, table, compile)
		if err != nil {
			panic(err)
		}
		report := verify.RunTable(context.Background(), subject, compile, verify.Options{
			Seed: 1, Objects: 200, Laws: []verify.Law{verify.RoundTrip},
		})
		fmt.Println("cases:", report.Cases)
		for _, found := range report.Found {
			fmt.Println(found.Law, "is broken:", found.Problem)
			fmt.Println("by", string(found.Object))
		}
	}
	// Output:
	// cases: 400
	// cases: 13
	// L1 is broken: the object came back changed
	// by {"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"timeZone":"a"}}
}

// L7 compares two tables: here a row was removed since objects were stored.
func ExampleSubject_After() {
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	read("crd", crd)
	read("crosswalk", table)
	without := table.DeepCopy()
	without.Spec.Versions[0].Rows = nil
	for _, compile := range []verify.CompileFunc{verify.Compile, forgetful} {
		earlier, err := verify.NewSubject(crd, table, verify.Compile)
		if err != nil {
			panic(err)
		}
		subject, err := verify.NewSubject(crd, without, compile)
		if err != nil {
			panic(err)
		}
		subject.After(earlier)
		report := verify.RunTable(context.Background(), subject, compile, verify.Options{Seed: 1, Objects: 200})
		fmt.Println("cases:", report.Cases)
		for _, found := range report.Found {
			fmt.Println(found.Law, "is broken by", string(found.Object))
		}
	}
	// Output:
	// cases: 400
	// cases: 13
	// L7 is broken by {"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{"timeZone":"a"}}
}

// read reads a file of the example crontab.
func read(name string, into any) {
	text, err := os.ReadFile("../../examples/crontab/" + name + ".yaml")
	if err != nil {
		panic(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		panic(err)
	}
}

// forgetful converts as the table does, and loses timeZone.
func forgetful(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (verify.Converter, error) {
	converter, err := verify.Compile(crd, table)
	return losing{converter}, err
}

type losing struct{ verify.Converter }

func (l losing) Convert(dst, object []byte, to string) ([]byte, error) {
	return l.Converter.Convert(dst, bytes.ReplaceAll(object, []byte(`"timeZone"`), []byte(`"lost"`)), to)
}
