package validation

import (
	"context"
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
)

// Reviewer reviews requests. Many goroutines call it at once.
type Reviewer interface {
	// Review reviews a request. Its objects are the bytes that the API server sent, in the
	// version of the webhook's rule. Review must not change them, or keep them after it
	// returns.
	//
	// An error means that the request could not be reviewed. The API server then follows the
	// failurePolicy of the webhook, so a mistake of the writer must not be an error.
	Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error)
}

// ErrNotReady is wrapped by errors of requests that can be reviewed in a moment, or by another
// replica now. The API server is asked to try again.
var ErrNotReady = errors.New("not ready")

// ErrMalformed is wrapped by errors of requests that contradict themselves. The API server
// never sends them. The caller receives the error.
var ErrMalformed = errors.New("malformed request")

// ReviewerFunc is a function that reviews.
type ReviewerFunc func(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error)

// Review implements [Reviewer].
func (f ReviewerFunc) Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error) {
	return f(ctx, request)
}

// Each returns a reviewer that asks all reviewers about the same request, and combines their
// verdicts.
func Each(reviewers ...Reviewer) Reviewer {
	return ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error) {
		all := new(Verdict)
		for _, r := range reviewers {
			verdict, err := r.Review(ctx, request)
			if err != nil {
				return nil, err
			}
			all.add(verdict)
		}
		return all, nil
	})
}

// InTurn returns a reviewer that passes the object through the reviewers, one after the other,
// and ends with the first denial.
func InTurn(reviewers ...Reviewer) Reviewer {
	return ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error) {
		all, now := new(Verdict), *request
		for _, r := range reviewers {
			verdict, err := r.Review(ctx, &now)
			if err != nil {
				return nil, err
			}
			all.add(verdict)
			if verdict != nil && verdict.Object != nil {
				now.Object.Raw = verdict.Object
			}
			if !all.Allowed() {
				break
			}
		}
		return all, nil
	})
}
