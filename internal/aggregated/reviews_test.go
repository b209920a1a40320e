package aggregated

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
	"github.com/crosswalk-dev/crosswalk/validation"
)

const reviewsPath = "/apis/admission.crosswalk.dev/v1alpha1/reviews"

// aReview is what the API server asks about an object with an annotation.
func aReview(annotation string) string {
	return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-1",
"kind":{"group":"sky.dev","version":"v1","kind":"Star"},"resource":{"group":"sky.dev","version":"v1","resource":"stars"},
"name":"sol","operation":"CREATE","userInfo":{"username":"jane"},
"object":{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"name":"sol","annotations":{"a":"` + annotation + `"}}}}}`
}

// Clients see what the group is for, and that nothing is kept there.
func TestReviewsAreDiscovered(t *testing.T) {
	s := serve(t)
	code, body := s.ask(t, s.as(t, "bob"), "GET", strings.TrimSuffix(reviewsPath, "/reviews"), "")
	var resources metav1.APIResourceList
	if err := json.Unmarshal([]byte(body), &resources); code != http.StatusOK || err != nil {
		t.Fatalf("%d %v: %s", code, err, body)
	}
	var got []string
	for _, r := range resources.APIResources {
		got = append(got, fmt.Sprint(r.Name, " ", r.Group, "/", r.Version, " ", r.Kind, " ", r.Namespaced, " ", r.Verbs))
	}
	if got := strings.Join(got, "; "); got != "reviews admission.k8s.io/v1 AdmissionReview false [create]" {
		t.Errorf("got %s", got)
	}
}

// Verdicts are for who has the right to ask for them: the API server.
func TestWhoMayAskForVerdicts(t *testing.T) {
	s := prepare(t)
	var asked []string
	s.reviewer = validation.ReviewerFunc(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		asked = append(asked, r.Name+" by "+r.UserInfo.Username)
		return &validation.Verdict{Causes: []validation.Cause{{Message: "told"}}}, nil
	})
	s.start(t)
	for _, test := range []struct {
		name   string
		caller caller
		want   int
	}{
		{"nobody", caller{}, http.StatusUnauthorized},
		{"a name without a certificate", caller{user: "system:apiserver"}, http.StatusUnauthorized},
		{"a name with a certificate of somebody else", caller{user: "system:apiserver", certificate: shown(t, certstest.NewCA(t, nil, "CA"), "front-proxy-client")}, http.StatusUnauthorized},
		{"a name with the certificate of a client identifies that client", caller{user: "system:apiserver", certificate: shown(t, s.clients, "bob")}, http.StatusForbidden},
		{"who may have objects converted", s.as(t, "alice"), http.StatusForbidden},
		{"a token without the right", caller{token: "bob's"}, http.StatusForbidden},
		{"the API server", s.as(t, "system:apiserver"), http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{"/validate/telling", "/mutate/telling?timeout=10s"} {
				asked = nil
				code, body := s.ask(t, test.caller, "POST", reviewsPath+path, aReview(""))
				if code != test.want || (code == http.StatusOK) != strings.Contains(body, "told") || (code == http.StatusOK) != (len(asked) == 1) {
					t.Errorf("%s: %d, want %d: %s, and %v were asked", path, code, test.want, body, asked)
				}
			}
		})
	}
	for path, want := range map[string]int{
		"/validate/nobody": http.StatusServiceUnavailable, "/validate": http.StatusNotFound, "/validate/telling/": http.StatusNotFound, "/convert": http.StatusNotFound,
		"/validate/../mutate/telling": http.StatusNotFound,
	} {
		if code, body := s.ask(t, s.as(t, "system:apiserver"), "POST", reviewsPath+path, aReview("")); code != want {
			t.Errorf("%s: %d, want %d: %s", path, code, want, body)
		}
	}
	if code, _ := s.ask(t, s.as(t, "system:apiserver"), "GET", reviewsPath+"/validate/telling", ""); code != http.StatusForbidden {
		t.Errorf("GET: %d", code)
	}
}

// Reviews are as large here as on the webhook's own port, and as many at once.
func TestReviewsAreBoundedByTheWebhook(t *testing.T) {
	s := prepare(t)
	const many = 3 * mostRequests
	var all sync.WaitGroup
	all.Add(many)
	s.reviewer = validation.ReviewerFunc(func(ctx context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if len(r.Object.Raw) > mostBodyBytes {
			return nil, nil
		}
		all.Done()
		together := make(chan struct{})
		go func() { all.Wait(); close(together) }()
		select {
		case <-together:
			return nil, nil
		case <-ctx.Done():
			return nil, errors.New("the others are not asked")
		}
	})
	s.start(t)
	api := s.as(t, "system:apiserver")
	if code, body := s.ask(t, api, "POST", reviewsPath+"/validate/telling?timeout=30s", aReview(strings.Repeat("a", mostBodyBytes+1))); code != http.StatusOK {
		t.Errorf("a large one: %d: %s", code, body)
	}
	var asking sync.WaitGroup
	for range many {
		asking.Go(func() {
			if code, body := s.ask(t, api, "POST", reviewsPath+"/validate/telling?timeout=20s", aReview("")); code != http.StatusOK {
				t.Errorf("%d: %s", code, body)
			}
		})
	}
	asking.Wait()
	if code, body := s.ask(t, api, "POST", reviewsPath+"/validate/telling?timeout=never", aReview("")); code != http.StatusBadRequest {
		t.Errorf("%d: %s", code, body)
	}
}
