package conversion

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Effective returns the CRD and the table that the compiler uses. Both are without the versions
// that the table has retired, and every version has the shared tables that its rows use. If
// nothing has to be changed, the result is the arguments. The arguments are never modified.
func Effective(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (*apiextensionsv1.CustomResourceDefinition, *v1alpha1.Crosswalk) {
	gone := map[string]bool{}
	for _, v := range table.Spec.Versions {
		if v.Retired != "" && v.Name != table.Spec.Hub && !inUse(crd, v.Name) {
			gone[v.Name] = true
		}
	}
	if len(gone) == 0 && len(table.Spec.Tables) == 0 {
		return crd, table
	}
	crd, table = crd.DeepCopy(), table.DeepCopy()
	crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return gone[v.Name] })
	table.Spec.Versions = slices.DeleteFunc(table.Spec.Versions, func(v v1alpha1.VersionTable) bool { return gone[v.Name] })
	for i := range table.Spec.Versions {
		share(&table.Spec.Versions[i], table.Spec.Tables)
	}
	table.Spec.Tables = nil
	return crd, table
}

// inUse reports whether a version is served or stored by a CRD.
func inUse(crd *apiextensionsv1.CustomResourceDefinition, version string) bool {
	return slices.ContainsFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Name == version && (v.Served || v.Storage)
	})
}
