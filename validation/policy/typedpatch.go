package policy

import (
	"strings"

	"github.com/google/cel-go/common/types"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/mutation"
)

// patches returns the types for mutations: Object.spec is the type of the spec of Object,
// whatever it is, as in apiserver, except that objects with a known schema have only the fields
// in it.
func (t *schemaTypes) patches() common.TypeResolver {
	if t.object == nil {
		return new(mutation.DynamicTypeResolver)
	}
	return typedPatches{object: t.object}
}

type typedPatches struct {
	mutation.DynamicTypeResolver
	object *apiservercel.DeclType
}

// Resolve implements [common.TypeResolver].
func (p typedPatches) Resolve(name string) (common.ResolvedType, bool) {
	resolved, found := p.DynamicTypeResolver.Resolve(name)
	if !found || name == mutation.JSONPatchTypeName {
		return resolved, found
	}
	of := p.object
	for _, member := range strings.Split(name, ".")[1:] {
		if !of.IsObject() {
			break
		}
		field := of.Fields[member]
		if field == nil {
			return nil, false
		}
		of = field.Type
		for of.IsList() || of.IsMap() {
			of = of.ElemType
		}
	}
	return typedPatch{resolved, of}, true
}

// typedPatch is an object in a patch.
type typedPatch struct {
	common.ResolvedType
	of *apiservercel.DeclType
}

// Field implements [common.ResolvedType]. A field with fields or elements may be built in many
// ways, and is not checked.
func (p typedPatch) Field(name string) (*types.FieldType, bool) {
	field, _ := p.ResolvedType.Field(name)
	if !p.of.IsObject() {
		return field, true
	}
	known := p.of.Fields[name]
	if known == nil {
		return nil, false
	}
	switch known.Type {
	case apiservercel.StringType, apiservercel.BoolType, apiservercel.IntType:
		typed := *field
		typed.Type = known.Type.CelType()
		return &typed, true
	}
	return field, true
}
