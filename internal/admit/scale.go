package admit

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
)

// scaleOf returns the Scale that the API server shows of an object
// (k8s.io/apiextensions-apiserver/pkg/registry/customresource, scaleFromCustomResource).
func (k *kind) scaleOf(object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	paths := apiextensionsv1.CustomResourceSubresourceScale{SpecReplicasPath: ".spec.replicas", StatusReplicasPath: ".status.replicas"}
	if k.scale != nil {
		paths = *k.scale
	}
	scale := &unstructured.Unstructured{Object: map[string]any{}}
	scale.SetGroupVersionKind(scaleKind)
	for _, field := range []string{"name", "namespace", "uid", "resourceVersion", "creationTimestamp"} {
		if value, found, _ := unstructured.NestedString(object.Object, "metadata", field); found {
			_ = unstructured.SetNestedField(scale.Object, value, "metadata", field)
		}
	}
	for at, path := range map[string]string{"spec": paths.SpecReplicasPath, "status": paths.StatusReplicasPath} {
		replicas, _, err := unstructured.NestedInt64(object.Object, fields(path)...)
		if err != nil {
			return nil, fmt.Errorf("its %s is not a whole number", path)
		}
		_ = unstructured.SetNestedField(scale.Object, replicas, at, "replicas")
	}
	selector, err := k.selector(object)
	if err != nil {
		return nil, err
	}
	if selector != "" {
		_ = unstructured.SetNestedField(scale.Object, selector, "status", "selector")
	}
	return scale, nil
}

func fields(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// selector returns the selector of a Scale, as text.
func (k *kind) selector(object *unstructured.Unstructured) (string, error) {
	if k.scale != nil {
		if k.scale.LabelSelectorPath == nil {
			return "", nil
		}
		selector, _, err := unstructured.NestedString(object.Object, fields(*k.scale.LabelSelectorPath)...)
		return selector, err
	}
	if k.Kind == "ReplicationController" {
		set, _, err := unstructured.NestedStringMap(object.Object, "spec", "selector")
		return labels.FormatLabels(set), err
	}
	written, _, err := unstructured.NestedMap(object.Object, "spec", "selector")
	if err != nil {
		return "", err
	}
	var selector metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(written, &selector); err != nil {
		return "", err
	}
	parsed, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		return "", err
	}
	return parsed.String(), nil
}

// patchScale copies to a Scale the fields that kubectl leaves unchanged, because it sends only
// the number.
func patchScale(scale, old map[string]any) {
	for _, path := range [][]string{{"status"}, {"metadata", "uid"}, {"metadata", "resourceVersion"}, {"metadata", "creationTimestamp"}} {
		if _, found, _ := unstructured.NestedFieldNoCopy(scale, path...); found {
			continue
		}
		if value, found, _ := unstructured.NestedFieldCopy(old, path...); found {
			_ = unstructured.SetNestedField(scale, value, path...)
		}
	}
}
