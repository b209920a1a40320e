package migrate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

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

// failure is what an error means for a request.
type failure int

const (
	final    failure = iota // trying again changes nothing
	stopped                 // ctx has ended
	missing                 // something does not exist: isGone reports whether it is the object
	conflict                // the object is not the expected one
	busy                    // the server asks the client to try again later
	broken                  // the server, the network or a webhook does not work now
)

func classify(err error) failure {
	var status apierrors.APIStatus
	switch {
	case errors.Is(err, context.Canceled):
		return stopped
	case !errors.As(err, &status):
		return broken // no answer at all
	case apierrors.IsNotFound(err):
		return missing
	case apierrors.IsConflict(err):
		return conflict
	}
	_, asked := apierrors.SuggestsClientDelay(err)
	switch code := status.Status().Code; {
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable && asked:
		return busy
	case code >= 500:
		return broken
	}
	return final
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

// delayAsked returns the delay that the server asked for, or 0.
func delayAsked(err error) time.Duration {
	seconds, _ := apierrors.SuggestsClientDelay(err)
	return time.Duration(seconds) * time.Second
}
