package verify

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// lax is a converter with a guard that is wrong in one way.
type lax struct {
	*conversion.Converter
	guard func(c *conversion.Converter, dst, object, old []byte) ([]byte, error)
}

func (l lax) Guard(_ context.Context, dst, object, old []byte, _ string) ([]byte, error) {
	return l.guard(l.Converter, dst, object, old)
}

// TestWrongGuards proves that rule 9 can fail.
func TestWrongGuards(t *testing.T) {
	for name, guard := range map[string]func(c *conversion.Converter, dst, object, old []byte) ([]byte, error){
		"believes what arrives": func(_ *conversion.Converter, dst, object, _ []byte) ([]byte, error) {
			return append(dst, bytes.TrimSpace(object)...), nil
		},
		"takes everything for a creation": func(c *conversion.Converter, dst, object, _ []byte) ([]byte, error) {
			return c.Guard(context.Background(), dst, object, nil, "")
		},
		"keeps the old object": func(c *conversion.Converter, dst, _, old []byte) ([]byte, error) {
			return c.Guard(context.Background(), dst, old, old, "")
		},
		"drops all stashes": func(_ *conversion.Converter, dst, object, _ []byte) ([]byte, error) {
			return conversion.Strip(dst, object)
		},
	} {
		t.Run(name, func(t *testing.T) {
			compile := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
				c, err := conversion.Compile(crd, table)
				return lax{c, guard}, err
			}
			for seed := range uint64(500) {
				r := rand.New(rand.NewPCG(4, seed))
				crd, table := (&weave.Tables{Rand: r}).Generate()
				s, err := NewSubject(crd, table, compile)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range s.Cases(r, nil) {
					if c.Law == Guarded && s.Check(c) != nil {
						return
					}
				}
			}
			t.Error("nothing caught it")
		})
	}
}
