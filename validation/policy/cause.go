package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// maxValue is the longest value that a message shows.
const maxValue = 128

// cause returns the cause of a denial for a finding. With a field path it has the form of
// Kubernetes' field errors, with the actual value, in the version that the user wrote. note is
// additional information, and may be empty.
func (s *subject) cause(f *finding) (cause validation.Cause, note string) {
	if f.rule == nil {
		// It is not a mistake of the writer. apiserver has the same reason.
		return validation.Cause{Message: f.failure, Reason: metav1.StatusReasonInvalid}, ""
	}
	if f.rule.path == nil {
		return validation.Cause{Message: f.message, Reason: f.rule.reason}, ""
	}
	path, written, note := s.written(f.rule.path)
	cause = validation.Cause{Field: path.String(), Type: metav1.CauseTypeFieldValueInvalid, Reason: f.rule.reason}
	value, found := written.place(path)
	var fieldError *field.Error
	switch {
	case f.rule.reason == metav1.StatusReasonForbidden:
		cause.Type = metav1.CauseTypeForbidden
		fieldError = field.Forbidden(nil, f.message)
	case !found:
		cause.Type = metav1.CauseTypeFieldValueRequired
		fieldError = field.Required(nil, f.message)
	default:
		fieldError = field.Invalid(nil, written.shown(path, value), f.message)
	}
	cause.Message = fieldError.ErrorBody()
	return cause, note
}

// shown returns a value for a message: a short scalar, nothing of a Secret, and for an unknown
// caller nothing of an object that was read.
func (s *subject) shown(path fieldPath, value ref.Val) any {
	if s.secret() || s.stranger && s.scales && !slices.Equal(path, s.number) {
		return field.OmitValueType{}
	}
	switch value := value.(type) {
	case types.String:
		if len(value) <= maxValue {
			return string(value)
		}
	case types.Int, types.Double, types.Bool:
		return value.Value()
	}
	return field.OmitValueType{}
}

// asDenial returns the denial of a finding. It names the policy. For a policy of Kubernetes it
// also names the binding, as apiserver does.
func asDenial(p *Policy, b *binding, s *subject, f *finding) validation.Cause {
	cause, note := s.cause(f)
	if p.native {
		cause.Message = p.denied(b, noted(cause.Message, note))
	} else {
		cause.Message = p.saying(f, cause.Message, note)
	}
	return cause
}

// asWarning returns the warning of a finding.
func asWarning(p *Policy, b *binding, s *subject, f *finding) string {
	cause, note := s.cause(f)
	message := cause.Message
	if cause.Field != "" {
		message = cause.Field + ": " + message
	}
	if p.native {
		return fmt.Sprintf("Validation failed for %s '%s' with binding '%s': %s", p.kind, p.name, b.name, noted(message, note))
	}
	return p.saying(f, message, note)
}

// saying adds the name of the policy to a message: in front of an evaluation error, and behind
// the message of a rule.
func (p *Policy) saying(f *finding, message, note string) string {
	if f.rule == nil {
		return p.Reference() + ": " + message
	}
	return noted(message, note, p.Reference())
}

// noted appends notes to a message. Notes may be empty.
func noted(message string, notes ...string) string {
	notes = slices.DeleteFunc(notes, func(note string) bool { return note == "" })
	if len(notes) == 0 {
		return message
	}
	return message + " (" + strings.Join(notes, "; ") + ")"
}
