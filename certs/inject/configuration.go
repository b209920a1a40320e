package inject

import (
	"encoding/base64"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// field is a place and the text to write there.
type field struct {
	place Place
	text  []byte
}

// configuration returns an object that has those fields and nothing else.
func (k kind) configuration(object *unstructured.Unstructured, fields []field) *unstructured.Unstructured {
	config := &unstructured.Unstructured{Object: map[string]any{}}
	config.SetAPIVersion(object.GetAPIVersion())
	config.SetKind(object.GetKind())
	config.SetName(object.GetName())
	config.SetUID(object.GetUID())
	config.SetResourceVersion(object.GetResourceVersion())
	var elements []any
	for _, f := range fields {
		target := config.Object
		if k.list != "" {
			target = map[string]any{"name": f.place.element}
			elements = append(elements, target)
		}
		k.holder(target)[caBundle] = base64.StdEncoding.EncodeToString(f.text)
	}
	if k.list != "" {
		config.Object[k.list] = elements
	}
	return config
}

// holder makes the object that holds caBundle.
func (k kind) holder(target map[string]any) map[string]any {
	for _, step := range k.path {
		inner := map[string]any{}
		target[step] = inner
		target = inner
	}
	return target
}

// verify sets to false, in the configuration, a boolean that excludes a bundle and is true in
// the object.
func (k kind) verify(object, config *unstructured.Unstructured) bool {
	if k.excludes == "" {
		return false
	}
	path := append(k.path[:len(k.path):len(k.path)], k.excludes)
	if on, _, _ := unstructured.NestedBool(object.Object, path...); !on {
		return false
	}
	// It fails only if the path leads through a value that is not an object.
	_ = unstructured.SetNestedField(config.Object, false, path...)
	return true
}
