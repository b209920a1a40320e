package webhook

import (
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// admissionReview is an AdmissionReview as the API server sent it.
type admissionReview struct {
	version admissionVersion
	// uid is the JSON string, quotes included. The answer repeats it unchanged.
	uid jsontext.Span
	// The reviewer may keep request, except for the objects in it, which are the body's bytes.
	request *admissionv1.AdmissionRequest
}

// admissionRequest is a request and what it points to, in one allocation.
type admissionRequest struct {
	admissionv1.AdmissionRequest
	requestKind     metav1.GroupVersionKind
	requestResource metav1.GroupVersionResource
	dryRun          bool
}

// admissionVersion is the version of the review itself. The answer has the same version. The
// types of both versions differ only in their names.
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

// admissionEnvelope holds the members of a review that are checked before the rest.
type admissionEnvelope struct {
	header
	// problem is the first member that has a wrong type.
	problem string
}

// check fills in rev. It fails with an *httpError that explains why the review cannot be
// answered.
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

// checkObjects fails if an object that the operation needs is missing. The API server always
// sends these objects. A reviewer that compares with the old object must not mistake a lost
// object for none.
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
		return malformed("request.operation is not CREATE, UPDATE, DELETE or CONNECT")
	}
	switch {
	case object && r.Object.Raw == nil:
		return malformed("request.object is missing; " + string(r.Operation) + " requires it")
	case old && r.OldObject.Raw == nil:
		return malformed("request.oldObject is missing; " + string(r.Operation) + " requires it")
	}
	return nil
}
