package verify

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/rows"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// FuzzTables makes mistakes in generated tables, as somebody does who writes one:
// the compiler says what is wrong, or else the laws hold.
func FuzzTables(f *testing.F) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		for kind := range mistakes {
			f.Add(seed, []byte{byte(kind), byte(seed), byte(3 * seed), byte(kind + 1), byte(seed + 1), byte(kind)})
		}
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	f.Fuzz(func(t *testing.T, seed uint64, choices []byte) {
		crd, table := (&weave.Tables{Rand: rand.New(rand.NewPCG(12, seed))}).Generate()
		for ; len(choices) >= 3; choices = choices[3:] {
			mistakes[int(choices[0])%len(mistakes)](crd, table, int(choices[1]), int(choices[2]))
		}
		s, err := NewSubject(crd, table, Compile)
		var problems conversion.Problems
		switch {
		case errors.As(err, &problems):
			for _, p := range problems {
				if p.Message == "" || p.Table != table.Name || strings.Contains(p.Error(), "\n") || strings.Contains(p.Error(), "%!") {
					t.Errorf("a problem that says too little: %v", p)
				}
			}
			return
		case err != nil || !takes(scheme, crd):
			return // the API server would not take the CRD
		}
		r := rand.New(rand.NewPCG(13, seed))
		for range 2 {
			for _, c := range s.Cases(r, nil) {
				if found := s.Check(c); found != nil {
					t.Fatal(Shrink(t.Context(), found, Compile).Markdown())
				}
			}
		}
	})
}

// takes reports whether the API server takes a CRD.
func takes(scheme *runtime.Scheme, crd *apiextensionsv1.CustomResourceDefinition) bool {
	crd = crd.DeepCopy()
	scheme.Default(crd)
	var internal apiextensions.CustomResourceDefinition
	if err := scheme.Convert(crd, &internal, nil); err != nil {
		return false
	}
	for _, v := range internal.Spec.Versions {
		if v.Storage {
			internal.Status.StoredVersions = []string{v.Name}
		}
	}
	return len(crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal)) == 0
}

// mistakes are the mistakes that people make in tables; a and b choose the rows.
var mistakes = []func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int){
	// A row is forgotten, or written twice.
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, _ int) {
		if n := rows.Count(table); n > 0 {
			rows.Remove(table, a%n)
		}
	},
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int) {
		if from := rowAt(table, a); from != nil {
			into := listAt(table, b)
			*into = append(*into, *from.DeepCopy())
		}
	},
	// A place is another row's.
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int) {
		if to, from := rowAt(table, a), rowAt(table, b); to != nil {
			to.Spoke = from.Spoke.DeepCopy()
		}
	},
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int) {
		if to, from := rowAt(table, a), rowAt(table, b); to != nil {
			to.Hub = from.Hub.DeepCopy()
		}
	},
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, _ int) {
		if r := rowAt(table, a); r != nil {
			r.Spoke, r.Hub = r.Hub, r.Spoke
		}
	},
	// A mapping is another row's, or lacks what it needs.
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int) {
		if to, from := rowAt(table, a), rowAt(table, b); to != nil {
			spoke, hub := to.Spoke, to.Hub
			*to = *from.DeepCopy()
			to.Spoke, to.Hub = spoke, hub
		}
	},
	func(_ *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, a, b int) {
		r := rowAt(table, a)
		if r == nil {
			return
		}
		switch b % 6 {
		case 0:
			r.Default = nil
		case 1:
			r.Drop, r.Sensitive = "", false
		case 2:
			r.Closed, r.Crosses = !r.Closed, !r.Crosses
		case 3:
			r.Inverse = nil
		case 4:
			r.Sensitive = !r.Sensitive
		case 5:
			r.Constant = nil
		}
	},
	// The schema is not what the author thinks.
	func(crd *apiextensionsv1.CustomResourceDefinition, _ *v1alpha1.Crosswalk, a, b int) {
		if n := reduceSchemas(crd.DeepCopy(), -1); n > 0 {
			reduceSchemas(crd, (a<<8+b)%n)
		}
	},
	func(crd *apiextensionsv1.CustomResourceDefinition, _ *v1alpha1.Crosswalk, a, b int) {
		to := apiextensionsv1.JSONSchemaProps{Type: []string{"string", "integer", "number", "boolean"}[b%4], Nullable: b&4 > 0}
		if n := changeLeaf(crd, -1, to); n > 0 {
			changeLeaf(crd, a%n, to)
		}
	},
}

// changeLeaf replaces the nth schema of a scalar and returns how many it saw.
func changeLeaf(crd *apiextensionsv1.CustomResourceDefinition, nth int, to apiextensionsv1.JSONSchemaProps) int {
	i := 0
	var walk func(s *apiextensionsv1.JSONSchemaProps, root bool)
	walk = func(s *apiextensionsv1.JSONSchemaProps, root bool) {
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			if root && (name == "apiVersion" || name == "kind" || name == "metadata") {
				continue
			}
			if walk(&p, false); p.Type != "object" && p.Type != "array" {
				if i++; i-1 == nth {
					p = to
				}
			}
			s.Properties[name] = p
		}
		if s.Items != nil && s.Items.Schema != nil {
			walk(s.Items.Schema, false)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			walk(s.AdditionalProperties.Schema, false)
		}
	}
	for v := range crd.Spec.Versions {
		walk(crd.Spec.Versions[v].Schema.OpenAPIV3Schema, true)
	}
	return i
}

// rowAt is a row, counted round; nil if there is none.
func rowAt(table *v1alpha1.Crosswalk, n int) *v1alpha1.Row {
	var all []*v1alpha1.Row
	rows.EachList(table, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			all = append(all, &(*rows)[i])
		}
	})
	if len(all) == 0 {
		return nil
	}
	return all[n%len(all)]
}

// listAt is a list of rows, counted round.
func listAt(table *v1alpha1.Crosswalk, n int) *[]v1alpha1.Row {
	var all []*[]v1alpha1.Row
	rows.EachList(table, func(rows *[]v1alpha1.Row) { all = append(all, rows) })
	return all[n%len(all)]
}
