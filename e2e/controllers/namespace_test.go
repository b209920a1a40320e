package controllers

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// testNamespace deletes a namespace that holds objects in either version, some of
// them stored in a version that is no longer the storage version.
func (s *stage) testNamespace(t *testing.T) {
	const namespace = "doomed"
	s.kubectl(t, "", "create", "namespace", namespace)
	old := s.crontabs(switched, "v1beta1", namespace)
	create(t, old, "old")
	s.storeV1(t, switched)
	if got := s.stored(t, old, "old"); got != switched+"/v1beta1" {
		t.Fatalf("etcd has %s", got)
	}
	all := map[string]harness.Resource{"old": old}
	for _, group := range []string{v1Stored, v1beta1Stored, switched} {
		for _, version := range []string{"v1beta1", "v1"} {
			r := s.crontabs(group, version, namespace)
			create(t, r, "in-"+version)
			all[group+version] = r
		}
	}
	s.kubectl(t, "", "delete", "namespace", namespace, "--wait=false")
	eventually(t, 30*time.Second, func() string { return s.namespaceGone(t, namespace) })
	if left := s.gone(t, old, "old", "in-v1", "in-v1beta1"); left != "" {
		t.Error(left)
	}
	for _, r := range all {
		if left := s.gone(t, r, "in-"+r.Version); left != "" {
			t.Error(left)
		}
	}
}

// testNamespaceAway deletes namespaces while Crosswalk is down.
func (s *stage) testNamespaceAway(t *testing.T) {
	needs := s.crontabs(v1beta1Stored, "v1beta1", "stuck")
	other := s.crontabs(v1Stored, "v1", "free")
	for _, r := range []harness.Resource{needs, other} {
		s.kubectl(t, "", "create", "namespace", r.Namespace)
		create(t, r, "a")
	}
	back := s.away(t)
	s.kubectl(t, "", "delete", "namespace", needs.Namespace, other.Namespace, "--wait=false")
	// Objects that are stored as the controller reads them do not hold theirs.
	eventually(t, 30*time.Second, func() string { return s.namespaceGone(t, other.Namespace) })
	// The namespace says what holds it.
	eventually(t, 30*time.Second, func() string {
		said := s.kubectl(t, "", "get", "namespace", needs.Namespace, "-o",
			`jsonpath={.status.phase} {.status.conditions[?(@.type=="NamespaceDeletionContentFailure")].message}`)
		for _, want := range []string{"Terminating", conversionFails(v1beta1Stored), "connection refused"} {
			if !strings.Contains(said, want) {
				return said
			}
		}
		return ""
	})
	if left := s.gone(t, needs, "a"); left == "" {
		t.Error("deleted without a converter")
	}
	back()
	eventually(t, 2*time.Minute, func() string { return s.namespaceGone(t, needs.Namespace) })
}

// namespaceGone says what is left of a namespace.
func (s *stage) namespaceGone(t *testing.T, name string) string {
	t.Helper()
	data, err := s.api.Get(t.Context(), "/api/v1/namespaces/"+name)
	var status *harness.StatusError
	switch {
	case errors.As(err, &status) && status.Code == http.StatusNotFound:
		return ""
	case err != nil:
		t.Fatal(err)
	}
	var namespace struct{ Status json.RawMessage }
	if err := json.Unmarshal(data, &namespace); err != nil {
		t.Fatal(err)
	}
	return "namespace " + name + " is still there: " + string(namespace.Status)
}

// storeV1 makes v1 the storage version of the example in a group, and waits until
// the API server stores it.
func (s *stage) storeV1(t *testing.T, group string) {
	t.Helper()
	s.kubectl(t, "", "patch", "crd", "crontabs."+group, "--type=json", `--patch=[
		{"op":"test","path":"/spec/versions/0/name","value":"v1beta1"},
		{"op":"replace","path":"/spec/versions/0/storage","value":false},
		{"op":"replace","path":"/spec/versions/1/storage","value":true}]`)
	probe := s.crontabs(group, "v1", "default")
	eventually(t, 20*time.Second, func() string {
		create(t, probe, "probe")
		got := s.stored(t, probe, "probe")
		remove(t, probe, "probe", "Background")
		if got != probe.APIVersion() {
			return "new objects are stored as " + got
		}
		return ""
	})
}

func lower(s string) string { return strings.ToLower(s) }
