package bulk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestClassify(t *testing.T) {
	status := func(code int32, reason metav1.StatusReason, seconds int32) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: code, Reason: reason, Details: &metav1.StatusDetails{RetryAfterSeconds: seconds},
		}}
	}
	tests := map[string]struct {
		err  error
		want Failure
	}{
		"ctx ended":                       {fmt.Errorf("Get: %w", context.Canceled), Stopped},
		"no connection":                   {errors.New("connection refused"), Broken},
		"no answer in time":               {fmt.Errorf("Get: %w", context.DeadlineExceeded), Broken},
		"not found":                       {status(http.StatusNotFound, metav1.StatusReasonNotFound, 0), Missing},
		"conflict":                        {status(http.StatusConflict, metav1.StatusReasonConflict, 0), Conflict},
		"too many requests":               {status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, 0), Busy},
		"unavailable, with a delay":       {status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, 1), Busy},
		"unavailable":                     {status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, 0), Broken},
		"a conversion fails":              {status(http.StatusInternalServerError, metav1.StatusReasonInternalError, 0), Broken},
		"not allowed":                     {status(http.StatusForbidden, metav1.StatusReasonForbidden, 0), Final},
		"denied by a webhook, in a chain": {fmt.Errorf("x: %w", status(http.StatusForbidden, metav1.StatusReasonForbidden, 0)), Final},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Classify(test.err); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}
