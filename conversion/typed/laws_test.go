package typed

import (
	"context"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// TestLaws judges code that loses what it can by the laws that tables are judged by.
func TestLaws(t *testing.T) {
	t.Run("as people write it", func(t *testing.T) { testLaws(t, 240) })
	for name, code := range metaCodes {
		t.Run(name, func(t *testing.T) { testLaws(t, 40, code.option()) })
	}
}

func testLaws(t *testing.T, objects int, options ...Option) {
	crd := backupCRD(t)
	compile := func(crd *apiextensionsv1.CustomResourceDefinition, _ *v1alpha1.Crosswalk) (verify.Converter, error) {
		return New(crd, backupScheme(t), "1", options...)
	}
	table := new(v1alpha1.Crosswalk)
	table.Name, table.Spec.Hub = crd.Name, "v2"
	subject, err := verify.NewSubject(crd, table, compile)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		objects /= 10 // the race detector sees enough of them
	}
	report := verify.RunTable(context.Background(), subject, compile, verify.Options{
		Seed: 1, Objects: objects, Stop: 3, Laws: []verify.Law{verify.RoundTrip, verify.LiveWins, verify.Total, verify.Stable, verify.Coherent, verify.Guarded},
	})
	for _, found := range report.Found {
		t.Errorf("%v", found)
	}
	t.Logf("%d cases", report.Cases)
}
