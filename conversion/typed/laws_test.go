package typed

import (
	"context"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// ties is what the code ties, as a table would say it. The laws are the same without,
// but who judges has to know which places are only one version's.
const ties = `
metadata: {name: backups.example.com}
spec:
  hub: v2
  versions:
  - name: v1
    rows:
    - {spoke: .spec.target, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
    - {spoke: .spec.keep, hub: .spec.retention.count}
    - {spoke: .spec.paused, hub: .spec.state, values: {"true": Paused}}
  - name: v1alpha1
    rows:
    - {spoke: .spec.target, hub: .spec.host}
`

// TestLaws judges code that loses what it can by the laws that tables are judged by.
func TestLaws(t *testing.T) {
	crd := backupCRD(t)
	compile := func(crd *apiextensionsv1.CustomResourceDefinition, _ *v1alpha1.Crosswalk) (verify.Converter, error) {
		return New(crd, backupScheme(t), "1")
	}
	table := new(v1alpha1.Crosswalk)
	if err := yaml.Unmarshal([]byte(ties), table); err != nil {
		t.Fatal(err)
	}
	subject, err := verify.NewSubject(crd, table, compile)
	if err != nil {
		t.Fatal(err)
	}
	report := verify.RunTable(context.Background(), subject, compile, verify.Options{Seed: 1, Objects: 2000, Stop: 3})
	for _, found := range report.Found {
		t.Errorf("%v", found)
	}
	t.Logf("%d cases", report.Cases)
}
