package policy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// schemaTypes are the CEL types that schemas give to objects. The zero value has none.
//
// They are looser than those of apiserver (k8s.io/apiserver/pkg/cel/common, SchemaDeclType),
// because an expression is evaluated on what JSON has: a time is a string, a number may be an
// integer, and values without a type in the schema are possible. All of these have the type dyn
// or string, so that nothing that works is reported as a mistake.
type schemaTypes struct {
	// object is the type of object and oldObject, and params the type of params. They are nil
	// if they are not known.
	object, params *apiservercel.DeclType
	// named holds the types of all objects, and of objects in them, by name.
	named map[string]*apiservercel.DeclType
}

// of returns the type of the objects of a kind, or nil if it is not known.
func (t *schemaTypes) of(ctx context.Context, schemas Schemas, kind schema.GroupVersionKind) (*apiservercel.DeclType, error) {
	name, all, err := schemas.Schema(ctx, kind)
	if name == "" || err != nil {
		return nil, err
	}
	if t.named == nil {
		t.named = map[string]*apiservercel.DeclType{}
	}
	if made := (&declarer{all, t.named, map[string]bool{}}).reference(name); made.IsObject() {
		return made, nil
	}
	return nil, nil
}

// roots returns all types, in order, as CEL needs them.
func (t *schemaTypes) roots() []*apiservercel.DeclType {
	var all []*apiservercel.DeclType
	for _, name := range slices.Sorted(maps.Keys(t.named)) {
		all = append(all, t.named[name])
	}
	return all
}

// mentioned reports whether a mistake is about the type of an object. Objects are maps when
// expressions are evaluated, and many operations work with a map but not with an object type.
func (t *schemaTypes) mentioned(message string) bool {
	for name := range t.named {
		if strings.Contains(message, name) {
			return true
		}
	}
	return false
}

func celType(t *apiservercel.DeclType) *cel.Type {
	if t == nil {
		return cel.DynType
	}
	return t.CelType()
}

// declarer makes types from schemas.
type declarer struct {
	all   map[string]*spec.Schema
	named map[string]*apiservercel.DeclType
	// open holds the names of the schemas that are being converted. A schema that refers to
	// itself has no end, so its inner part has no type.
	open map[string]bool
}

func (d *declarer) reference(name string) *apiservercel.DeclType {
	if made := d.named[name]; made != nil {
		return made
	}
	s := d.all[name]
	if s == nil || d.open[name] {
		return apiservercel.DynType
	}
	d.open[name] = true
	defer delete(d.open, name)
	return d.declare(s, name)
}

// declare makes the type of a schema. An object gets a name.
func (d *declarer) declare(s *spec.Schema, name string) *apiservercel.DeclType {
	if to := referred(s); to != "" {
		return d.reference(to)
	}
	if len(s.Type) != 1 || s.Format == "int-or-string" || extended(s, "x-kubernetes-int-or-string") || extended(s, "x-kubernetes-preserve-unknown-fields") {
		return apiservercel.DynType
	}
	made := apiservercel.DynType
	switch s.Type[0] {
	case "object":
		made = d.object(s, name)
	case "array":
		if s.Items != nil && s.Items.Schema != nil {
			made = apiservercel.NewListType(d.declare(s.Items.Schema, name+".@idx"), -1)
		}
	case "string":
		made = apiservercel.StringType
	case "boolean":
		made = apiservercel.BoolType
	case "integer":
		made = apiservercel.IntType
	}
	// Only an object may be compared with null.
	if s.Nullable && !made.IsObject() {
		return apiservercel.DynType
	}
	return made
}

func (d *declarer) object(s *spec.Schema, name string) *apiservercel.DeclType {
	switch {
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return apiservercel.NewMapType(apiservercel.StringType, d.declare(s.AdditionalProperties.Schema, name+".@elem"), -1)
	case len(s.Properties) == 0:
		return apiservercel.DynType
	}
	fields := map[string]*apiservercel.DeclField{}
	for member, of := range s.Properties {
		fields[member] = apiservercel.NewDeclField(member, d.declare(&of, fmt.Sprintf("%s.%q", name, member)), false, nil, nil)
	}
	d.named[name] = apiservercel.NewObjectType(name, fields)
	return d.named[name]
}

const schemaPrefix = "#/components/schemas/"

// referred returns the name that a schema refers to, directly or through allOf with further
// constraints. It returns "" if it does not refer to another.
func referred(s *spec.Schema) string {
	if name, found := strings.CutPrefix(s.Ref.String(), schemaPrefix); found {
		return name
	}
	if len(s.AllOf) == 1 {
		return referred(&s.AllOf[0])
	}
	return ""
}

func extended(s *spec.Schema, name string) bool {
	is, _ := s.Extensions.GetBool(name)
	return is
}
