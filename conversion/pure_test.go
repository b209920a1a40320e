package conversion_test

import (
	"flag"
	"sync/atomic"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

var (
	pureSeed   = flag.Uint64("pure.seed", 1, "seed of the tables and objects of TestPure")
	pureTables = flag.Int("pure.tables", 60, "how many tables TestPure generates")
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
		c, err := verify.CompileWithFunctions(crd, table)
		if err != nil {
			return nil, err
		}
		return pureChecked{c.(*conversion.Converter), tally}, nil
	}
	tables := *pureTables
	if testing.Short() {
		tables = min(tables, 5)
	}
	report := verify.RunTables(t.Context(), compile, verify.Options{Functions: true, Seed: *pureSeed, Tables: tables, Objects: 5, Stop: 1})
	if failure := tally.failure.Load(); failure != nil {
		t.Fatal(*failure)
	}
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	steps, exact := tally.steps.Load(), tally.exact.Load()
	if steps < 1000 || exact*10 < steps {
		t.Errorf("%d of %d conversions are exact: too few to say anything", exact, steps)
	}
	t.Logf("%d of %d conversions are exact", exact, steps)
}
