// Package schema validates custom resources against the schema of a version, as the API server
// does before it stores them: OpenAPI, list types and x-kubernetes-validations.
package schema

import (
	"context"
	"fmt"
	"sync"

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

// Schema is the schema of one version. Its parts are compiled when they are needed. It is safe
// for concurrent use.
type Schema struct {
	structural *structural.Structural
	shape      *shape
	openapi    func() (openapi.SchemaValidator, error)
	rules      func() *cel.Validator // nil if there are none
}

// New takes a schema that the API server has accepted.
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
	s.shape = shapeOf(s.structural)
	s.openapi = sync.OnceValues(func() (openapi.SchemaValidator, error) {
		validator, _, err := openapi.NewSchemaValidator(internal)
		return validator, err
	})
	s.rules = sync.OnceValue(func() *cel.Validator { return cel.NewValidator(s.structural, true, celconfig.PerCallLimit) })
	return s, nil
}

// Check returns the errors that the API server would report for an object of the version, as
// JSON, that replaces old, or is created if old is nil. Like the API server it prunes and
// defaults both first.
func (s *Schema) Check(ctx context.Context, object, old []byte) (field.ErrorList, error) {
	now, err := s.read(object)
	if err != nil {
		return nil, err
	}
	var before map[string]any
	if old != nil {
		if before, err = s.read(old); err != nil {
			return nil, err
		}
	}
	errs, err := s.withoutRules(now, before)
	rules := s.rules()
	if err != nil || rules == nil {
		return errs, err
	}
	var was any
	if before != nil {
		was = before
	}
	broken, _ := rules.Validate(ctx, nil, s.structural, now, was, celconfig.RuntimeCELCostBudget)
	return append(errs, broken...), nil
}

// mostJudged is how large an object may be to be validated during a review: validation takes a
// third of a millisecond per KiB.
const mostJudged = 256 << 10

// Refuses returns the errors that the API server would report for an object, as JSON that it
// has pruned and defaulted itself, except those of x-kubernetes-validations. It returns none
// for an object that cannot be read or is large, and none without a schema.
func (s *Schema) Refuses(object []byte) field.ErrorList {
	var now map[string]any
	if s == nil || len(object) > mostJudged || json.Unmarshal(object, &now) != nil {
		return nil
	}
	errs, _ := s.withoutRules(now, nil) // the API server has accepted the schema
	return errs
}

// withoutRules validates OpenAPI and the types of lists.
func (s *Schema) withoutRules(now, before map[string]any) (field.ErrorList, error) {
	validator, err := s.openapi()
	if err != nil {
		return nil, err
	}
	errs := listtype.ValidateListSetsAndMaps(nil, s.structural, now)
	if before != nil {
		return append(errs, openapi.ValidateCustomResourceUpdate(nil, now, before, validator)...), nil
	}
	return append(errs, openapi.ValidateCustomResource(nil, now, validator)...), nil
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
