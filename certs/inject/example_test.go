package inject_test

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// What to apply so that a CRD holds a CA bundle, for a client's
// Apply with the options {FieldManager: "...", Force: true}.
func ExamplePlan() {
	folder, err := os.MkdirTemp("", "authority")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	authority, err := certs.NewAuthority(certs.AuthorityOptions{Dir: folder, Names: []string{"localhost"}})
	if err != nil {
		panic(err)
	}
	pair, err := authority.Current()
	if err != nil {
		panic(err)
	}
	bundle, err := inject.ParseBundle(pair.CABundle)
	if err != nil {
		panic(err)
	}

	// Usually read from the cluster.
	crd := new(unstructured.Unstructured)
	if err := yaml.Unmarshal([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  conversion:
    strategy: Webhook
    webhook:
      clientConfig: {service: {name: crosswalk, namespace: crosswalk-system}}
`), crd); err != nil {
		panic(err)
	}
	change, err := inject.Plan(crd, bundle)
	if err != nil {
		panic(err)
	}
	for _, place := range change.Places {
		fmt.Println(place.Path, "absent:", place.State == inject.Absent, "for", place.Server)
	}
	fmt.Println("to be written:", change.Apply != nil)
	// Output:
	// .spec.conversion.webhook.clientConfig.caBundle absent: true for crosswalk.crosswalk-system.svc
	// to be written: true
}
