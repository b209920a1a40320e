package webhook

import (
	"context"
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	kjson "sigs.k8s.io/json"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// judge is a reviewer whose verdict a test decides.
type judge func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error)

func (j judge) Review(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
	return j(ctx, request)
}

// says is a judge who always says the same.
func says(verdict validation.Verdict) judge {
	return func(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		return &verdict, nil
	}
}

// asked returns a handler that asks j under the name stars, in both phases.
func asked(t testing.TB, o Options, j validation.Reviewer) http.Handler {
	t.Helper()
	o.Reviewers = NewReviewers(o.Metrics)
	one := map[string]validation.Reviewer{"stars": j}
	if err := o.Reviewers.Replace(one, one); err != nil {
		t.Fatal(err)
	}
	return NewAdmissionHandler(o)
}

const (
	// starObject and oldStar are what is written and what was stored.
	starObject = `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"name":"sol","namespace":"milkyway"},"spec":{"mass":2}}`
	oldStar    = `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"name":"sol","namespace":"milkyway"},"spec":{"mass":1}}`
	// admissionUpdate is what the API server sends for an update.
	admissionUpdate = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",` +
		`"kind":{"group":"sky.dev","version":"v1","kind":"Star"},"resource":{"group":"sky.dev","version":"v1","resource":"stars"},` +
		`"requestKind":{"group":"sky.dev","version":"v1beta1","kind":"Star"},"requestResource":{"group":"sky.dev","version":"v1beta1","resource":"stars"},` +
		`"name":"sol","namespace":"milkyway","operation":"UPDATE",` +
		`"userInfo":{"username":"jane","uid":"7","groups":["astronomers","system:authenticated"],"extra":{"scopes":["a","b"]}},` +
		`"object":` + starObject + `,"oldObject":` + oldStar + `,"dryRun":false,"options":{"kind":"UpdateOptions","apiVersion":"meta.k8s.io/v1"}}}`
)

// with is admissionUpdate with some of its text replaced.
func with(old, new string) string {
	if !strings.Contains(admissionUpdate, old) {
		panic("no " + old)
	}
	return strings.Replace(admissionUpdate, old, new, 1)
}

// decodeReview decodes a review with the real types, as the API server does.
func decodeReview(t testing.TB, body string) *admissionv1.AdmissionReview {
	t.Helper()
	var review admissionv1.AdmissionReview
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(body), &review); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return &review
}
