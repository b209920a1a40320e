package admit

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
)

// Write is a write to be judged.
type Write struct {
	// Operation is CREATE, UPDATE or DELETE. Without one it is what the objects say.
	Operation admissionv1.Operation
	// SubResource is empty or status.
	SubResource string
	// Object and Old are JSON: Object of a DELETE is nil, and so is Old of a CREATE.
	Object, Old []byte
	// Namespace is that of objects that name none, as the one of a kubeconfig.
	Namespace string
	User      authenticationv1.UserInfo
	// Context are the other objects that there are.
	Context []*unstructured.Unstructured
}

// normalize fills in the operation, and says what does not go together.
func (w *Write) normalize() error {
	if w.Operation == "" {
		switch {
		case w.Object == nil:
			w.Operation = admissionv1.Delete
		case w.Old == nil:
			w.Operation = admissionv1.Create
		default:
			w.Operation = admissionv1.Update
		}
	}
	switch w.Operation {
	case admissionv1.Create:
		if w.Object == nil || w.Old != nil {
			return fmt.Errorf("a CREATE has an object and no old object")
		}
	case admissionv1.Update:
		if w.Object == nil || w.Old == nil {
			return fmt.Errorf("an UPDATE has an object and an old object")
		}
	case admissionv1.Delete:
		if w.Object != nil || w.Old == nil {
			return fmt.Errorf("a DELETE has an old object and no other")
		}
	default:
		return fmt.Errorf("the operation %q cannot be played: there are CREATE, UPDATE and DELETE", w.Operation)
	}
	switch w.SubResource {
	case "":
	case "status":
		if w.Operation != admissionv1.Update {
			return fmt.Errorf("a status can only be updated")
		}
	default:
		return fmt.Errorf("the subresource %q cannot be played: there is status", w.SubResource)
	}
	return nil
}

// read reads an object.
func read(text []byte) (*unstructured.Unstructured, error) {
	object := map[string]any{}
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, fmt.Errorf("the object cannot be read: %w", err)
	}
	u := &unstructured.Unstructured{Object: object}
	if _, err := schema.ParseGroupVersion(u.GetAPIVersion()); err != nil || u.GetAPIVersion() == "" || u.GetKind() == "" {
		return nil, fmt.Errorf("the object needs an apiVersion and a kind")
	}
	if metadata, found := object["metadata"]; found {
		if _, ok := metadata.(map[string]any); !ok {
			return nil, fmt.Errorf("its metadata must be a map")
		}
		// The API server takes no metadata of another form, whatever the kind.
		text, err := json.Marshal(metadata)
		if err == nil {
			err = json.Unmarshal(text, new(metav1.ObjectMeta))
		}
		if err != nil {
			return nil, fmt.Errorf("its metadata cannot be read: %w", err)
		}
	}
	return u, nil
}

// encode writes an object as the API server sends it.
func encode(object map[string]any) ([]byte, error) { return json.Marshal(object) }
