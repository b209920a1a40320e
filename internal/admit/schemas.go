package admit

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crosswalk-dev/crosswalk/internal/builtin"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// schemas holds the schemas of CRDs, and of Kubernetes itself. It implements [policy.Schemas].
type schemas struct {
	kinds  *kinds
	custom *policy.SchemaTypes
}

// Kinds implements [policy.Schemas].
func (s schemas) Kinds(_ context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	name, sub, _ := strings.Cut(resource.Resource, "/")
	named := func(of schema.GroupVersionResource) bool {
		return of.Group == resource.Group && of.Resource == name && (of.Version == resource.Version || resource.Version == "*")
	}
	var found []schema.GroupVersionKind
	for _, known := range s.kinds.known {
		switch {
		case !named(known.resource):
		case sub == "":
			found = append(found, known.GroupVersionKind)
		case sub == "scale" && known.scale != nil && !slices.Contains(found, scaleKind):
			found = append(found, scaleKind)
		}
	}
	for _, known := range builtin.Resources() {
		if named(known.GroupVersionResource) && known.Subresource == sub && !slices.Contains(found, known.Sent) {
			found = append(found, known.Sent)
		}
	}
	return found, nil
}

// Hub implements [policy.Schemas].
func (s schemas) Hub(_ context.Context, resource schema.GroupResource) (string, error) {
	for _, c := range s.kinds.custom {
		if c.table != nil && c.crd.Spec.Group == resource.Group && c.crd.Spec.Names.Plural == resource.Resource {
			return c.table.Hub(), nil
		}
	}
	return "", nil
}

// Schema implements [policy.Schemas].
func (s schemas) Schema(_ context.Context, kind schema.GroupVersionKind) (string, map[string]*spec.Schema, error) {
	name, all := s.custom.Schema(kind)
	if name == "" {
		name, all = builtin.Schema(kind)
	}
	return name, all, nil
}
