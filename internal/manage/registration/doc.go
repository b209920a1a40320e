// Package registration tells the API server which writes Crosswalk looks at: it
// keeps one MutatingWebhookConfiguration and one ValidatingWebhookConfiguration in
// step with the CRDs that are armed.
//
// [Plan] says how the two should be and is all that there is to know about them; a
// reconciler compares, and writes what differs. A rule is added only after every
// ready replica of serve, and the Service in front of them, has answered an
// AdmissionReview of the kind, and is taken away only where the CRD is no longer
// armed, or its Crosswalk opts out.
package registration
