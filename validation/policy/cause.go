package policy

import (
	"fmt"

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
func (s *subject) cause(f *finding) validation.Cause {
	if f.rule == nil {
		// It is no mistake of the writer, and has the reason that apiserver gives.
		return validation.Cause{Message: f.failure, Reason: metav1.StatusReasonInvalid}
	}
	if f.rule.path == nil {
		return validation.Cause{Message: f.message, Reason: f.rule.reason}
	}
	path, written, note := s.written(f.rule.path)
	cause := validation.Cause{Field: path.String(), Type: metav1.CauseTypeFieldValueInvalid, Reason: f.rule.reason}
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
		said = field.Invalid(nil, s.shown(value), f.message)
	}
	cause.Message = said.ErrorBody() + note
	return cause
}

// shown gives a value for a message: a short scalar, and nothing of a Secret.
func (s *subject) shown(value ref.Val) any {
	switch value := value.(type) {
	case types.String:
		if !s.secret() && len(value) <= maxValue {
			return string(value)
		}
	case types.Int, types.Double, types.Bool:
		if !s.secret() {
			return value.Value()
		}
	}
	return field.OmitValueType{}
}

// asDenial is a finding's message where it denies. A policy of Kubernetes is named
// with its binding, as apiserver does; one of crosswalk.dev has messages of its
// own, and is named only where it fails.
func asDenial(p *Policy, b *binding, f *finding, message string) string {
	if b.name != "" {
		return fmt.Sprintf("%s '%s' with binding '%s' denied request: %s", p.kind, p.name, b.name, message)
	}
	return p.named(f, message)
}

// asWarning is a finding's message where it warns.
func asWarning(p *Policy, b *binding, f *finding, cause validation.Cause) string {
	message := cause.Message
	if cause.Field != "" {
		message = cause.Field + ": " + message
	}
	if b.name != "" {
		return fmt.Sprintf("Validation failed for %s '%s' with binding '%s': %s", p.kind, p.name, b.name, message)
	}
	return p.named(f, message)
}

func (p *Policy) named(f *finding, message string) string {
	if f.rule == nil {
		return fmt.Sprintf("%s %q: %s", p.kind, p.name, message)
	}
	return message
}
