package webhook

import (
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// admissionReview is an AdmissionReview as it was sent.
type admissionReview struct {
	version admissionVersion
	// uid is the JSON string, quotes included: it is handed back as it came.
	uid jsontext.Span
	// request is the reviewer's to keep, but for the objects in it, which are the
	// body's bytes.
	request *admissionv1.AdmissionRequest
}

// admissionRequest is a request with what it points to, in one allocation.
type admissionRequest struct {
	admissionv1.AdmissionRequest
	requestKind     metav1.GroupVersionKind
	requestResource metav1.GroupVersionResource
	dryRun          bool
}

// admissionVersion is the version of the review itself: the answer has the same.
// The types of both versions are alike but for their names.
type admissionVersion int

const (
	admissionV1 admissionVersion = iota
	admissionV1beta1
)

func (v admissionVersion) String() string {
	if v == admissionV1beta1 {
		return "admission.k8s.io/v1beta1"
	}
	return "admission.k8s.io/v1"
}

// admissionEnvelope holds what of a review is looked at before the rest.
type admissionEnvelope struct {
	header
	// problem is the first member that has a wrong type.
	problem string
}

// check fills in rev, or says in an *httpError why nobody could judge it.
func (e *admissionEnvelope) check(body []byte, rev *admissionReview) error {
	version, err := e.header.check(body, "AdmissionReview", [...]string{admissionV1.String(), admissionV1beta1.String()})
	if err != nil {
		return err
	}
	rev.version, rev.uid = admissionVersion(version), e.uid
	if e.problem != "" {
		return malformed(e.problem)
	}
	return nil
}

// checkObjects fails where the objects that the operation is about are missing.
// The API server always sends them; a reviewer that compares with the old object
// must not take a lost one for none.
func checkObjects(r *admissionv1.AdmissionRequest) error {
	object, old := false, false
	switch r.Operation {
	case admissionv1.Create:
		object = true
	case admissionv1.Update:
		object, old = true, true
	case admissionv1.Delete:
		old = true
	case admissionv1.Connect:
	case "":
		return malformed("request.operation is missing")
	default:
		return malformed("request.operation is none of CREATE, UPDATE, DELETE and CONNECT")
	}
	switch {
	case object && r.Object.Raw == nil:
		return malformed("request.object is missing, which " + string(r.Operation) + " has")
	case old && r.OldObject.Raw == nil:
		return malformed("request.oldObject is missing, which " + string(r.Operation) + " has")
	}
	return nil
}
