package verify

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// newVersion is the name of a version that tables come to have.
const newVersion = "v9"

// addVersion adds a version that is like another one.
func (g *generator) addVersion(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	like := crd.Spec.Versions[g.Rand.IntN(len(crd.Spec.Versions))].DeepCopy()
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

// moveHub adds a version that is like the hub and makes it the hub. With more than
// one spoke, what two of them had kept may contradict each other beside a new hub.
func (g *generator) moveHub(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
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

// replaceHub adds a version that is like the hub, makes it the hub and takes the old
// one away: what that had kept belongs to a version that is gone.
func (g *generator) replaceHub(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) bool {
	for i := range crd.Spec.Versions {
		if v := &crd.Spec.Versions[i]; v.Name == table.Spec.Hub {
			v.Name = newVersion
		}
	}
	table.Spec.Hub = newVersion
	return len(table.Spec.Versions) > 1 // of which one stores what the other one shows
}
