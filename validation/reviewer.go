package validation

import (
	"context"
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
)

// Reviewer decides about requests. It is called by many goroutines at once.
type Reviewer interface {
	// Review looks at a request whose objects are the bytes that the API server
	// sent, in the version of the webhook's rule. It must not change them, nor keep
	// them after it returns.
	//
	// An error says that the request could not be judged. The API server then
	// follows the failurePolicy of the webhook, so an error must not be given for
	// what is the writer's to mend.
	Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error)
}

// ErrNotReady is what an error wraps where the request could be judged in a moment,
// or by another replica now: the API server is told to ask again.
var ErrNotReady = errors.New("not ready")

// ErrMalformed is what an error wraps where a request contradicts itself, which none
// of the API server does: who has sent it is told so, and what is wrong.
var ErrMalformed = errors.New("malformed request")

// ReviewerFunc is a function that reviews.
type ReviewerFunc func(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error)

// Review implements [Reviewer].
func (f ReviewerFunc) Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error) {
	return f(ctx, request)
}

// Each asks all reviewers about the same request, and gives what all of them say.
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

// InTurn asks each reviewer about what those before it have made of the object,
// and ends with the first that denies the request.
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
