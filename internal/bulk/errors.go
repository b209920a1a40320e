package bulk

import (
	"context"
	"errors"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Failure is what an error means for a request.
type Failure int

const (
	Final    Failure = iota // trying again changes nothing
	Stopped                 // ctx has ended
	Missing                 // the object, its version or the whole path does not exist
	Conflict                // the object is not in the expected state
	Busy                    // the server asks the client to try again later
	Broken                  // the server, the network or a webhook does not work now
)

// Classify returns what an error means.
func Classify(err error) Failure {
	var status apierrors.APIStatus
	switch {
	case errors.Is(err, context.Canceled):
		return Stopped
	case !errors.As(err, &status):
		return Broken // no answer at all
	case apierrors.IsNotFound(err):
		return Missing
	case apierrors.IsConflict(err):
		return Conflict
	}
	_, asked := apierrors.SuggestsClientDelay(err)
	switch code := status.Status().Code; {
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable && asked:
		return Busy
	case code >= 500:
		return Broken
	}
	return Final
}

// delayAsked returns the delay that the server asked for, or 0.
func delayAsked(err error) time.Duration {
	seconds, _ := apierrors.SuggestsClientDelay(err)
	return time.Duration(seconds) * time.Second
}
