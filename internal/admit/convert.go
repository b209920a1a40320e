package admit

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// convert converts an object to another version: by the table or, if the versions differ only
// in their name, by changing the apiVersion.
func (c *custom) convert(object *unstructured.Unstructured, version string) (*unstructured.Unstructured, error) {
	converted := object.DeepCopy()
	if object.GroupVersionKind().Version == version {
		return converted, nil
	}
	if c.table == nil {
		if s := c.crd.Spec.Conversion; s != nil && s.Strategy != apiextensionsv1.NoneConverter {
			return nil, fmt.Errorf("to %s: %s is converted by a webhook, and has no Crosswalk; add it to --config", version, c.crd.Name)
		}
		converted.SetAPIVersion(c.crd.Spec.Group + "/" + version)
		return converted, nil
	}
	text, err := encode(object.Object)
	if err != nil {
		return nil, err
	}
	if text, err = c.table.Convert(nil, text, version); err != nil {
		return nil, err
	}
	converted.Object = nil
	return converted, json.Unmarshal(text, &converted.Object)
}

// versions returns the versions in which the API server serves objects of the kind, its own
// first.
func (k *kind) versions() []schema.GroupVersion {
	all := []schema.GroupVersion{k.GroupVersion()}
	if k.custom != nil {
		for _, version := range k.custom.served() {
			if version != k.Version {
				all = append(all, schema.GroupVersion{Group: k.Group, Version: version})
			}
		}
	}
	for _, other := range builtin.Equivalents(k.GroupVersionKind) {
		all = append(all, other.GroupVersion())
	}
	return all
}

// convert converts an object of the kind, in any of its versions, to another of them.
func (k *kind) convert(object *unstructured.Unstructured, version schema.GroupVersion) (*unstructured.Unstructured, error) {
	if k.custom != nil {
		return k.custom.convert(object, version.Version)
	}
	if object.GroupVersionKind().GroupVersion() == version {
		return object.DeepCopy(), nil
	}
	converted, err := builtin.Convert(object.Object, object.GroupVersionKind(), version.WithKind(k.Kind))
	return &unstructured.Unstructured{Object: converted}, err
}

// convertText does the same with JSON; nil stays nil.
func (k *kind) convertText(text []byte, version schema.GroupVersion) ([]byte, error) {
	if text == nil {
		return nil, nil
	}
	object, err := read(text)
	if err != nil {
		return nil, err
	}
	if object, err = k.convert(object, version); err != nil {
		return nil, err
	}
	return encode(object.Object)
}

// Table implements [policy.Tables].
func (k *kinds) Table(group, name string) (policy.Table, bool) {
	for _, c := range k.custom {
		if c.table != nil && c.table.Group() == group && c.table.Kind() == name {
			return c.table, true
		}
	}
	return nil, false
}
