package validation_test

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Two functions decide about a write. The first notes the owner; the second sees what
// the first has made of the object, and denies large ones.
func ExampleInTurn() {
	owner := validation.ReviewerFunc(func(_ context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		var object unstructured.Unstructured
		if err := object.UnmarshalJSON(request.Object.Raw); err != nil {
			return nil, err
		}
		if err := unstructured.SetNestedField(object.Object, request.UserInfo.Username, "metadata", "annotations", "owner"); err != nil {
			return nil, err
		}
		changed, err := object.MarshalJSON()
		return &validation.Verdict{Object: changed}, err
	})
	small := validation.ReviewerFunc(func(_ context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if size := len(request.Object.Raw); size > 100 {
			return &validation.Verdict{Causes: []validation.Cause{{
				Message: fmt.Sprintf("%d bytes are too many; 100 are allowed", size),
			}}}, nil
		}
		return &validation.Verdict{}, nil
	})

	request := &admissionv1.AdmissionRequest{Object: runtime.RawExtension{Raw: []byte(
		`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`)}}
	for _, name := range []string{"ann", "system:serviceaccount:default:builder"} {
		request.UserInfo.Username = name
		verdict, err := validation.InTurn(owner, small).Review(context.Background(), request)
		if err != nil {
			panic(err)
		}
		if !verdict.Allowed() {
			fmt.Println("denied:", verdict.Causes[0].Message)
			continue
		}
		fmt.Print("allowed: ", string(verdict.Object))
	}
	// Output:
	// allowed: {"apiVersion":"v1","kind":"ConfigMap","metadata":{"annotations":{"owner":"ann"},"name":"a"}}
	// denied: 127 bytes are too many; 100 are allowed
}
