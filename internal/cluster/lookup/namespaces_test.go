package lookup

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// TestNamespaces knows one that has just been made.
func TestNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const a = "{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: {l: x}, managedFields: [{manager: m}]}, status: {phase: Active}}"
		w := newWorld(t, a)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, err := w.namespaces.Namespace(ctx, "a"); !errors.Is(err, policy.ErrNotSynced) {
			t.Errorf("not read: %v", err)
		}
		go w.namespaces.run(ctx)
		synctest.Wait()
		asked := w.asked.Load()
		got, err := w.namespaces.Namespace(ctx, "a")
		if err != nil || got.Labels["l"] != "x" || got.Status.Phase != "Active" || got.ManagedFields != nil || w.asked.Load() != asked {
			t.Errorf("got %+v, %v", got, err)
		}
		if _, err := w.namespaces.Namespace(ctx, "b"); !apierrors.IsNotFound(err) || w.asked.Load() != asked+1 {
			t.Errorf("there is none, and the API server should have answered that: %v", err)
		}
		cancel()
		synctest.Wait()
	})
}
