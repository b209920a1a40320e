// Package registration registers webhooks for the writes that Crosswalk reviews: it keeps one
// MutatingWebhookConfiguration and one ValidatingWebhookConfiguration up to date with the CRDs
// that are armed.
//
// [Plan] returns the intended configurations. A reconciler compares them with the existing
// ones, and writes the difference. A rule is added only after every ready replica of serve, and
// the Service, have answered an AdmissionReview of the kind. It is removed only if the CRD is
// no longer armed, or its Crosswalk opts out.
package registration
