package aggregated

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/certstest"
)

const aConversion = `{"apiVersion":"conversion.crosswalk.dev/v1alpha1","kind":"Conversion",
"spec":{"version":"v1","object":{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a","namespace":"default"},
"spec":{"cronSpec":"* * * * *","image":"example.com/a:1","hostPort":"a.example.com:80"}}}}`

// Who asks is believed for a certificate of the front proxy, for one of his own, or for a
// token; and needs the right.
func TestWhoMayCall(t *testing.T) {
	s := serve(t)
	const created, unauthenticated, forbidden = http.StatusCreated, http.StatusUnauthorized, http.StatusForbidden
	tests := []struct {
		name   string
		caller caller
		want   int
	}{
		{"nobody", caller{}, unauthenticated},
		{"a name without a certificate", caller{user: "alice"}, unauthenticated},
		{"a name with a certificate of somebody else", caller{user: "alice", certificate: shown(t, certstest.NewCA(t, nil, "CA"), "front-proxy-client")}, unauthenticated},
		{"a name with another certificate of the front proxy's authority", caller{user: "alice", certificate: shown(t, s.proxy, "kubelet")}, unauthenticated},
		{"the front proxy without a name", s.as(t, ""), unauthenticated},
		{"a name with the certificate of a client identifies that client", caller{user: "alice", certificate: shown(t, s.clients, "bob")}, forbidden},
		{"by way of the front proxy, without the right", s.as(t, "bob"), forbidden},
		{"by way of the front proxy", s.as(t, "alice"), created},
		{"the API server's anonymous user", s.as(t, "system:anonymous"), forbidden},
		{"a client's certificate", caller{certificate: shown(t, s.clients, "alice")}, created},
		{"a token", caller{token: "alice's"}, created},
		{"a token, without the right", caller{token: "bob's"}, forbidden},
		{"a token of nobody", caller{token: "mallory's"}, unauthenticated},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, body := s.ask(t, test.caller, "POST", conversionsPath, aConversion)
			if got != test.want {
				t.Errorf("%d, want %d: %s", got, test.want, body)
			}
			if test.want == forbidden && !strings.Contains(body, `cannot create resource \"conversions\" in API group \"conversion.crosswalk.dev\" at the cluster scope`) {
				t.Errorf("it is refused without a reason: %s", body)
			}
		})
	}
}

// A replica that cannot read how the front proxy presents itself believes nobody by his
// name, serves on, and believes as soon as it can.
func TestFrontProxyNotKnownYet(t *testing.T) {
	s := prepare(t)
	s.cluster.proxy = nil
	s.start(t)
	if got, body := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion); got != http.StatusUnauthorized {
		t.Errorf("%d: %s", got, body)
	}
	if got, body := s.ask(t, caller{token: "alice's"}, "POST", conversionsPath, aConversion); got != http.StatusCreated {
		t.Errorf("%d: %s", got, body)
	}
	if err := s.server.Check(); err == nil {
		t.Error("it is ready, though the API server would be refused")
	}
	s.server.began = s.server.began.Add(-notReady)
	if err := s.server.Check(); err != nil {
		t.Errorf("it is not ready, though it can do all else: %v", err)
	}
	s.server.began = time.Now()
	s.cluster.publish(s.configMap())
	until(t, func() bool {
		got, _ := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
		return got == http.StatusCreated && s.server.Check() == nil
	})
}

// The front proxy's next authority is trusted as soon as the API server publishes it, and the last
// one no more.
func TestFrontProxyChanges(t *testing.T) {
	s := serve(t)
	last := s.as(t, "alice")
	s.proxy = certstest.NewCA(t, nil, "CA")
	s.cluster.publish(s.configMap())
	until(t, func() bool {
		got, _ := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
		return got == http.StatusCreated
	})
	if got, body := s.ask(t, last, "POST", conversionsPath, aConversion); got != http.StatusUnauthorized {
		t.Errorf("%d: %s", got, body)
	}
}

// Who may not ask the API server answers nobody, and says why.
func TestMayNotDelegate(t *testing.T) {
	s := serve(t)
	s.cluster.mu.Lock()
	s.cluster.forbidden = true
	s.cluster.mu.Unlock()
	if got, body := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion); got != http.StatusInternalServerError || !strings.Contains(body, "it is forbidden") {
		t.Errorf("%d: %s", got, body)
	}
	if got, body := s.ask(t, caller{token: "alice's"}, "POST", conversionsPath, aConversion); got != http.StatusUnauthorized {
		t.Errorf("%d: %s", got, body)
	}
}
