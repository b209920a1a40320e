package schema_test

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation/schema"
)

// What the API server would have against an object, without an API server.
func ExampleSchema_Check() {
	var properties apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(`
type: object
properties:
  spec:
    type: object
    properties:
      replicas: {type: integer, maximum: 5}
      host: {type: string}
    x-kubernetes-validations:
    - {rule: 'has(self.host) || self.replicas < 2', message: several replicas need a host}
`), &properties); err != nil {
		panic(err)
	}
	version, err := schema.New(&properties)
	if err != nil {
		panic(err)
	}
	errors, err := version.Check(context.Background(), []byte(`{"spec":{"replicas":5}}`), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(errors.ToAggregate())
	// Output: spec: Invalid value: several replicas need a host
}
