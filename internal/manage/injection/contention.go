package injection

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// Each write to a CRD makes the API server build that resource's storage and caches anew. If
// another client keeps changing a bundle, we correct it at once a few times, and then only this
// often.
const (
	writesAtOnce = 5
	writesWindow = time.Minute
)

// writes remembers when each object was last written to, and which bundle it got last.
type writes struct {
	mu   sync.Mutex
	at   map[target][]time.Time // at most writesAtOnce, oldest first
	last map[target]inject.Bundle
	now  func() time.Time
}

func newWrites(now func() time.Time) *writes {
	return &writes{at: map[target][]time.Time{}, last: map[target]inject.Bundle{}, now: now}
}

// note remembers a write.
func (w *writes) note(t target, bundle inject.Bundle) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := append(w.at[t], w.now())
	w.at[t] = at[max(0, len(at)-writesAtOnce):]
	w.last[t] = bundle
}

// changed reports whether an object that was written to has another bundle since.
func (w *writes) changed(t target, object *unstructured.Unstructured) bool {
	w.mu.Lock()
	last, known := w.last[t]
	w.mu.Unlock()
	if !known {
		return false
	}
	change, err := inject.Plan(object, last)
	return err == nil && change.Apply != nil
}

// wait returns how long the next write must wait.
func (w *writes) wait(t target) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.at[t]
	if len(at) < writesAtOnce {
		return 0
	}
	return at[0].Add(writesWindow).Sub(w.now())
}

func (w *writes) drop(t target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.at, t)
	delete(w.last, t)
}

// writers names the other owners of an object's bundles.
func writers(object *unstructured.Unstructured) string {
	var others []string
	for _, entry := range object.GetManagedFields() {
		if entry.Manager != FieldManager && ownsBundle(entry) && !slices.Contains(others, entry.Manager) {
			others = append(others, entry.Manager)
		}
	}
	if len(others) == 0 {
		return "another client"
	}
	return strings.Join(others, ", ")
}

// contention names the clients that keep changing an object's bundles.
func contention(object *unstructured.Unstructured) string {
	return fmt.Sprintf("%s keeps changing the caBundle: it was corrected %d times within %s; "+
		"remove the field from what that client applies, or remove the annotation", writers(object), writesAtOnce, writesWindow)
}
