package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
	"k8s.io/utils/ptr"
)

// Definitions that a CRD writes in another way.
const (
	fieldsV1    = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"
	intOrString = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
	quantity    = "io.k8s.apimachinery.pkg.api.resource.Quantity"
)

// definitions are the schemas that Kubernetes publishes, by their names.
type definitions map[string]common.OpenAPIDefinition

func published() definitions {
	return openapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef("#/" + name) })
}

// writeSchemas writes all of them.
func writeSchemas(out io.Writer) error {
	all := map[string]*spec.Schema{}
	for name, definition := range published() {
		all[name] = &definition.Schema
	}
	return json.NewEncoder(out).Encode(all)
}

// schema is the structural schema of one version of a kind.
func (d definitions) schema(k kind, version string) (*apiextensionsv1.JSONSchemaProps, error) {
	object, err := legacyscheme.Scheme.New(k.WithVersion(version))
	if err != nil {
		return nil, err
	}
	s, err := d.named(util.GetCanonicalTypeName(object))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", version, k.Kind, err)
	}
	s.Properties["metadata"] = apiextensionsv1.JSONSchemaProps{Type: "object"}
	return &s, nil
}

// named is the schema of a definition.
func (d definitions) named(name string) (apiextensionsv1.JSONSchemaProps, error) {
	switch name {
	case intOrString, quantity: // Quantities may be written as numbers, too.
		return apiextensionsv1.JSONSchemaProps{XIntOrString: true}, nil
	case fieldsV1:
		return apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: ptr.To(true)}, nil
	}
	definition, found := d[name]
	if !found {
		return apiextensionsv1.JSONSchemaProps{}, fmt.Errorf("no schema %s among those that Kubernetes publishes", name)
	}
	return d.structural(&definition.Schema)
}

// structural resolves references, and leaves out descriptions and those defaults
// that Kubernetes publishes because a Go type has a zero value.
func (d definitions) structural(from *spec.Schema) (s apiextensionsv1.JSONSchemaProps, err error) {
	if ref := from.Ref.String(); ref != "" {
		if s, err = d.named(strings.TrimPrefix(ref, "#/")); err != nil {
			return s, err
		}
	} else {
		s = apiextensionsv1.JSONSchemaProps{Type: from.Type[0], Format: from.Format, Required: from.Required}
	}
	if err := extensions(from, &s); err != nil {
		return s, err
	}
	for name := range from.Properties {
		if s.Properties == nil {
			s.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		member := from.Properties[name]
		if s.Properties[name], err = d.structural(&member); err != nil {
			return s, fmt.Errorf("%s: %w", name, err)
		}
	}
	if from.Items != nil {
		items, err := d.structural(from.Items.Schema)
		if err != nil {
			return s, err
		}
		s.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &items}
	}
	if from.AdditionalProperties != nil {
		values, err := d.structural(from.AdditionalProperties.Schema)
		if err != nil {
			return s, err
		}
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &values}
	}
	return s, nil
}

// extensions copies what Kubernetes says about lists and maps.
func extensions(from *spec.Schema, s *apiextensionsv1.JSONSchemaProps) error {
	for name, value := range from.Extensions {
		switch name {
		case "x-kubernetes-list-type":
			s.XListType = ptr.To(value.(string))
		case "x-kubernetes-map-type":
			s.XMapType = ptr.To(value.(string))
		case "x-kubernetes-list-map-keys":
			for _, key := range value.([]any) {
				s.XListMapKeys = append(s.XListMapKeys, key.(string))
			}
		case "x-kubernetes-patch-merge-key", "x-kubernetes-patch-strategy", "x-kubernetes-unions", "x-kubernetes-group-version-kind":
			// Said to other clients.
		default:
			return fmt.Errorf("unknown extension %s", name)
		}
	}
	return nil
}
