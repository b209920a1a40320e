package verify

import (
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// This file does what a real API server does to an object around a conversion, with its own
// packages: k8s.io/apiextensions-apiserver, customresource_handler.go
// (unstructuredSchemaCoercer.apply, unstructuredDefaulter.Default) and
// conversion/webhook_converter.go (restoreObjectMeta).

// coerce prunes an object to a schema, removes nulls that are not allowed, and normalises numbers
// and the metadata of embedded resources. The server does so to what it decodes and to what a webhook
// returns.
func coerce(v *tree.Value, s *structuralschema.Structural) *tree.Value {
	x := v.Any()
	pruning.Prune(x, s, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(x, s)
	if err := objectmeta.Coerce(nil, x, s, false, true); err != nil {
		panic(err) // it drops what is invalid
	}
	return inOrder(tree.FromAny(x), v)
}

// withDefaults applies a schema's defaults, as the server does to requests and
// to what it reads from etcd.
func withDefaults(v *tree.Value, s *structuralschema.Structural) *tree.Value {
	x := v.Any()
	defaulting.Default(x, s)
	return inOrder(tree.FromAny(x), v)
}

// inOrder sorts the members of v as they are in like. New ones come last.
func inOrder(v, like *tree.Value) *tree.Value {
	if v == nil || like == nil || v.Kind != like.Kind {
		return v
	}
	for i := range v.Items {
		if i < len(like.Items) {
			inOrder(v.Items[i], like.Items[i])
		}
	}
	if v.Kind == tree.Object {
		var members []tree.Member
		for _, m := range like.Members {
			if mine := v.Get(m.Name); mine != nil {
				members = append(members, tree.Member{Name: m.Name, Value: inOrder(mine, m.Value)})
			}
		}
		for _, m := range v.Members {
			if like.Get(m.Name) == nil {
				members = append(members, m)
			}
		}
		v.Members = members
	}
	return v
}

// restoreMeta makes what the server makes of the metadata that a webhook returns: the metadata of
// the input, with the labels and annotations of the output.
func restoreMeta(input, output *tree.Value) {
	meta := tree.NewObject()
	if in := input.Get("metadata"); in != nil && in.Kind == tree.Object {
		meta = in.Clone()
	}
	for _, name := range []string{"labels", "annotations"} {
		got := output.Get("metadata").Get(name)
		if got == nil || got.Kind == tree.Null {
			got = nil
		}
		meta.Set(name, got)
	}
	output.Set("metadata", meta)
}

// unique reports whether the keys and elements of an object's lists are unique if the schema
// requires that. The server rejects writes of others.
func (s *Subject) unique(v *tree.Value, version string) bool {
	object, ok := v.Any().(map[string]any)
	return ok && len(listtype.ValidateListSetsAndMaps(nil, s.schemas[version], object)) == 0
}

// ours reports whether Crosswalk writes an annotation.
func ours(name string) bool {
	return strings.HasPrefix(name, "stash.crosswalk.dev/") || strings.HasPrefix(name, "crosswalk.dev/")
}

// comparable returns the form in which two objects of a version are compared: with defaults and
// normal numbers; without Crosswalk's annotations, empty metadata, labels and annotations, and
// dropped fields.
func (s *Subject) comparable(v *tree.Value, version string, dropped []places.Pattern) *tree.Value {
	out := withDefaults(v, s.schemas[version])
	for _, p := range dropped {
		places.Cut(out, p)
	}
	meta := out.Get("metadata")
	if meta == nil || meta.Kind != tree.Object {
		return out
	}
	if annotations := meta.Get("annotations"); annotations != nil && annotations.Kind == tree.Object {
		kept := annotations.Members[:0]
		for _, m := range annotations.Members {
			if !ours(m.Name) {
				kept = append(kept, m)
			}
		}
		annotations.Members = kept
	}
	for _, name := range []string{"labels", "annotations"} {
		if m := meta.Get(name); m != nil && len(m.Members) == 0 {
			meta.Set(name, nil)
		}
	}
	if len(meta.Members) == 0 {
		out.Set("metadata", nil)
	}
	return out
}

// schemaAt returns the schema of a field, or nil.
func (s *Subject) schemaAt(at tree.Path, version string) *structuralschema.Structural {
	schema := s.schemas[version]
	for _, step := range at {
		switch prop, known := schema.Properties[step.Name]; {
		case !step.IsIndex && known:
			schema = &prop
		case step.IsIndex:
			schema = schema.Items
		case schema.AdditionalProperties != nil:
			schema = schema.AdditionalProperties.Structural
		default:
			return nil
		}
		if schema == nil {
			return nil
		}
	}
	return schema
}
