package verify

import (
	"context"
	"math/rand/v2"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// TestGeneratedCRDs asks the API server's own validation whether it would take
// the CRDs that are generated.
func TestGeneratedCRDs(t *testing.T) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	for seed := range uint64(300) {
		crd, _ := (&weave.Tables{Rand: rand.New(rand.NewPCG(1, seed))}).Generate()
		scheme.Default(crd)
		var internal apiextensions.CustomResourceDefinition
		if err := scheme.Convert(crd, &internal, nil); err != nil {
			t.Fatal(err)
		}
		internal.Status.StoredVersions = nil
		for _, v := range internal.Spec.Versions {
			if v.Storage {
				internal.Status.StoredVersions = []string{v.Name}
			}
		}
		if errs := crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal); len(errs) > 0 {
			t.Errorf("seed %d: %v", seed, errs.ToAggregate())
		}
	}
}

// TestGeneratedObjects asks the API server's own validation whether objects are
// what their schema allows.
func TestGeneratedObjects(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(2, seed))
		crd, table := (&weave.Tables{Rand: r}).Generate()
		s, err := NewSubject(crd, table, identity)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range crd.Spec.Versions {
			var schema apiextensions.JSONSchemaProps
			if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &schema, nil); err != nil {
				t.Fatal(err)
			}
			validator, _, err := validation.NewSchemaValidator(&schema)
			if err != nil {
				t.Fatal(err)
			}
			for range 5 {
				g := &generator{draw.Generator{Rand: r, Hints: s.hints}}
				object := g.resource(s, v.Name)
				again := coerce(object, s.schemas[v.Name])
				if !tree.Equal(object, again) {
					t.Errorf("seed %d: pruning changes %s to %s", seed, object, again)
				}
				x := withDefaults(object, s.schemas[v.Name]).Any().(map[string]any)
				errs := validation.ValidateCustomResource(nil, x, validator)
				errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.schemas[v.Name], x)...)
				if len(errs) > 0 {
					t.Errorf("seed %d: %v in %s", seed, errs.ToAggregate(), object)
				}
			}
		}
	}
}

// identity compiles any table to a converter that changes only the version: a
// mutant that the laws must catch wherever versions differ.
func identity(*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) (Converter, error) {
	return identityConverter{}, nil
}

type identityConverter struct{}

func (identityConverter) Convert(dst, object []byte, to string) ([]byte, error) {
	v, err := tree.Parse(object)
	if err != nil {
		return nil, err
	}
	v.Set("apiVersion", tree.NewString("example.com/"+to))
	return v.Append(dst), nil
}
