package migrate

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// table reads and compiles the Crosswalk of a CRD. It returns nil if there is none, it may not
// be read, or it does not compile.
func (m *Migrator) table(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (*conversion.Converter, error) {
	table := new(v1alpha1.Crosswalk)
	path := "/apis/" + v1alpha1.GroupName + "/" + v1alpha1.Version + "/crosswalks/" + crd.Name
	if err := few().persist(ctx, func() error { return m.client.get(ctx, path, jsonType, table) }); err != nil {
		if kind := classify(err); kind == missing || kind == final {
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
