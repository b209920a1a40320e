package admit

import (
	"context"
	"iter"
	"slices"

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

// Groups implements [policy.Schemas].
func (s schemas) Groups(context.Context) ([]string, error) {
	var groups []string
	for version := range s.resources() {
		if !slices.Contains(groups, version.Group) {
			groups = append(groups, version.Group)
		}
	}
	return groups, nil
}

// Versions implements [policy.Schemas].
func (s schemas) Versions(_ context.Context, group string) ([]string, error) {
	var versions []string
	for version := range s.resources() {
		if version.Group == group && !slices.Contains(versions, version.Version) {
			versions = append(versions, version.Version)
		}
	}
	return versions, nil
}

// Resources implements [policy.Schemas].
func (s schemas) Resources(_ context.Context, version schema.GroupVersion) ([]policy.Resource, error) {
	var found []policy.Resource
	for of, resource := range s.resources() {
		if of == version {
			found = append(found, resource)
		}
	}
	return found, nil
}

// resources yields every resource and subresource, with its version.
func (s schemas) resources() iter.Seq2[schema.GroupVersion, policy.Resource] {
	return func(yield func(schema.GroupVersion, policy.Resource) bool) {
		for _, known := range s.kinds.known {
			version, name := known.resource.GroupVersion(), known.resource.Resource
			if !yield(version, policy.Resource{Name: name, Kind: known.GroupVersionKind}) ||
				known.hasStatus && !yield(version, policy.Resource{Name: name + "/status", Kind: known.GroupVersionKind}) ||
				known.scale != nil && !yield(version, policy.Resource{Name: name + "/scale", Kind: scaleKind}) {
				return
			}
		}
		for _, known := range builtin.Resources() {
			name := known.Resource
			if known.Subresource != "" {
				name += "/" + known.Subresource
			}
			if !yield(known.GroupVersion(), policy.Resource{Name: name, Kind: known.Sent}) {
				return
			}
		}
	}
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
