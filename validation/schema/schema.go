// Package schema checks custom resources against the schema of a version, as the
// API server does before it stores one: OpenAPI, list types and
// x-kubernetes-validations.
package schema

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	openapi "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Schema is that of one version. It is safe for concurrent use.
type Schema struct {
	openapi    openapi.SchemaValidator
	structural *structural.Structural
	rules      *cel.Validator // nil where there are none
}

// New compiles a schema that the API server has accepted.
func New(props *apiextensionsv1.JSONSchemaProps) (*Schema, error) {
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return nil, err
	}
	s := new(Schema)
	var err error
	if s.structural, err = structural.NewStructural(internal); err != nil {
		return nil, err
	}
	if s.openapi, _, err = openapi.NewSchemaValidator(internal); err != nil {
		return nil, err
	}
	s.rules = cel.NewValidator(s.structural, true, celconfig.PerCallLimit)
	return s, nil
}

// Check says what the API server would have against an object of the version, as
// JSON, that is written over old, or created where old is nil. Like the API server
// it prunes and defaults both first.
func (s *Schema) Check(ctx context.Context, object, old []byte) (field.ErrorList, error) {
	now, err := s.read(object)
	if err != nil {
		return nil, err
	}
	var before map[string]any
	errs := listtype.ValidateListSetsAndMaps(nil, s.structural, now)
	if old == nil {
		errs = append(errs, openapi.ValidateCustomResource(nil, now, s.openapi)...)
	} else {
		if before, err = s.read(old); err != nil {
			return nil, err
		}
		errs = append(errs, openapi.ValidateCustomResourceUpdate(nil, now, before, s.openapi)...)
	}
	if s.rules == nil {
		return errs, nil
	}
	var was any
	if before != nil {
		was = before
	}
	broken, _ := s.rules.Validate(ctx, nil, s.structural, now, was, celconfig.RuntimeCELCostBudget)
	return append(errs, broken...), nil
}

func (s *Schema) read(object []byte) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal(object, &v); err != nil {
		return nil, fmt.Errorf("the object cannot be read: %w", err)
	}
	pruning.Prune(v, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(v, s.structural)
	defaulting.Default(v, s.structural)
	return v, nil
}
