package migrate

import (
	"fmt"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// unconvertedError means that a rewrite would lose fields.
type unconvertedError struct{ stored, storage, name string }

func (e *unconvertedError) Error() string {
	return fmt.Sprintf("nothing converts %s to %s (spec.conversion.strategy is not Webhook) and their schemas differ, so a rewrite would permanently lose the fields that %s does not have: "+
		"check that `kubectl get crosswalk %s` is Ready, and run it again", e.stored, e.storage, e.storage, e.name)
}

// converted checks that objects of other versions are converted before they are stored again.
// Without a webhook the API server only changes apiVersion, and prunes the fields that the
// schema of the requested version does not have. Reading such an object is harmless, but
// storing it is not.
func converted(crd *apiextensionsv1.CustomResourceDefinition, via string) error {
	if c := crd.Spec.Conversion; c != nil && c.Strategy == apiextensionsv1.WebhookConverter {
		return nil
	}
	storage := storageVersion(crd)
	shape := shapeOf(crd, storage)
	for _, stored := range crd.Status.StoredVersions {
		if stored != storage && !equality.Semantic.DeepEqual(shapeOf(crd, stored), shape) {
			return &unconvertedError{stored, storage, crd.Name}
		}
	}
	if via != storage && !equality.Semantic.DeepEqual(shapeOf(crd, via), shape) {
		return &unconvertedError{storage, via, crd.Name}
	}
	return nil
}

// shapeOf returns the schema of a version without the parts that neither remove nor reject a
// field: texts and defaults.
func shapeOf(crd *apiextensionsv1.CustomResourceDefinition, version string) *apiextensionsv1.JSONSchemaProps {
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	if i < 0 || crd.Spec.Versions[i].Schema == nil {
		return nil
	}
	schema := crd.Spec.Versions[i].Schema.OpenAPIV3Schema.DeepCopy()
	bare(schema)
	return schema
}

func bare(s *apiextensionsv1.JSONSchemaProps) {
	if s == nil {
		return
	}
	s.Description, s.Title, s.Example, s.ExternalDocs, s.Default = "", "", nil, nil, nil
	for _, all := range []map[string]apiextensionsv1.JSONSchemaProps{s.Properties, s.PatternProperties} {
		for name, one := range all {
			bare(&one)
			all[name] = one
		}
	}
	for _, list := range [][]apiextensionsv1.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range list {
			bare(&list[i])
		}
	}
	bare(s.Not)
	if s.Items != nil {
		bare(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		bare(s.AdditionalProperties.Schema)
	}
}
