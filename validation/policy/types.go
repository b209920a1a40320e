package policy

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	custom "github.com/crosswalk-dev/crosswalk/validation/schema"
)

// Types returns how objects are merged.
type Types interface {
	// TypeConverter returns what merges objects of a kind by its schema. If there is none, the
	// error wraps ErrUnknownKind or ErrNotSynced.
	TypeConverter(ctx context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error)
}

// SchemaTypes has the kinds of certain CRDs. It implements [Types] and [Definitions].
type SchemaTypes struct {
	converters map[schema.GroupVersionKind]managedfields.TypeConverter
	openAPI    map[schema.GroupVersionKind]map[string]*spec.Schema
	schemas    map[schema.GroupVersionResource]*custom.Schema
	scales     map[schema.GroupVersionResource]scale
}

// TypesOf reads the schemas of all versions of the CRDs. Objects are merged as in server-side
// apply.
func TypesOf(crds ...*apiextensionsv1.CustomResourceDefinition) (*SchemaTypes, error) {
	t := &SchemaTypes{
		converters: map[schema.GroupVersionKind]managedfields.TypeConverter{},
		openAPI:    map[schema.GroupVersionKind]map[string]*spec.Schema{},
		schemas:    map[schema.GroupVersionResource]*custom.Schema{},
		scales:     map[schema.GroupVersionResource]scale{},
	}
	for _, crd := range crds {
		for i := range crd.Spec.Versions {
			v := &crd.Spec.Versions[i]
			kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
			structural, err := structuralOf(v.Schema)
			if err != nil {
				return nil, fmt.Errorf("CustomResourceDefinition %s: version %s: %w", crd.Name, v.Name, err)
			}
			if t.converters[kind], err = typeConverter(kind, structural, crd.Spec.PreserveUnknownFields); err != nil {
				return nil, fmt.Errorf("CustomResourceDefinition %s: version %s: %w", crd.Name, v.Name, err)
			}
			if structural != nil && !crd.Spec.PreserveUnknownFields {
				t.openAPI[kind] = withMetadata(kind.String(), structural)
			}
			resource := kind.GroupVersion().WithResource(crd.Spec.Names.Plural)
			t.scales[resource] = scale{kind.Kind, ReplicasOf(v)}
			if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
				continue
			}
			compiled, err := custom.New(v.Schema.OpenAPIV3Schema)
			if err != nil {
				return nil, fmt.Errorf("CustomResourceDefinition %s: version %s: %w", crd.Name, v.Name, err)
			}
			t.schemas[resource] = compiled
		}
	}
	return t, nil
}

// TypeConverter implements [Types].
func (t *SchemaTypes) TypeConverter(_ context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if converter := t.converters[kind]; converter != nil {
		return converter, nil
	}
	return nil, ErrUnknownKind
}

// Fits implements [Definitions].
func (t *SchemaTypes) Fits(_ context.Context, resource schema.GroupVersionResource, object []byte) bool {
	known := t.schemas[resource]
	return known == nil || known.Fits(object)
}

// Refuses implements [Definitions].
func (t *SchemaTypes) Refuses(_ context.Context, resource schema.GroupVersionResource, object []byte) field.ErrorList {
	return t.schemas[resource].Refuses(object)
}

// Replicas implements [Definitions].
func (t *SchemaTypes) Replicas(_ context.Context, resource schema.GroupVersionResource) (kind string, place []string, err error) {
	if resource.Version != "" {
		known := t.scales[resource]
		return known.kind, known.place, nil
	}
	for of, known := range t.scales {
		if of.GroupResource() == resource.GroupResource() && known.place != nil {
			return known.kind, known.place, nil
		}
	}
	return "", nil, nil
}

// Schema returns the schema of a kind, like [Schemas].
func (t *SchemaTypes) Schema(kind schema.GroupVersionKind) (name string, all map[string]*spec.Schema) {
	if all = t.openAPI[kind]; all != nil {
		name = kind.String()
	}
	return name, all
}

// structuralOf returns nil if there is no schema.
func structuralOf(validation *apiextensionsv1.CustomResourceValidation) (*structuralschema.Structural, error) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return nil, nil
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(validation.OpenAPIV3Schema, &internal, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(&internal)
}

// typeConverter makes the same converter as the API server for server-side apply
// (k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder), without the routes of its
// OpenAPI document.
func typeConverter(kind schema.GroupVersionKind, structural *structuralschema.Structural, preserve bool) (managedfields.TypeConverter, error) {
	const name = "resource"
	schemas := map[string]*spec.Schema{name: {SchemaProps: spec.SchemaProps{Type: []string{"object"}}}}
	if structural != nil {
		schemas = withMetadata(name, structural.Unfold().StripValueValidations().StripNullable())
	}
	schemas[name].AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": kind.Group, "version": kind.Version, "kind": kind.Kind},
	})
	return managedfields.NewTypeConverter(schemas, preserve)
}

// withMetadata returns the schema of an object of Kubernetes under a name, and the schemas that
// it refers to.
func withMetadata(name string, structural *structuralschema.Structural) map[string]*spec.Schema {
	root := structural.ToKubeOpenAPI()
	asResource(root)
	embed(root)
	schemas := metadataSchemas()
	schemas[name] = root
	return schemas
}

// metadataSchemas returns the schema of ObjectMeta and the schemas that it refers to.
func metadataSchemas() map[string]*spec.Schema {
	all := generatedopenapi.GetOpenAPIDefinitions(func(name string) spec.Ref { return spec.MustCreateRef(schemaPrefix + name) })
	schemas := map[string]*spec.Schema{}
	var take func(name string)
	take = func(name string) {
		definition, known := all[name]
		if _, taken := schemas[name]; taken || !known {
			return
		}
		schemas[name] = &definition.Schema
		for _, needed := range definition.Dependencies {
			take(needed)
		}
	}
	take(metav1.ObjectMeta{}.OpenAPIModelName())
	return schemas
}

// asResource adds to a schema the fields that every object of Kubernetes has.
func asResource(s *spec.Schema) {
	text := spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"string"}}}
	s.SetProperty("apiVersion", text)
	s.SetProperty("kind", text)
	s.SetProperty("metadata", *spec.RefSchema(schemaPrefix + metav1.ObjectMeta{}.OpenAPIModelName()))
}

// embed does that for embedded objects.
func embed(s *spec.Schema) {
	for name, property := range s.Properties {
		embed(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		embed(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		embed(s.AdditionalProperties.Schema)
	}
	if embedded, _ := s.Extensions.GetBool("x-kubernetes-embedded-resource"); embedded {
		asResource(s)
	}
}
