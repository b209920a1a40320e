package aggregated

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Clients see a group with one resource, of which all that can be done is to create one.
func TestDiscovery(t *testing.T) {
	s := serve(t)
	code, body := s.ask(t, s.as(t, "bob"), "GET", "/apis/conversion.crosswalk.dev/v1alpha1", "")
	var resources metav1.APIResourceList
	if err := json.Unmarshal([]byte(body), &resources); code != http.StatusOK || err != nil {
		t.Fatalf("%d %v: %s", code, err, body)
	}
	if len(resources.APIResources) != 1 {
		t.Fatalf("got %v", resources.APIResources)
	}
	got := resources.APIResources[0]
	if got.Name != "conversions" || got.SingularName != "conversion" || got.Kind != "Conversion" || got.Namespaced ||
		len(got.Verbs) != 1 || got.Verbs[0] != "create" {
		t.Errorf("got %+v", got)
	}
	if code, body := s.ask(t, s.as(t, "alice"), "GET", conversionsPath, ""); code != http.StatusForbidden { // as she may not list
		t.Errorf("a list: %d %s", code, body)
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} { // told elsewhere, or to nobody
		if code, _ := s.ask(t, s.as(t, "root"), "GET", path, ""); code != http.StatusNotFound {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// A TLS version below the minimum is rejected.
func TestTLSVersion(t *testing.T) {
	s := serve(t)
	conn, err := tls.Dial("tcp", s.address, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12})
	if err == nil {
		conn.Close()
		t.Error("TLS 1.2 is served")
	}
}

// A renewed certificate is served without a restart.
func TestCertificateChanges(t *testing.T) {
	s := serve(t)
	if code, body := s.ask(t, s.as(t, "alice"), "GET", "/apis", ""); code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	s.certs.renew(t)
	until(t, func() bool { // ask believes the new authority alone
		code, _ := s.ask(t, s.as(t, "alice"), "GET", "/apis", "")
		return code == http.StatusOK
	})
}

// What is asked of the resource is counted beside the webhook's own routes.
func TestCounted(t *testing.T) {
	s := serve(t)
	s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
	s.ask(t, s.as(t, "bob"), "POST", conversionsPath, aConversion)
	s.ask(t, caller{}, "POST", conversionsPath, aConversion)
	s.ask(t, s.as(t, "alice"), "GET", "/apis", "")
	err := testutil.GatherAndCompare(s.registry, strings.NewReader(`# HELP crosswalk_http_requests_total Requests answered, by route and class of status code.
# TYPE crosswalk_http_requests_total counter
crosswalk_http_requests_total{code="2xx",route="/apis/conversion.crosswalk.dev/v1alpha1/conversions"} 1
crosswalk_http_requests_total{code="4xx",route="/apis/conversion.crosswalk.dev/v1alpha1/conversions"} 2
crosswalk_http_requests_total{code="5xx",route="/apis/conversion.crosswalk.dev/v1alpha1/conversions"} 0
crosswalk_http_requests_total{code="none",route="/apis/conversion.crosswalk.dev/v1alpha1/conversions"} 0
`), "crosswalk_http_requests_total")
	if err != nil {
		t.Error(err)
	}
}
