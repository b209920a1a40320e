package admit

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// The body of a request to a subresource is an object of the resource itself, as for status, or
// of another kind: a Scale, an Eviction, the options of an exec. Its name and namespace
// identify the object that it is about.

// operationOf returns the operation of a subresource. Each subresource has one, for all
// resources.
func operationOf(subresource string) (admissionv1.Operation, error) {
	for _, r := range builtin.Resources() {
		if r.Subresource == subresource {
			return admissionv1.Operation(strings.ToUpper(r.Operations[0])), nil
		}
	}
	return "", fmt.Errorf("there is no subresource %q; known are %s", subresource, strings.Join(builtin.Subresources(), ", "))
}

// sentTo returns the subresources whose requests have a body of this kind.
func sentTo(kind schema.GroupVersionKind) []string {
	var names []string
	for _, name := range builtin.Subresources() {
		if len(builtin.SentTo(name, kind)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

var scaleKind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")

// target returns the kind of the body and the kind of the resource, which are mostly the same.
// Old is nil if there is none.
func (k *kinds) target(w *Write, main, old *unstructured.Unstructured) (sent, of *kind, err error) {
	gvk := main.GroupVersionKind()
	if w.SubResource == "" || w.SubResource == "status" {
		if of, err = k.find(gvk); err == nil {
			err = of.mustHave(w.SubResource)
		}
		return of, of, err
	}
	switch resources := builtin.SentTo(w.SubResource, gvk); {
	case w.SubResource == "scale" && gvk == scaleKind:
		of, err = k.find(old.GroupVersionKind())
	case len(resources) == 1:
		of, err = k.find(resources[0].Kind())
	case w.SubResource == "scale":
		err = fmt.Errorf("the body for scale must be a Scale of %s, not a %s", scaleKind.GroupVersion(), gvk.Kind)
	default:
		err = fmt.Errorf("no subresource %s has a %s of %s as its body", w.SubResource, gvk.Kind, gvk.GroupVersion())
	}
	if err == nil {
		err = of.mustHave(w.SubResource)
	}
	if err != nil || of.GroupVersionKind == gvk {
		return of, of, err
	}
	return &kind{GroupVersionKind: gvk, resource: of.resource, namespaced: of.namespaced}, of, nil
}

// mustHave returns an error if a kind has no such subresource.
func (k *kind) mustHave(subresource string) error {
	if c := k.custom; c != nil {
		if !slices.Contains(c.served(), k.Version) {
			return fmt.Errorf("%s is not served in %s", c.crd.Name, k.Version)
		}
		if subresource == "" || subresource == "status" && k.hasStatus || subresource == "scale" && k.scale != nil {
			return nil
		}
		return fmt.Errorf("%s has no subresource %s in %s", c.crd.Name, subresource, k.Version)
	}
	resource, _ := builtin.Find(k.GroupVersionKind)
	if _, has := resource.Sub(subresource); !has {
		return fmt.Errorf("%s have no subresource %s", k.resource.Resource, subresource)
	}
	return nil
}
