package migrate

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ArgumentError is an error in the arguments: nothing was tried.
type ArgumentError struct{ err error }

func (e *ArgumentError) Error() string { return e.err.Error() }
func (e *ArgumentError) Unwrap() error { return e.err }

func argumentErrorf(format string, args ...any) error {
	return &ArgumentError{fmt.Errorf(format, args...)}
}

// isGone reports whether the API server itself answers that this very object does not exist. A
// version that is no longer served is a 404 as well, and so is a path that a proxy does not
// know.
func isGone(err error, plural, name string) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsNotFound(err) {
		return false
	}
	details := status.Status().Details
	return details != nil && details.Name == name && details.Kind == plural &&
		!apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}
