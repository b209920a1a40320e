package inject

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kinds lists the kinds that hold bundles.
func Kinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for _, k := range kinds() {
		all = append(all, schema.GroupVersionKind{Group: k.group, Version: "v1", Kind: k.kind})
	}
	return all
}

// kind describes where one kind has its bundles, and what is special about it.
type kind struct {
	group, kind string
	// list names the list whose elements have a bundle each. It is empty if the object has one
	// bundle. For server-side apply the list is a map with the key name.
	list string
	// path leads from the object, or from the element, to the object that holds caBundle.
	path []string
	// lacks returns why an object has no place for a bundle, and the remedy. It returns "" if
	// the object has one.
	lacks func(object map[string]any) string
	// excludes names a boolean beside caBundle: while it is true, the API server rejects a
	// bundle.
	excludes string
}

func kinds() []kind {
	return []kind{
		{
			group: "apiextensions.k8s.io", kind: "CustomResourceDefinition",
			path: []string{"spec", "conversion", "webhook", "clientConfig"}, lacks: notConverted,
		},
		{
			group: "admissionregistration.k8s.io", kind: "ValidatingWebhookConfiguration",
			list: "webhooks", path: []string{"clientConfig"},
		},
		{
			group: "admissionregistration.k8s.io", kind: "MutatingWebhookConfiguration",
			list: "webhooks", path: []string{"clientConfig"},
		},
		{
			group: "apiregistration.k8s.io", kind: "APIService",
			// k8s.io/kube-aggregator/pkg/apis/apiregistration/validation
			path: []string{"spec"}, lacks: local, excludes: "insecureSkipTLSVerify",
		},
	}
}

// kindOf returns the table's entry for an object of any version.
func kindOf(object *unstructured.Unstructured) (kind, error) {
	gvk := object.GroupVersionKind()
	for _, k := range kinds() {
		if k.group == gvk.Group && k.kind == gvk.Kind {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("%s %s: objects of this kind have no caBundle", gvk.Kind, object.GetName())
}

// notConverted is for the strategy None, with which the API server rejects a webhook's
// configuration.
func notConverted(crd map[string]any) string {
	strategy, _, _ := unstructured.NestedString(crd, "spec", "conversion", "strategy")
	if strategy == "Webhook" {
		return ""
	}
	return "spec.conversion.strategy is not Webhook, so there is no caBundle; set it, or remove the annotation"
}

// local is for APIServices that the API server serves itself.
func local(service map[string]any) string {
	if value, _, _ := unstructured.NestedFieldNoCopy(service, "spec", "service"); value != nil {
		return ""
	}
	return "it has no spec.service, so the API server serves it itself and there is no caBundle; remove the annotation"
}
