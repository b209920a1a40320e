package migrate

import (
	"context"
	"net/http"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

const crdsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

func (m *Migrator) crd(ctx context.Context, name string) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	err := bulk.Persist(ctx, func() error { return m.client.Get(ctx, crdsPath+"/"+name, crd) })
	return crd, err
}

func (m *Migrator) crds(ctx context.Context) ([]apiextensionsv1.CustomResourceDefinition, error) {
	var list apiextensionsv1.CustomResourceDefinitionList
	err := bulk.Persist(ctx, func() error { return m.client.Get(ctx, crdsPath, &list) })
	return list.Items, err
}

// patchCRD merges a patch into a CRD, or into one of its subresources.
func (m *Migrator) patchCRD(ctx context.Context, name, subresource string, patch any) (*apiextensionsv1.CustomResourceDefinition, error) {
	path := crdsPath + "/" + name
	if subresource != "" {
		path += "/" + subresource
	}
	crd := new(apiextensionsv1.CustomResourceDefinition)
	err := bulk.Persist(ctx, func() error {
		return m.client.Do(ctx, bulk.Request{
			Method: http.MethodPatch, Path: path, ContentType: mergePatchType, Body: patch,
			Query: map[string]string{"fieldManager": fieldManager},
		}, crd)
	})
	return crd, err
}

// storageVersion returns the one version in which objects are stored.
func storageVersion(crd *apiextensionsv1.CustomResourceDefinition) string {
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Storage })
	if i < 0 {
		return ""
	}
	return crd.Spec.Versions[i].Name
}

// servedVersions returns the served versions, in the CRD's order, but the storage version first
// if it is served.
func servedVersions(crd *apiextensionsv1.CustomResourceDefinition) []apiextensionsv1.CustomResourceDefinitionVersion {
	var served []apiextensionsv1.CustomResourceDefinitionVersion
	for _, v := range crd.Spec.Versions {
		switch {
		case v.Served && v.Storage:
			served = slices.Insert(served, 0, v)
		case v.Served:
			served = append(served, v)
		}
	}
	return served
}

// currentVersions returns the versions that are served or stored, sorted.
func currentVersions(crd *apiextensionsv1.CustomResourceDefinition) []string {
	var names []string
	for _, v := range crd.Spec.Versions {
		if v.Served || v.Storage {
			names = append(names, v.Name)
		}
	}
	slices.Sort(names)
	return names
}

func condition(crd *apiextensionsv1.CustomResourceDefinition, kind apiextensionsv1.CustomResourceDefinitionConditionType) *apiextensionsv1.CustomResourceDefinitionCondition {
	for i := range crd.Status.Conditions {
		if crd.Status.Conditions[i].Type == kind {
			return &crd.Status.Conditions[i]
		}
	}
	return nil
}
