// Package v1alpha1 names the API group in which the API server may ask crosswalk serve for
// verdicts. It has no kinds of its own: what is asked is Kubernetes' AdmissionReview.
package v1alpha1

const (
	// GroupName is the API group, and Version this package's version of it.
	GroupName = "admission.crosswalk.dev"
	Version   = "v1alpha1"
	// ResourceReviews is the resource in which a review is created to have it answered. Only
	// the API server itself should have the right: verdicts hold what serve may read.
	ResourceReviews = "reviews"
	// Path is that of the resource. serve's own paths come after it, as in
	// /apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/name.
	Path = "/apis/" + GroupName + "/" + Version + "/" + ResourceReviews
)
