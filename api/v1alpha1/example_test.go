package v1alpha1_test

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// A table written by a program, as the YAML that kubectl applies.
func Example() {
	table := &v1alpha1.Crosswalk{
		ObjectMeta: metav1.ObjectMeta{Name: "crontabs.stable.example.com"},
		Spec: v1alpha1.CrosswalkSpec{
			Hub: "v1",
			Versions: []v1alpha1.VersionTable{{
				Name: "v1beta1",
				Rows: []v1alpha1.Row{{
					Spoke:    &v1alpha1.Place{Path: ".spec.hostPort"},
					Hub:      &v1alpha1.Place{Named: map[string]string{"host": ".spec.host", "port": ".spec.port"}},
					Template: "{host}:{port}",
				}},
			}},
		},
	}
	table.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk))
	text, err := yaml.Marshal(table)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
	// Output:
	// apiVersion: crosswalk.dev/v1alpha1
	// kind: Crosswalk
	// metadata:
	//   name: crontabs.stable.example.com
	// spec:
	//   hub: v1
	//   versions:
	//   - name: v1beta1
	//     rows:
	//     - hub:
	//         host: .spec.host
	//         port: .spec.port
	//       spoke: .spec.hostPort
	//       template: '{host}:{port}'
}
