package controllers

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// The same spec in both versions, with a field that only the version that it is
// written in has.
var specs = map[string]string{
	"v1beta1": `{"cronSpec":"0 2 * * *","image":"example.com/backup:1.4","hostPort":"localhost:1234","shell":"/bin/dash"}`,
	"v1":      `{"cronSpec":"0 2 * * *","image":"example.com/backup:1.4","host":"localhost","port":"1234","timeZone":"Europe/Zurich"}`,
}

// create makes a CronTab in r's version, with owners if there are any.
func create(t *testing.T, r harness.Resource, name string, owners ...string) (uid string) {
	t.Helper()
	object := fmt.Appendf(nil, `{"apiVersion":%q,"kind":"CronTab","metadata":{"name":%q,"ownerReferences":[%s]},"spec":%s}`,
		r.APIVersion(), name, strings.Join(owners, ","), specs[r.Version])
	data, err := r.Create(t.Context(), object)
	if err != nil {
		t.Fatal(err)
	}
	return metadataOf(t, data).UID
}

// owner refers to a CronTab in the given version.
func owner(r harness.Resource, name, uid string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":"CronTab","name":%q,"uid":%q,"blockOwnerDeletion":true}`, r.APIVersion(), name, uid)
}

type objectMeta struct {
	UID               string
	DeletionTimestamp string
	Finalizers        []string
	OwnerReferences   []struct{ Name string }
}

func metadataOf(t *testing.T, data []byte) objectMeta {
	t.Helper()
	var object struct{ Metadata objectMeta }
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return object.Metadata
}

// remove deletes with the given propagation policy.
func remove(t *testing.T, r harness.Resource, name, policy string) {
	t.Helper()
	options := fmt.Appendf(nil, `{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":%q}`, policy)
	if _, err := r.API.Do(t.Context(), http.MethodDelete, r.Path("/"+name), harness.JSONType, options); err != nil {
		t.Fatal(err)
	}
}

// gone says which of the objects are still stored. It asks etcd, which needs no
// conversion.
func (s *stage) gone(t *testing.T, r harness.Resource, names ...string) string {
	t.Helper()
	var there []string
	for _, name := range names {
		if s.stored(t, r, name) != "" {
			there = append(there, r.Group+"/"+name)
		}
	}
	if len(there) > 0 {
		return strings.Join(there, ", ") + " still there"
	}
	return ""
}

// stored is the apiVersion that etcd has for an object, or "" if it has none.
func (s *stage) stored(t *testing.T, r harness.Resource, name string) string {
	t.Helper()
	data, err := s.ControlPlane.EtcdValue(t.Context(), r.EtcdKey(name))
	if errors.Is(err, harness.ErrNoKey) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	var object struct{ APIVersion string }
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	return object.APIVersion
}
