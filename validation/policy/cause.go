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

// maxValue is how long a value may be to be shown in a message.
const maxValue = 128

// cause tells of a finding. With a field path it reads as the field errors of
// Kubernetes do, with the value that is there, in the version that the user wrote.
// The note is what a reader has to know besides, and may be empty.
func (s *subject) cause(f *finding) (cause validation.Cause, note string) {
	if f.rule == nil {
		// It is no mistake of the writer, and has the reason that apiserver gives.
		return validation.Cause{Message: f.failure, Reason: metav1.StatusReasonInvalid}, ""
	}
	if f.rule.path == nil {
		return validation.Cause{Message: f.message, Reason: f.rule.reason}, ""
	}
	path, written, note := s.written(f.rule.path)
	cause = validation.Cause{Field: path.String(), Type: metav1.CauseTypeFieldValueInvalid, Reason: f.rule.reason}
	value, found := written.place(path)
	var said *field.Error
	switch {
	case f.rule.reason == metav1.StatusReasonForbidden:
		cause.Type = metav1.CauseTypeForbidden
		said = field.Forbidden(nil, f.message)
	case !found:
		cause.Type = metav1.CauseTypeFieldValueRequired
		said = field.Required(nil, f.message)
	default:
		said = field.Invalid(nil, written.shown(path, value), f.message)
	}
	cause.Message = said.ErrorBody()
	return cause, note
}

// shown gives a value for a message: a short scalar, nothing of a Secret, and for a
// stranger nothing of an object that was read.
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

// asDenial is what a finding says where it denies. Whoever reads it learns which
// policy to ask about: one of Kubernetes is named with its binding, as apiserver does.
func asDenial(p *Policy, b *binding, s *subject, f *finding) validation.Cause {
	cause, note := s.cause(f)
	if p.native {
		cause.Message = p.denied(b, noted(cause.Message, note))
	} else {
		cause.Message = p.saying(f, cause.Message, note)
	}
	return cause
}

// asWarning is what a finding says where it warns.
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

// saying names the policy of a message: before what it could not evaluate, and behind
// what its author has against the write.
func (p *Policy) saying(f *finding, message, note string) string {
	if f.rule == nil {
		return p.Reference() + ": " + message
	}
	return noted(message, note, p.Reference())
}

// noted is a message with notes behind it, of which some may be empty.
func noted(message string, notes ...string) string {
	notes = slices.DeleteFunc(notes, func(note string) bool { return note == "" })
	if len(notes) == 0 {
		return message
	}
	return message + " (" + strings.Join(notes, "; ") + ")"
}
