package verify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/reference"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// FuzzLaws puts any object to the laws that need no second one, by the tables that
// use every mapping: what the schemas allow comes back, and is what the naive
// converter says.
func FuzzLaws(f *testing.F) {
	var judged []*allowed
	for _, folder := range []string{"kitchen", "mutants"} {
		judged = append(judged, newAllowed(f, read(f, "testdata/"+folder+"/crd.yaml", "testdata/"+folder+"/crosswalk.yaml")))
	}
	for i, a := range judged {
		for _, from := range a.s.Versions() {
			for seed := range 3 {
				g := &generator{draw.Generator{Rand: rand.New(rand.NewPCG(uint64(i), uint64(seed))), Hints: a.s.hints}}
				f.Add(g.resource(a.s, from).Append(nil), uint8(seed))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		v, err := tree.Parse(data)
		if err != nil || len(data) > 1<<14 {
			return
		}
		for _, a := range judged {
			if from, ok := a.s.convertible(v); ok {
				a.judge(t, v, from, choice)
			}
		}
	})
}

// allowed is a subject that knows what its schemas allow.
type allowed struct {
	s          *Subject
	reference  *reference.Converter
	validators map[string]validation.SchemaValidator
}

func newAllowed(t testing.TB, s *Subject) *allowed {
	t.Helper()
	a := &allowed{s: s, reference: reference.New(s.CRD, expanded(s.Table), places.Parse), validators: map[string]validation.SchemaValidator{}}
	for _, v := range s.CRD.Spec.Versions {
		var schema apiextensions.JSONSchemaProps
		if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(withoutRequired(v.Schema.OpenAPIV3Schema.DeepCopy()), &schema, nil); err != nil {
			t.Fatal(err)
		}
		validator, _, err := validation.NewSchemaValidator(&schema)
		if err != nil {
			t.Fatal(err)
		}
		a.validators[v.Name] = validator
	}
	return a
}

// withoutRequired is the schema of fragments.
func withoutRequired(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	s.Required = nil
	for name, member := range s.Properties {
		s.Properties[name] = *withoutRequired(&member)
	}
	if s.Items != nil {
		withoutRequired(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		withoutRequired(s.AdditionalProperties.Schema)
	}
	return s
}

// allows reports whether an object is one that the API server could send, whole or as
// a fragment.
func (a *allowed) allows(v *tree.Value, version string) bool {
	object, ok := v.Any().(map[string]any)
	return ok && len(validation.ValidateCustomResource(nil, object, a.validators[version])) == 0 &&
		len(listtype.ValidateListSetsAndMaps(nil, a.s.schemas[version], object)) == 0
}

func (a *allowed) judge(t *testing.T, v *tree.Value, from string, choice uint8) {
	versions := slices.DeleteFunc(a.s.Versions(), func(v string) bool { return v == from })
	to := versions[int(choice>>1)%len(versions)]
	check := func(c Case) {
		if found := a.s.Check(c); found != nil {
			t.Fatal(found.Markdown())
		}
	}
	check(Case{Law: Total, Object: v.Append(nil), From: from, Through: []string{to, from}})
	v = coerce(v, a.s.schemas[from])
	if !a.allows(v, from) {
		return
	}
	for _, law := range []Law{RoundTrip, Stable, Native, Coherent} {
		check(Case{Law: law, Object: v.Append(nil), From: from, Through: []string{to}, Served: choice&1 > 0 && law != Coherent && law != Native})
	}
	hub := a.s.Table.Spec.Hub
	if a.reference == nil || firstStash(v) != "" || from != hub && to != hub {
		return
	}
	v = withDefaults(v, a.s.schemas[from])
	want, comeAndGo, clear := a.reference.Convert(v, from, to)
	if !clear {
		return
	}
	c := Case{Object: v.Append(nil), From: from, Through: []string{to}}
	trip := a.s.start(c).to(to)
	if diff := trip.differsFrom(want, comeAndGo); len(diff) > 0 {
		t.Fatal(trip.counterexample(c, "differs from the reference", diff).Markdown())
	}
}
