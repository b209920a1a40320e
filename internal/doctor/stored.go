package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// checkStored looks for versions in which objects may still be stored besides the storage
// version.
func (d *doctor) checkStored(ctx context.Context, c *Check) {
	all, err := d.tables(ctx)
	if err != nil {
		c.failed("CustomResourceDefinitions", err)
		return
	}
	n := 0
	for _, t := range all.crosswalks {
		if t.crd == nil {
			continue
		}
		n++
		storage := storageOf(t.crd)
		older := slices.DeleteFunc(slices.Clone(t.crd.Status.StoredVersions), func(v string) bool { return v == storage })
		if len(older) > 0 {
			c.find(Advice, "customresourcedefinition "+t.name, fmt.Sprintf("objects may still be stored in %s (status.storedVersions), and %s cannot be removed before they are rewritten to %s",
				strings.Join(older, ", "), strings.Join(older, ", "), storage), "crosswalk migrate "+t.name)
		}
	}
	c.Detail = count(n, "CustomResourceDefinition")
}

func storageOf(crd *apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}
