package injection

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// release gives up our ownership in an object that no longer asks for a bundle. The bundle
// stays, because removing it would cut off a server that is still in use. But as long as a
// manager owns a field, no other client's server-side apply can remove what contains the field,
// such as a webhook that its author deletes.
func (i *Injector) release(ctx context.Context, t target, object *unstructured.Unstructured) (time.Duration, error) {
	entries := object.GetManagedFields()
	index := ownership(entries)
	if index < 0 {
		i.forget(t)
		return 0, nil
	}
	i.secrets.drop(t)
	if obstacle, err := i.right(ctx, t); err != nil || obstacle != nil {
		return i.blocked(t, object, inject.Ask{}, obstacle), err
	}
	i.forget(t)
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	operations := []operation{
		{"replace", "/metadata/resourceVersion", object.GetResourceVersion()}, // a precondition
		{"remove", fmt.Sprintf("/metadata/managedFields/%d", index), nil},
	}
	if len(entries) == 1 {
		// The API server ignores an empty list, and an empty entry resets it
		// (k8s.io/apimachinery/pkg/util/managedfields).
		operations[1] = operation{"replace", "/metadata/managedFields", []metav1.ManagedFieldsEntry{{}}}
	}
	patch, err := json.Marshal(operations)
	if err != nil {
		return 0, err
	}
	err = i.writer.Patch(ctx, object.DeepCopy(), client.RawPatch(types.JSONPatchType, patch), client.FieldOwner(FieldManager))
	if err != nil {
		return 0, client.IgnoreNotFound(fmt.Errorf("%s: giving up the caBundle: %w", t, err))
	}
	i.log.Info("gave up the CA bundle of an object that no longer asks for it", "kind", t.Kind, "name", t.Name)
	i.normal(object, reasonReleased, "the annotation was removed: the caBundle stays, and Crosswalk no longer updates it")
	return 0, nil
}
