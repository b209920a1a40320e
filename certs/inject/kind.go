package inject

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kinds lists what bundles are kept in.
func Kinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for _, k := range kinds() {
		all = append(all, schema.GroupVersionKind{Group: k.group, Version: "v1", Kind: k.kind})
	}
	return all
}

// kind says where one kind has its bundles, and what is special about it.
type kind struct {
	group, kind string
	// list names the list whose elements have a bundle each; empty where the
	// object has one. The list is a map by name to server-side apply.
	list string
	// path leads from the object, or from the element, to what holds caBundle.
	path []string
	// lacks says why an object has no place for a bundle, and what to do; empty
	// where there is nothing against it.
	lacks func(object map[string]any) string
	// excludes is a boolean beside caBundle: while it is true, the API server
	// refuses a bundle.
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

// kindOf finds the table's line for an object, whatever its version.
func kindOf(object *unstructured.Unstructured) (kind, error) {
	gvk := object.GroupVersionKind()
	for _, k := range kinds() {
		if k.group == gvk.Group && k.kind == gvk.Kind {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("%s %s: this kind has no caBundle that is kept", gvk.Kind, object.GetName())
}

// notConverted is about the strategy None, with which the API server refuses a
// webhook's configuration.
func notConverted(crd map[string]any) string {
	strategy, _, _ := unstructured.NestedString(crd, "spec", "conversion", "strategy")
	if strategy == "Webhook" {
		return ""
	}
	return "spec.conversion.strategy is not Webhook, so there is no caBundle; set it, or remove the annotation"
}

// local is about APIServices that the API server serves itself.
func local(service map[string]any) string {
	if value, _, _ := unstructured.NestedFieldNoCopy(service, "spec", "service"); value != nil {
		return ""
	}
	return "it has no spec.service, so the API server serves it itself and there is no caBundle; remove the annotation"
}
