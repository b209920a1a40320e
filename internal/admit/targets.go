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

// What is sent to a subresource is an object of the resource itself, as to status, or
// one of another kind, which is about it: a Scale, an Eviction, the options of an exec.
// Its name and namespace say of which.

// operationOf is how a subresource is written; each in one way, whatever has it.
func operationOf(subresource string) (admissionv1.Operation, error) {
	for _, r := range builtin.Resources() {
		if r.Subresource == subresource {
			return admissionv1.Operation(strings.ToUpper(r.Operations[0])), nil
		}
	}
	return "", fmt.Errorf("there is no subresource %q: there are %s", subresource, strings.Join(builtin.Subresources(), ", "))
}

// sentTo gives the subresources to which a kind of its own is sent.
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

// target finds what a write is about: the kind of what is sent, and the kind of the
// resource, which is mostly the same. Old is nil where there is none.
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
		err = fmt.Errorf("a scale is written with a Scale of %s, and this is a %s", scaleKind.GroupVersion(), gvk.Kind)
	default:
		err = fmt.Errorf("no subresource %s is written with a %s of %s", w.SubResource, gvk.Kind, gvk.GroupVersion())
	}
	if err == nil {
		err = of.mustHave(w.SubResource)
	}
	if err != nil || of.GroupVersionKind == gvk {
		return of, of, err
	}
	return &kind{GroupVersionKind: gvk, resource: of.resource, namespaced: of.namespaced}, of, nil
}

// mustHave says that a kind cannot be written so.
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
