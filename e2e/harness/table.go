package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// Table is a CustomResourceDefinition with its conversion table.
type Table struct {
	CRD       *apiextensionsv1.CustomResourceDefinition
	Crosswalk *v1alpha1.Crosswalk
}

// ReadTable reads crd.yaml and crosswalk.yaml of a folder.
func ReadTable(dir string) (Table, error) {
	t := Table{CRD: new(apiextensionsv1.CustomResourceDefinition), Crosswalk: new(v1alpha1.Crosswalk)}
	for name, into := range map[string]any{"crd.yaml": t.CRD, "crosswalk.yaml": t.Crosswalk} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return Table{}, err
		}
		if err := yaml.UnmarshalStrict(data, into); err != nil {
			return Table{}, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
	}
	return t, nil
}

// InGroup is the same table for the same resource in another group, with another
// version stored. A test so has both variants in one control plane.
func (t Table) InGroup(group, stored string) (Table, error) {
	copied := Table{CRD: t.CRD.DeepCopy()}
	crosswalk := *t.Crosswalk // only its name changes, so its rows may be shared
	copied.Crosswalk = &crosswalk
	copied.CRD.Spec.Group = group
	copied.CRD.Name = copied.CRD.Spec.Names.Plural + "." + group
	copied.Crosswalk.Name = copied.CRD.Name
	found := false
	for i := range copied.CRD.Spec.Versions {
		v := &copied.CRD.Spec.Versions[i]
		v.Storage = v.Name == stored
		found = found || v.Storage
	}
	if !found {
		return Table{}, fmt.Errorf("%s has no version %s", t.CRD.Name, stored)
	}
	return copied, nil
}

// manifestOf lists the tables' CRDs, then their Crosswalks.
func manifestOf(tables []Table) (string, error) {
	var crds, crosswalks []any
	for _, t := range tables {
		crds, crosswalks = append(crds, t.CRD), append(crosswalks, t.Crosswalk)
	}
	manifest, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": append(crds, crosswalks...)})
	return string(manifest), err
}

// WithoutAdmission is the same table for conversion alone: what one version could
// not show may be written, and nobody keeps clients from dropping a stash.
func (t Table) WithoutAdmission() Table {
	crosswalk := *t.Crosswalk
	crosswalk.Spec.Admission = v1alpha1.AdmissionNone
	t.Crosswalk = &crosswalk
	return t
}
