package authority

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/metricsserver"
	stages "github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// testSecretCA has an aggregated API of somebody else verified: by the CA of its own
// certificate, once the owner of its Secret has typed what the Event says.
func (s *stage) testSecretCA(t *testing.T) {
	server := metricsserver.Start(t, s.plane)
	o := s.apiService(metricsserver.APIService)
	available := func(want string) func() string {
		return func() string {
			if got := o.condition(t, "Available"); got != want {
				return "Available is " + got
			}
			return ""
		}
	}
	eventually(t, available("True")) // as it is shipped: nobody asks who it is

	// Crosswalk's CA has signed nothing of it.
	s.kubectl(t, "annotate", "apiservice", o.name, "crosswalk.dev/inject-ca=true")
	o.waitFor(t, s.source.get())
	o.waitForEvent(t, "Warning", "NotItsCertificate", ".spec.caBundle holds Crosswalk's CA bundle, whose certificate is for localhost, "+
		"but the API server calls metrics-server.kube-system.svc there: ")
	answers := func(context.Context) error {
		// By way of the API server.
		text, err := s.api.Get(t.Context(), "/apis/metrics.k8s.io/v1beta1")
		if err != nil || !bytes.Contains(text, []byte("NodeMetrics")) {
			return fmt.Errorf("%s, %v", text, err)
		}
		return nil
	}
	eventually(t, func() string {
		if answers(t.Context()) == nil {
			return "the API server trusts who has a certificate of another CA"
		}
		return ""
	})
	// docs/injection.md says which releases look at the CA.
	if stages.Minor(t) >= 36 {
		eventually(t, available("False"))
	} else {
		eventually(t, available("True"))
	}

	s.kubectl(t, "annotate", "apiservice", o.name, "crosswalk.dev/inject-ca-from=kube-system/metrics-server-tls")
	o.waitForEvent(t, "Warning", "InvalidAnnotation", "ask for two CAs; remove one")
	s.kubectl(t, "annotate", "apiservice", o.name, "crosswalk.dev/inject-ca-")
	note := o.waitForEvent(t, "Warning", "NoConsent", "Crosswalk may not read the Secret")
	s.obey(t, note)
	var others []subject
	for _, other := range s.subjects("from-secret") {
		other = other.withManifest(strings.Replace(other.manifest, `crosswalk.dev/inject-ca: "true"`, "crosswalk.dev/inject-ca-from: kube-system/metrics-server-tls", 1))
		other.apply(t, gitops)
		others = append(others, other)
	}
	for range 2 {
		ca := server.Renew(t)
		o.waitFor(t, ca)
		for _, other := range others {
			other.waitFor(t, ca)
			other.waitForEvent(t, "Warning", "NotItsCertificate", "holds the CA of the Secret kube-system/metrics-server-tls, "+
				"whose certificate is for metrics-server.kube-system.svc, but the API server calls x.default.svc there")
		}
		stages.Until(t, 30*time.Second, answers)
		eventually(t, available("True"))
	}
	// What is wrong with a Secret is told each time, though the objects stay as they are.
	for data, wrong := range map[string]string{
		`{"ca.crt": "eA=="}`: "its ca.crt: there is no PEM certificate; put the certificate of the CA there",
		`{"ca.crt": null}`:   "it has no ca.crt; add the CA that has signed its tls.crt",
	} {
		s.kubectl(t, "patch", "secret", "-n", "kube-system", "metrics-server-tls", "--type=merge", "-p", `{"data": `+data+`}`)
		for _, other := range others {
			other.waitForEvent(t, "Warning", "NoUsableSecret", "the Secret kube-system/metrics-server-tls: "+wrong)
		}
	}
	// Where Crosswalk itself is called, its own bundle stays.
	armed := s.subjects("armed-from-secret")[0]
	armed = armed.withManifest(strings.Replace(armed.manifest, `crosswalk.dev/inject-ca: "true"`, "crosswalk.dev/inject-ca-from: kube-system/metrics-server-tls", 1))
	armed.holding(s.source.get()).apply(t, arming)
	armed.waitForEvent(t, "Warning", "KeptByCrosswalk", "keeps its own CA bundle in it as crosswalk-arming")
	if lacks := armed.lacks(t, s.source.get()); lacks != "" {
		t.Error(lacks)
	}
	// It has the right to nothing else.
	for _, args := range [][]string{{"list", "secrets"}, {"get", "secrets/other"}, {"update", "secrets/metrics-server-tls"}} {
		if out, err := s.plane.Kubectl(t.Context(), append([]string{"auth", "can-i", "-n", "kube-system",
			"--as=system:serviceaccount:crosswalk-system:crosswalk-manage"}, args...)...); err == nil {
			t.Errorf("may %v: %s", args, out)
		}
	}
	s.kubectl(t, "delete", "rolebinding", "-n", "kube-system", "crosswalk-reads-metrics-server-tls")
	s.kubectl(t, "delete", "role", "-n", "kube-system", "crosswalk-reads-metrics-server-tls")
}

func (s *stage) kubectl(t *testing.T, args ...string) {
	t.Helper()
	if _, err := s.plane.Kubectl(t.Context(), args...); err != nil {
		t.Fatal(err)
	}
}

// condition is the status of a condition.
func (s subject) condition(t *testing.T, name string) string {
	t.Helper()
	text, err := json.Marshal(s.get(t).Object["status"])
	if err != nil {
		t.Fatal(err)
	}
	var status struct {
		Conditions []struct{ Type, Status, Message string }
	}
	if err := json.Unmarshal(text, &status); err != nil {
		t.Fatal(err)
	}
	for _, c := range status.Conditions {
		if c.Type == name {
			return c.Status
		}
	}
	return "missing"
}
