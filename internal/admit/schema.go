package admit

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation/schema"
)

// versionSchema is the schema of one version of a CRD.
type versionSchema struct {
	structural *structural.Structural
	checks     *schema.Schema
	preserves  bool
}

// newVersionSchema compiles a schema. A missing schema would preserve all fields, but the API
// server rejects a CRD of v1 without one.
func newVersionSchema(props *apiextensionsv1.JSONSchemaProps, preserves bool) (*versionSchema, error) {
	if props == nil {
		return nil, fmt.Errorf("it has no schema: add openAPIV3Schema")
	}
	internal := new(apiextensions.JSONSchemaProps)
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return nil, err
	}
	s := &versionSchema{preserves: preserves}
	var err error
	if s.structural, err = structural.NewStructural(internal); err != nil {
		return nil, err
	}
	if wrong := structural.ValidateStructural(nil, s.structural); len(wrong) > 0 {
		return nil, wrong.ToAggregate()
	}
	s.checks, err = schema.New(props)
	return s, err
}

// prune removes unknown fields, and returns their names.
func (s *versionSchema) prune(object map[string]any) []string {
	if s.preserves {
		return nil
	}
	return pruning.PruneWithOptions(object, s.structural, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// fill sets the defaults.
func (s *versionSchema) fill(object map[string]any) {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
}

// check returns the errors of an object.
func (s *versionSchema) check(ctx context.Context, object, old map[string]any) (field.ErrorList, error) {
	now, err := encode(object)
	if err != nil {
		return nil, err
	}
	var before []byte
	if old != nil {
		if before, err = encode(old); err != nil {
			return nil, err
		}
	}
	return s.checks.Check(ctx, now, before)
}
