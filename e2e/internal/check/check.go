// Package check holds what end-to-end tests assert of objects, in bytes as the
// API server or etcd gave them.
package check

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// StashPrefix begins the names of the annotations that Crosswalk writes.
const StashPrefix = "stash.crosswalk.dev/"

// Decode reads JSON, or ends the test.
func Decode(t testing.TB, data []byte) exact.Value {
	t.Helper()
	v, err := exact.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Encode writes JSON, or ends the test.
func Encode(t testing.TB, v exact.Value) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Get reads an object, or ends the test.
func Get(t testing.TB, r harness.Resource, name string) []byte {
	t.Helper()
	data, err := r.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Listed returns the object's item in the list of all, or ends the test.
func Listed(t testing.TB, r harness.Resource, name string) []byte {
	t.Helper()
	items, _, err := r.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if got, _ := exact.At(Decode(t, item), "metadata", "name"); got == name {
			return item
		}
	}
	t.Fatalf("%s is not in the list of %s", name, r.APIVersion())
	return nil
}

// Field compares what is at path with the JSON text want.
func Field(t testing.TB, data []byte, want string, path ...string) {
	t.Helper()
	got, ok := exact.At(Decode(t, data), path...)
	if !ok {
		t.Fatalf("%s is absent in %s", strings.Join(path, "."), data)
	}
	if diff := exact.Diff(got, Decode(t, []byte(want))); diff != "" {
		t.Errorf("%s:\n%s", strings.Join(path, "."), diff)
	}
}

// Absent wants nothing at path.
func Absent(t testing.TB, data []byte, path ...string) {
	t.Helper()
	if got, ok := exact.At(Decode(t, data), path...); ok {
		t.Errorf("%s is there: %v", strings.Join(path, "."), got)
	}
}

// APIVersion wants an object of one version.
func APIVersion(t testing.TB, data []byte, want string) {
	t.Helper()
	if got, _ := exact.At(Decode(t, data), "apiVersion"); got != want {
		t.Errorf("apiVersion is %v, want %s", got, want)
	}
}

// ResourceVersion is the object's, which changes with every write.
func ResourceVersion(t testing.TB, data []byte) string {
	t.Helper()
	rv, ok := exact.At(Decode(t, data), "metadata", "resourceVersion")
	if !ok {
		t.Fatalf("no resourceVersion in %s", data)
	}
	return rv.(string)
}

// Gone wants the answer that there is no such object.
func Gone(t testing.TB, r harness.Resource, name string) {
	t.Helper()
	if _, err := r.Get(t.Context(), name); !Is(err, http.StatusNotFound) {
		t.Errorf("%s in %s: want not found, got %v", name, r.APIVersion(), err)
	}
}

// Is reports whether err is the API server's answer with that code.
func Is(err error, code int) bool {
	var status *harness.StatusError
	return errors.As(err, &status) && status.Code == code
}
