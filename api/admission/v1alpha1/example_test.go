package v1alpha1_test

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
)

// A webhook that is asked by way of the API server itself: the Service is the API
// server's own, and serve's path comes after that of the resource.
func Example() {
	path := v1alpha1.Path + "/validate/policies/crontabs"
	client := admissionregistrationv1.WebhookClientConfig{
		Service: &admissionregistrationv1.ServiceReference{Namespace: "default", Name: "kubernetes", Path: &path},
	}
	fmt.Println(*client.Service.Path)
	// Output: /apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/crontabs
}
