package validation

import (
	"fmt"
	"maps"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Verdict is the result of a review. The zero value allows the request without changes.
type Verdict struct {
	// Causes are all the causes of a denial. Without any, the request is allowed.
	Causes []Cause
	// Warnings are shown to the writer, whether or not the request is allowed. The API server
	// cuts each at 256 bytes, and all at 4 KiB
	// (k8s.io/apiserver/pkg/endpoints/filters/warning.go).
	Warnings []string
	// AuditAnnotations are added to the audit log, below the name of the webhook.
	AuditAnnotations map[string]string
	// Object is the new object, as JSON, or nil if it does not change. It is ignored outside
	// mutations.
	Object []byte
}

// Cause is one cause of a denial.
type Cause struct {
	// Field is the place in the object, such as spec.jobs[0].name. It is empty for the whole
	// object.
	Field string
	// Type is the kind of mistake. The default is FieldValueInvalid.
	Type metav1.CauseType
	// Message is for the writer: what is wrong, and how to correct it. It must not contain
	// secrets.
	Message string
	// Reason is the reason of the whole denial if all causes have the same. The default is
	// Invalid.
	Reason metav1.StatusReason
}

// Allowed reports whether there is no cause of a denial.
func (v *Verdict) Allowed() bool { return len(v.Causes) == 0 }

// add adds the verdict of another reviewer.
func (v *Verdict) add(other *Verdict) {
	if other == nil {
		return
	}
	v.Causes = append(v.Causes, other.Causes...)
	v.Warnings = append(v.Warnings, other.Warnings...)
	if len(other.AuditAnnotations) > 0 && v.AuditAnnotations == nil {
		v.AuditAnnotations = map[string]string{}
	}
	maps.Copy(v.AuditAnnotations, other.AuditAnnotations)
	if other.Object != nil {
		v.Object = other.Object
	}
}

// codes are the HTTP statuses that Kubernetes uses for a reason
// (k8s.io/apimachinery/pkg/api/errors).
var codes = map[metav1.StatusReason]int32{
	metav1.StatusReasonBadRequest:            400,
	metav1.StatusReasonInvalid:               422,
	metav1.StatusReasonForbidden:             403,
	metav1.StatusReasonUnauthorized:          401,
	metav1.StatusReasonRequestEntityTooLarge: 413,
	metav1.StatusReasonConflict:              409,
	metav1.StatusReasonInternalError:         500,
}

// Status returns the denial as the API server passes it to the client, or nil if the request is
// allowed. kubectl prints one line for each cause.
func (v *Verdict) Status(request *admissionv1.AdmissionRequest) *metav1.Status {
	if v.Allowed() {
		return nil
	}
	status := &metav1.Status{
		Status: metav1.StatusFailure,
		Reason: v.reason(),
		Details: &metav1.StatusDetails{
			Group: request.Kind.Group,
			Kind:  request.Kind.Kind,
			Name:  request.Name,
		},
	}
	status.Code = codes[status.Reason]
	var messages []string
	for _, c := range v.Causes {
		if c.Type == "" {
			c.Type = metav1.CauseTypeFieldValueInvalid
		}
		status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{Type: c.Type, Message: c.Message, Field: c.Field})
		if c.Field != "" {
			c.Message = c.Field + ": " + c.Message
		}
		messages = append(messages, c.Message)
	}
	status.Message = fmt.Sprintf("%s %q is invalid: %s", request.Kind.Kind, request.Name, strings.Join(messages, "; "))
	if status.Reason != metav1.StatusReasonInvalid {
		status.Message = strings.Join(messages, "; ")
	}
	return status
}

// reason returns the reason that all causes have, or Invalid.
func (v *Verdict) reason() metav1.StatusReason {
	reason := v.Causes[0].Reason
	for _, c := range v.Causes {
		if c.Reason != reason {
			return metav1.StatusReasonInvalid
		}
	}
	if _, known := codes[reason]; !known {
		return metav1.StatusReasonInvalid
	}
	return reason
}
