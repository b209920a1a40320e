package migrate

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// table reads and compiles the Crosswalk of a CRD. It returns nil if there is none, it may not
// be read, or it does not compile.
func (m *Migrator) table(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (*conversion.Converter, error) {
	table := new(v1alpha1.Crosswalk)
	path := "/apis/" + v1alpha1.GroupName + "/" + v1alpha1.Version + "/crosswalks/" + crd.Name
	if err := bulk.Few().Persist(ctx, func() error { return m.client.Get(ctx, path, table) }); err != nil {
		if kind := bulk.Classify(err); kind == bulk.Missing || kind == bulk.Final {
			return nil, nil
		}
		return nil, err
	}
	converter, err := conversion.Compile(crd, table, m.options.Compiling...)
	if err != nil {
		return nil, nil
	}
	return converter, nil
}
