// Package v1alpha1 names the API group in which the API server can ask crosswalk serve for
// verdicts. It has no kinds of its own: the requests are Kubernetes' AdmissionReviews.
package v1alpha1

const (
	// GroupName is the API group, and Version this package's version of it.
	GroupName = "admission.crosswalk.dev"
	Version   = "v1alpha1"
	// ResourceReviews is the resource in which a review is created. The response is the
	// verdict. Only the API server itself should have this right, because verdicts can contain
	// what serve may read.
	ResourceReviews = "reviews"
	// Path is the path of the resource. serve's own paths follow it, as in
	// /apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/name.
	Path = "/apis/" + GroupName + "/" + Version + "/" + ResourceReviews
)
