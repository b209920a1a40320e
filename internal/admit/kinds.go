package admit

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// kind describes a kind in one version.
type kind struct {
	schema.GroupVersionKind
	resource   schema.GroupVersionResource
	namespaced bool
	// custom is nil for kinds of Kubernetes itself.
	custom *custom
	schema *versionSchema
	// kept reports that objects of the kind are stored. Reviews, for example, are not.
	kept bool
	// hasStatus reports that the status of a custom resource is a subresource.
	hasStatus bool
	// scale has the paths of a custom resource's Scale. It is nil if there is none.
	scale *apiextensionsv1.CustomResourceSubresourceScale
}

// custom is a kind that a CRD defines.
type custom struct {
	crd *apiextensionsv1.CustomResourceDefinition
	// table is nil if the kind has none.
	table *conversion.Converter
	// guarded reports that Crosswalk reviews every write of the kind.
	guarded bool
}

// kinds holds the kinds of a configuration, and those of Kubernetes itself.
type kinds struct {
	custom []*custom
	known  map[schema.GroupVersionKind]*kind
	// read caches the objects of contexts in all their versions, by reading.
	read sync.Map
}

func newKinds(c *config.Config, tables []*conversion.Converter) (*kinds, error) {
	k := &kinds{known: map[schema.GroupVersionKind]*kind{}}
	for _, crd := range c.CRDs {
		one := &custom{crd: crd}
		for i, t := range c.Tables {
			if t.CRD == crd {
				one.table, one.guarded = tables[i], t.Crosswalk.Spec.Admission != v1alpha1.AdmissionNone
			}
		}
		k.custom = append(k.custom, one)
		for i := range crd.Spec.Versions {
			v := &crd.Spec.Versions[i]
			made, err := newKind(one, v)
			if err != nil {
				return nil, fmt.Errorf("CustomResourceDefinition %s: version %s: %w", crd.Name, v.Name, err)
			}
			k.known[made.GroupVersionKind] = made
		}
	}
	return k, nil
}

func newKind(c *custom, v *apiextensionsv1.CustomResourceDefinitionVersion) (*kind, error) {
	version := schema.GroupVersion{Group: c.crd.Spec.Group, Version: v.Name}
	made := &kind{
		GroupVersionKind: version.WithKind(c.crd.Spec.Names.Kind),
		resource:         version.WithResource(c.crd.Spec.Names.Plural),
		namespaced:       c.crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		custom:           c,
		kept:             true,
		hasStatus:        v.Subresources != nil && v.Subresources.Status != nil,
	}
	if v.Subresources != nil {
		made.scale = v.Subresources.Scale
	}
	var props *apiextensionsv1.JSONSchemaProps
	if v.Schema != nil {
		props = v.Schema.OpenAPIV3Schema
	}
	var err error
	made.schema, err = newVersionSchema(props, c.crd.Spec.PreserveUnknownFields)
	return made, err
}

// find returns the description of a kind. The error explains how to add the kind.
func (k *kinds) find(gvk schema.GroupVersionKind) (*kind, error) {
	if known := k.known[gvk]; known != nil {
		return known, nil
	}
	if c := k.defines(gvk.GroupKind()); c != nil {
		var versions []string
		for _, v := range c.crd.Spec.Versions {
			versions = append(versions, v.Name)
		}
		return nil, fmt.Errorf("%s has no version %s; there are %s", c.crd.Name, gvk.Version, strings.Join(versions, ", "))
	}
	resource, found := builtin.Find(gvk)
	switch subs := sentTo(gvk); {
	case !found && len(subs) > 0:
		return nil, fmt.Errorf("a %s of %s is the body of a subresource request: name the subresource, %s", gvk.Kind, gvk.GroupVersion(), strings.Join(subs, " or "))
	case !found && scheme.Scheme.Recognizes(gvk):
		return nil, fmt.Errorf("an API server of Kubernetes 1.36 does not serve %s in %s by default", gvk.Kind, gvk.GroupVersion())
	case !found:
		return nil, fmt.Errorf("there is no kind %s in %s: add its CustomResourceDefinition to --config", gvk.Kind, gvk.GroupVersion())
	}
	kept := slices.Contains(resource.Operations, "update")
	return &kind{GroupVersionKind: gvk, resource: resource.GroupVersionResource, namespaced: resource.Namespaced, kept: kept}, nil
}

// receive returns an object as the API server has it after reading it: without unknown fields,
// with its defaults, and with warnings about the removed fields. An error is the API server's
// reason to reject the object. The schema of a custom resource is checked later.
func (k *kind) receive(object map[string]any) (received map[string]any, warnings []string, err error) {
	if k.custom != nil {
		for _, field := range k.schema.prune(object) {
			warnings = append(warnings, fmt.Sprintf("unknown field %q", field))
		}
		k.schema.fill(object)
		return object, warnings, nil
	}
	text, err := encode(object)
	if err != nil {
		return nil, nil, err
	}
	if received, warnings, err = builtin.Read(k.GroupVersionKind, text); err != nil {
		err = fmt.Errorf("%s in version %q cannot be handled as a %s: %w", k.Kind, k.Version, k.Kind, err)
	}
	return received, warnings, err
}

// complete does the same to an object that was changed. If strict is set, unknown fields are an
// error.
func (k *kind) complete(object map[string]any, strict bool) (map[string]any, error) {
	if k.custom != nil {
		k.schema.fill(object)
		return object, nil
	}
	text, err := encode(object)
	if err != nil {
		return nil, err
	}
	completed, unknown, err := builtin.Read(k.GroupVersionKind, text)
	if err == nil && strict && len(unknown) > 0 {
		err = fmt.Errorf("strict decoding error: %s", strings.Join(unknown, ", "))
	}
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	return completed, nil
}

// defines returns the CRD that defines a kind, or nil.
func (k *kinds) defines(gk schema.GroupKind) *custom {
	for _, c := range k.custom {
		if c.crd.Spec.Group == gk.Group && c.crd.Spec.Names.Kind == gk.Kind {
			return c
		}
	}
	return nil
}

// served returns the versions in which a kind can be written, in the order of the CRD.
func (c *custom) served() []string {
	var names []string
	for _, v := range c.crd.Spec.Versions {
		if v.Served {
			names = append(names, v.Name)
		}
	}
	return names
}
