package evolve

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// newVersion is the name of an added version.
const newVersion = "v9"

// addVersion adds a version that is like another one.
func (c changer) addVersion(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	like := crd.Spec.Versions[c.Rand.IntN(len(crd.Spec.Versions))].DeepCopy()
	for _, v := range table.Spec.Versions {
		if v.Name == like.Name {
			rows := v.DeepCopy()
			rows.Name = newVersion
			table.Spec.Versions = append(table.Spec.Versions, *rows)
		}
	}
	like.Name, like.Storage = newVersion, false
	crd.Spec.Versions = append(crd.Spec.Versions, *like)
	return true
}

// moveHub adds a version that is like the hub, and makes it the hub. If there is more than one
// spoke, stashes of two of them may contradict each other under a new hub.
func (c changer) moveHub(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	for _, v := range crd.Spec.Versions {
		if v.Name == table.Spec.Hub {
			like := v.DeepCopy()
			like.Name, like.Storage = newVersion, false
			crd.Spec.Versions = append(crd.Spec.Versions, *like)
			break
		}
	}
	table.Spec.Hub = newVersion
	return true
}

// replaceHub replaces the hub by a version that is like it. Stashes of the old hub belong to a
// version that no longer exists.
func (c changer) replaceHub(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	for i := range crd.Spec.Versions {
		if v := &crd.Spec.Versions[i]; v.Name == table.Spec.Hub {
			v.Name = newVersion
		}
	}
	table.Spec.Hub = newVersion
	return len(table.Spec.Versions) > 1 // objects stored in one are read in the other
}
