package typed_test

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crosswalk-dev/crosswalk/validation/typed"
)

// owned validates ConfigMaps: each has the label of an owner.
type owned struct{}

func (owned) ValidateCreate(_ context.Context, c *corev1.ConfigMap) (field.ErrorList, []string) {
	if c.Labels["owner"] == "" {
		return field.ErrorList{field.Required(field.NewPath("metadata", "labels").Key("owner"), "say who to ask")}, nil
	}
	return nil, nil
}

func (o owned) ValidateUpdate(ctx context.Context, _, c *corev1.ConfigMap) (field.ErrorList, []string) {
	return o.ValidateCreate(ctx, c)
}

func (owned) ValidateDelete(context.Context, *corev1.ConfigMap) (field.ErrorList, []string) {
	return nil, nil
}

// A validator in Go, asked about one write.
func ExampleAddValidator() {
	registry := typed.New(scheme.Scheme)
	if err := typed.AddValidator(registry, owned{}); err != nil {
		panic(err)
	}
	verdict, err := registry.Validators().Review(context.Background(), &admissionv1.AdmissionRequest{
		Operation: admissionv1.Create,
		Kind:      metav1.GroupVersionKind{Version: "v1", Kind: "ConfigMap"},
		Object:    runtime.RawExtension{Raw: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`)},
	})
	if err != nil {
		panic(err)
	}
	for _, cause := range verdict.Causes {
		fmt.Println(cause.Field, cause.Message)
	}
	// Output: metadata.labels[owner] Required value: say who to ask
}
