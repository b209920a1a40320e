package verify

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/hints"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// Converter is the converter to test: *conversion.Converter, or another implementation.
type Converter interface {
	Convert(dst, object []byte, to string) ([]byte, error)
}

// CompileFunc compiles a CRD and its table.
type CompileFunc func(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) (Converter, error)

// Subject is a table to test: its CRD, the structural schemas, and its converter. It must not be
// used by several goroutines at a time.
type Subject struct {
	CRD   *apiextensionsv1.CustomResourceDefinition
	Table *v1alpha1.Crosswalk

	converter Converter
	// second compiles the same table again, once, for L4.
	second  func() (Converter, error)
	schemas map[string]*structuralschema.Structural
	hints   []*tree.Value
	// expanded is the table with the values of its parameters.
	expanded *v1alpha1.Crosswalk
	// drops caches the dropped fields by version and visited versions.
	drops map[string][]places.Pattern
	// earlier is the table under which objects were stored before, for L7, or nil.
	earlier *Subject
}

// NewSubject compiles a table for a test. Versions that the table has retired are left out. It
// returns the error of the compiler, or an error about a schema that is not structural.
func NewSubject(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, compile CompileFunc) (*Subject, error) {
	s := &Subject{drops: map[string][]places.Pattern{}}
	s.CRD, s.Table = conversion.Effective(crd, table)
	var err error
	if s.schemas, err = structural(s.CRD); err != nil {
		return nil, err
	}
	if s.converter, err = compile(crd, table); err != nil {
		return nil, err
	}
	s.second = sync.OnceValues(func() (Converter, error) { return compile(crd, table) })
	s.expanded = expanded(s.Table)
	s.hints = hints.OfTable(s.expanded)
	return s, nil
}

// dropped returns places.Dropped for this table, and caches its results.
func (s *Subject) dropped(of string, through []string) []places.Pattern {
	slices.Sort(through)
	through = slices.Compact(through)
	key := of + " " + strings.Join(through, " ")
	out, known := s.drops[key]
	if !known {
		out = places.Dropped(s.Table, of, through)
		s.drops[key] = out
	}
	return out
}

// Versions returns the versions of the CRD in its order.
func (s *Subject) Versions() []string {
	out := make([]string, 0, len(s.CRD.Spec.Versions))
	for _, v := range s.CRD.Spec.Versions {
		out = append(out, v.Name)
	}
	return out
}

func (s *Subject) apiVersion(version string) string { return s.CRD.Spec.Group + "/" + version }

// structural returns the structural schema of each version.
func structural(crd *apiextensionsv1.CustomResourceDefinition) (map[string]*structuralschema.Structural, error) {
	out := map[string]*structuralschema.Structural{}
	for _, v := range crd.Spec.Versions {
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			return nil, fmt.Errorf("version %s of %s has no schema", v.Name, crd.Name)
		}
		var internal apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			return nil, err
		}
		s, err := structuralschema.NewStructural(&internal)
		if err != nil {
			return nil, fmt.Errorf("version %s of %s: %w", v.Name, crd.Name, err)
		}
		removeNulls(s)
		out[v.Name] = s
	}
	return out, nil
}

// removeNulls removes nulls from defaults that the schema does not allow: the API server writes
// them, and removes them when it reads the object.
func removeNulls(s *structuralschema.Structural) {
	defaulting.PruneNonNullableNullsWithoutDefaults(s.Default.Object, s)
	for _, p := range s.Properties {
		removeNulls(&p)
	}
	if s.Items != nil {
		removeNulls(s.Items)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		removeNulls(s.AdditionalProperties.Structural)
	}
}
