package conversion_test

import (
	"flag"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

var (
	pureSeed    = flag.Uint64("pure.seed", 1, "seed of the objects of TestPure")
	pureObjects = flag.Int("pure.objects", 3, "how many objects TestPure generates for each table")
)

// pureChecked is a converter that also converts each object by its plans alone.
type pureChecked struct {
	*conversion.Converter
	tally *pureTally
}

type pureTally struct {
	steps, exact atomic.Int64
	failure      atomic.Pointer[error]
}

func (p pureChecked) Convert(dst, object []byte, to string) ([]byte, error) {
	steps, exact, err := p.PureSteps(object, to)
	p.tally.steps.Add(int64(steps))
	p.tally.exact.Add(int64(exact))
	if err != nil {
		p.tally.failure.CompareAndSwap(nil, &err)
	}
	return p.Converter.Convert(dst, object, to)
}

// A conversion by the plan alone is a function of the object, and what it says is exact converts
// back to the object.
func TestPure(t *testing.T) {
	t.Parallel()
	tally := &pureTally{}
	compile := func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (verify.Converter, error) {
		c, err := conversion.Compile(crd, table)
		return pureChecked{c, tally}, err
	}
	files, err := filepath.Glob("verify/testdata/found/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for i, file := range files {
		if testing.Short() && i%10 > 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		subject, _, err := verify.Load(data, compile)
		if err != nil {
			continue // its rows call functions
		}
		compiled++
		verify.RunTable(t.Context(), subject, compile, verify.Options{Seed: *pureSeed, Objects: *pureObjects})
		if failure := tally.failure.Load(); failure != nil {
			t.Fatalf("%s: %v", file, *failure)
		}
	}
	if all := len(files); !testing.Short() && (all == 0 || compiled < all*9/10) {
		t.Errorf("only %d of %d tables compile", compiled, all)
	}
	steps, exact := tally.steps.Load(), tally.exact.Load()
	if steps < 1000 || exact*10 < steps {
		t.Errorf("%d of %d conversions are exact: too few to say anything", exact, steps)
	}
	t.Logf("%d of %d conversions are exact", exact, steps)
}
