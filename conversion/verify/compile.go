package verify

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Compile is conversion.Compile as a [CompileFunc].
func Compile(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
	return CompileWith()(crd, table)
}

// CompileWith is conversion.Compile with options as a [CompileFunc].
func CompileWith(options ...conversion.Option) CompileFunc {
	return func(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk) (Converter, error) {
		c, err := conversion.Compile(crd, table, options...)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
}
