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

// Write is a write to be evaluated.
type Write struct {
	// Operation is CREATE, UPDATE, DELETE or CONNECT. The default follows from the objects and
	// the subresource.
	Operation admissionv1.Operation
	// SubResource is empty, or the subresource that is written: status, scale, eviction, exec
	// or another.
	SubResource string
	// Object and Old are JSON. Object of a DELETE is nil, and so is Old of a CREATE and of a
	// CONNECT. For a scale, Old is the object that is scaled.
	Object, Old []byte
	// Namespace is the namespace of objects without one, like the namespace in a kubeconfig.
	Namespace string
	User      authenticationv1.UserInfo
	// Context holds the other objects that exist.
	Context []*unstructured.Unstructured
}

// normalize sets the operation, and returns an error for parts that do not fit together.
func (w *Write) normalize() error {
	expected, err := w.expected()
	if err != nil {
		return err
	}
	if w.Operation == "" {
		w.Operation = expected
	}
	if w.SubResource != "" && w.Operation != expected {
		return fmt.Errorf("the operation on the subresource %s is %s, not %s", w.SubResource, expected, w.Operation)
	}
	switch w.Operation {
	case admissionv1.Create:
		if w.Object == nil || w.Old != nil {
			return fmt.Errorf("a CREATE needs an object, and no old object")
		}
	case admissionv1.Update:
		if w.SubResource == "scale" && (w.Object == nil || w.Old == nil) {
			return fmt.Errorf("an UPDATE of a scale needs a Scale, and the scaled object as the old object")
		}
		if w.Object == nil || w.Old == nil {
			return fmt.Errorf("an UPDATE needs an object and an old object")
		}
	case admissionv1.Delete:
		if w.Object != nil || w.Old == nil {
			return fmt.Errorf("a DELETE needs an old object, and no new one")
		}
	case admissionv1.Connect:
		if w.SubResource == "" {
			return fmt.Errorf("a CONNECT needs a subresource: attach, exec, portforward or proxy")
		}
		if w.Object == nil || w.Old != nil {
			return fmt.Errorf("a CONNECT needs options as its object, and no old object")
		}
	default:
		return fmt.Errorf("unknown operation %q; use CREATE, UPDATE, DELETE or CONNECT", w.Operation)
	}
	return nil
}

// expected returns the operation that follows from the subresource and the objects.
func (w *Write) expected() (admissionv1.Operation, error) {
	switch {
	case w.SubResource != "":
		return operationOf(w.SubResource)
	case w.Object == nil:
		return admissionv1.Delete, nil
	case w.Old == nil:
		return admissionv1.Create, nil
	}
	return admissionv1.Update, nil
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
		// The API server rejects metadata of another form, whatever the kind is.
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
