package injection

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Each write to a CRD makes the API server build that resource's storage and caches anew. If
// another client keeps changing a bundle, we correct it at once a few times, and then only this
// often.
const (
	writesAtOnce = 5
	writesWindow = time.Minute
)

// writes remembers when each object was last written to.
type writes struct {
	mu  sync.Mutex
	at  map[target][]time.Time // at most writesAtOnce, oldest first
	now func() time.Time
}

func newWrites(now func() time.Time) *writes {
	return &writes{at: map[target][]time.Time{}, now: now}
}

// note remembers a write.
func (w *writes) note(t target) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := append(w.at[t], w.now())
	w.at[t] = at[max(0, len(at)-writesAtOnce):]
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
}

// contention names the other writers of an object's bundles.
func contention(object *unstructured.Unstructured) string {
	var others []string
	for _, entry := range object.GetManagedFields() {
		if entry.Manager != FieldManager && ownsBundle(entry) && !slices.Contains(others, entry.Manager) {
			others = append(others, entry.Manager)
		}
	}
	who := "somebody"
	if len(others) > 0 {
		who = strings.Join(others, ", ")
	}
	return fmt.Sprintf("%s keeps changing the caBundle: it was corrected %d times within %s; "+
		"remove the field from what that client applies, or remove the annotation", who, writesAtOnce, writesWindow)
}
