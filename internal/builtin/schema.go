package builtin

import (
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Schema returns the name of the schema of a kind, and all schemas by name, as in
// #/components/schemas/NAME. They have the types of the API server's published schemas, and
// nothing else. The name is empty for an unknown kind.
func Schema(kind schema.GroupVersionKind) (name string, all map[string]*spec.Schema) {
	if !Recognizes(kind) {
		return "", nil
	}
	typed, err := types().New(kind)
	if err != nil {
		return "", nil
	}
	return modelName(reflect.TypeOf(typed).Elem()), schemas()
}

// schemas holds the schemas of all kinds, and of the types in them.
var schemas = sync.OnceValue(func() map[string]*spec.Schema {
	all := schemaMaker{}
	for kind, of := range types().AllKnownTypes() {
		if Recognizes(kind) {
			all.of(of)
		}
	}
	return all
})

// schemaMaker makes schemas of Go types, as the generator of Kubernetes does
// (k8s.io/kube-openapi/pkg/generators).
type schemaMaker map[string]*spec.Schema

// of returns the schema of a type, or a reference to it.
func (m schemaMaker) of(t reflect.Type) *spec.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return m.of(t.Elem())
	case reflect.Struct:
		name := modelName(t)
		if _, made := m[name]; !made {
			m[name] = new(spec.Schema) // for types that contain themselves
			*m[name] = *m.named(t)
		}
		return spec.RefSchema("#/components/schemas/" + name)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return spec.StrFmtProperty("byte")
		}
		return spec.ArrayProperty(m.of(t.Elem()))
	case reflect.Map:
		return spec.MapProperty(m.of(t.Elem()))
	case reflect.String:
		return spec.StringProperty()
	case reflect.Bool:
		return spec.BooleanProperty()
	case reflect.Float32, reflect.Float64:
		return spec.Float64Property()
	}
	return spec.Int64Property()
}

// named returns the schema of a struct. A struct that is not an object with its fields defines
// its own schema.
func (m schemaMaker) named(t reflect.Type) *spec.Schema {
	value := reflect.Zero(t).Interface()
	if _, several := value.(interface{ OpenAPIV3OneOfTypes() []string }); several {
		return new(spec.Schema)
	}
	if own, ok := value.(interface {
		OpenAPISchemaType() []string
		OpenAPISchemaFormat() string
	}); ok {
		return &spec.Schema{SchemaProps: spec.SchemaProps{Type: own.OpenAPISchemaType(), Format: own.OpenAPISchemaFormat()}}
	}
	object := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}}}
	m.fields(t, object)
	return object
}

func (m schemaMaker) fields(t reflect.Type, object *spec.Schema) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, rest, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case !field.IsExported() || name == "-":
		case name == "" && strings.Contains(rest, "inline"):
			m.fields(field.Type, object)
		default:
			object.SetProperty(name, *m.of(field.Type))
		}
	}
}

// modelName returns Kubernetes' name for the schema of a type.
func modelName(t reflect.Type) string {
	if named, ok := reflect.Zero(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	return t.PkgPath() + "." + t.Name()
}
