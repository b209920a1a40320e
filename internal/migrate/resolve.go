package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Resolve finds the CRDs for the arguments: by name, also in the form of `kubectl get crd -o
// name`, or by plural, singular, short name or kind, if only one CRD has it.
func (m *Migrator) Resolve(ctx context.Context, args []string) ([]string, error) {
	var names []string
	var all []apiextensionsv1.CustomResourceDefinition
	for _, arg := range args {
		name := arg[strings.LastIndexByte(arg, '/')+1:]
		if name == "" {
			return nil, argumentErrorf("%q is not the name of a CustomResourceDefinition", arg)
		}
		// A name that may be complete is tried first, because that needs no right to list.
		if strings.Contains(name, ".") {
			_, err := m.crd(ctx, name)
			if err == nil {
				names = append(names, name)
				continue
			}
			if !apierrors.IsNotFound(err) {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if all == nil {
			var err error
			if all, err = m.crds(ctx); err != nil {
				return nil, fmt.Errorf("looking for the CRD of %s: %w", name, err)
			}
		}
		found := matching(all, name)
		switch len(found) {
		case 0:
			return nil, argumentErrorf("no CustomResourceDefinition has the name, plural, short name or kind %q: kubectl get crds lists them", name)
		case 1:
			names = append(names, found[0])
		default:
			return nil, argumentErrorf("%q can be %s: name one of them", name, strings.Join(found, " or "))
		}
	}
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once, nil
}

func matching(all []apiextensionsv1.CustomResourceDefinition, name string) []string {
	var found []string
	for i := range all {
		names := all[i].Spec.Names
		if all[i].Name == name || names.Plural == name || names.Singular == name ||
			slices.Contains(names.ShortNames, name) || strings.EqualFold(names.Kind, name) {
			found = append(found, all[i].Name)
		}
	}
	return found
}
