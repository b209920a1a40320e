package reach

import (
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Refused returns the obstacle for an error with which the API server rejects a request, such
// as one for which a right is missing. It is nil for other errors: there is no answer, the API
// server is busy, or another client was faster.
func Refused(err error) *Obstacle {
	var refusal apierrors.APIStatus
	if !errors.As(err, &refusal) || apierrors.IsConflict(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsServiceUnavailable(err) || apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err) {
		return nil
	}
	return &Obstacle{"Refused", fmt.Sprintf("the API server rejects a request of crosswalk manage, which tries again: %v", err)}
}
