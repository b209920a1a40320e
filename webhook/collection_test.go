package webhook

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// choir is a collection whose members warn with their names.
type choir struct{}

func (choir) Review(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
	return &validation.Verdict{Warnings: []string{"all"}}, nil
}

func (choir) Only(names []string) validation.Reviewer {
	return says(validation.Verdict{Warnings: names})
}

func (choir) Fingerprint(name string) (string, bool) { return "f-" + name, name != "gone" }

// Lacks is told by name, and not known of a member named lost.
func (choir) Lacks(_ context.Context, name string) ([]string, error) {
	switch name {
	case "lost":
		return nil, errors.New("nobody answers")
	case "poor":
		return []string{"get as.g", "get bs"}, nil
	}
	return nil, nil
}

// TestCollection asks those members that the path names.
func TestCollection(t *testing.T) {
	reviewers := NewReviewers(nil)
	if err := reviewers.Replace(map[string]validation.Reviewer{"choir": choir{}, "solo": says(validation.Verdict{})}, nil); err != nil {
		t.Fatal(err)
	}
	h := NewAdmissionHandler(Options{Reviewers: reviewers})
	for path, want := range map[string]string{
		"/validate/choir":                               `"all"`,
		"/validate/choir/b/a.x":                         `"b","a.x"`,
		"/validate/choir/a?timeout=10s":                 `"a"`,
		"/validate/choir/a?timeout=1s&xfingerprint=f-b": `"a"`,
	} {
		post(t, h, path, admissionUpdate).expect(t, http.StatusOK,
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true,"warnings":[`+want+`]}}`)
	}
	for path, want := range map[string]string{
		"/validate/choir/a?fingerprint=f-a":                  `,"auditAnnotations":{"lacks":""},"warnings":["a"]`,
		"/validate/choir/poor?timeout=1s&fingerprint=f-poor": `,"auditAnnotations":{"lacks":"get as.g,get bs"},"warnings":["poor"]`,
		"/validate/choir/lost?fingerprint=f-lost":            `,"warnings":["lost"]`,
	} {
		post(t, h, path, admissionUpdate).expect(t, http.StatusOK,
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true`+want+`}}`)
	}
	for path, want := range map[string]string{
		"/validate/choir/a?fingerprint=f-b":       "no reviewer named choir/a with the fingerprint f-b is loaded yet to validate",
		"/validate/choir/gone?fingerprint=f-gone": "no reviewer named choir/gone with the fingerprint f-gone is loaded yet to validate",
		"/validate/choir?fingerprint=":            "no reviewer named choir with the fingerprint  is loaded yet to validate",
		"/validate/solo?fingerprint=f":            "no reviewer named solo with the fingerprint f is loaded yet to validate",
		"/mutate/choir/a":                         "no reviewer named choir is loaded yet to mutate",
	} {
		post(t, h, path, admissionUpdate).refused(t, http.StatusServiceUnavailable, want)
	}
	post(t, h, "/validate/solo/a", admissionUpdate).refused(t, http.StatusNotFound, "validate/solo has no members, so the path ends with its name")
	for _, path := range []string{"/validate/choir/", "/validate/choir//a", "/validate/choir/A", "/validate/choir/a/"} {
		post(t, h, path, admissionUpdate).refused(t, http.StatusNotFound, "this path does not exist; use /validate/{name} or /mutate/{name}")
	}
}

// TestPolicyMetrics: each policy has its own series, and a removed policy has none.
func TestPolicyMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	compile := func(name string) *policy.Policy {
		p, _ := policy.Compile(&v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}})
		return p
	}
	a, b := compile("a"), compile("b")
	metrics.KeepPolicies(a, b)
	metrics.ObservePolicy(a, policy.Opinion{})
	metrics.ObservePolicy(a, policy.Opinion{Denied: true})
	metrics.ObservePolicy(a, policy.Opinion{Denied: true, Failed: true})
	metrics.ObservePolicy(a, policy.Opinion{Failed: true})
	metrics.KeepPolicies(a)
	want := `# HELP crosswalk_policy_opinions_total Requests that a policy matched, by kind and name of the policy and its opinion (content, against, or failed: some expression could not be evaluated, whatever the failurePolicy is).
# TYPE crosswalk_policy_opinions_total counter
crosswalk_policy_opinions_total{kind="ValidationPolicy",opinion="against",policy="a"} 1
crosswalk_policy_opinions_total{kind="ValidationPolicy",opinion="content",policy="a"} 1
crosswalk_policy_opinions_total{kind="ValidationPolicy",opinion="failed",policy="a"} 2
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "crosswalk_policy_opinions_total"); err != nil {
		t.Error(err)
	}
}
