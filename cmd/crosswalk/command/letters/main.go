// Command letters is crosswalk with a kind that Go code converts: convert converts its
// objects, and explains what the code does.
package main

import (
	_ "embed"
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/cmd/crosswalk/command"
	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

//go:embed crd.yaml
var definition []byte

func main() {
	letters, err := letters()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	command.Main(command.Options{Typed: []*typed.Converter{letters}})
}

func letters() (*typed.Converter, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(definition, crd); err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &letterV1{}, "v1beta1": &letterV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Letter"}, object)
	}
	return typed.New(crd, scheme, "v1")
}
