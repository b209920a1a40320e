package policy_test

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// A policy judges a write without a cluster.
func ExampleValidations() {
	var declared v1alpha1.ValidationPolicy
	if err := yaml.UnmarshalStrict([]byte(`
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: crontabs}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [stable.example.com], apiVersions: [v1], resources: [crontabs], operations: [CREATE, UPDATE]}
  validations:
  - expression: object.spec.replicas <= 5
    fieldPath: .spec.replicas
    message: at most 5 replicas run at once
`), &declared); err != nil {
		panic(err)
	}
	compiled, problems := policy.Compile(&declared)
	if err := problems.Err(); err != nil {
		panic(err)
	}
	verdict, err := policy.Validations(policy.Cluster{}, compiled).Review(context.Background(), &admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Kind:      metav1.GroupVersionKind{Group: "stable.example.com", Version: "v1", Kind: "CronTab"},
		Resource:  metav1.GroupVersionResource{Group: "stable.example.com", Version: "v1", Resource: "crontabs"},
		Object: runtime.RawExtension{Raw: []byte(
			`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"replicas":9}}`)},
	})
	if err != nil {
		panic(err)
	}
	for _, cause := range verdict.Causes {
		fmt.Println(cause.Field, cause.Message)
	}
	// Output: spec.replicas Invalid value: 9: at most 5 replicas run at once (validationpolicy "crontabs")
}
