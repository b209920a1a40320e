package weave

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// leaf returns the schema of a field that both versions treat as one value.
func (w *weaver) leaf() *shape {
	if w.Chance(65) {
		return w.scalar()
	}
	var s *shape
	switch w.Rand.IntN(11) {
	case 8:
		s = newList(newList(newScalar("string")))
	case 9:
		s = newMap(newList(newScalar("integer")))
	case 10:
		inner := newObject()
		inner.add(w.name(), w.scalar())
		inner.add(w.name(), newMap(newScalar("boolean")))
		s = newObject()
		s.add(w.name(), inner)
		s.add(w.name(), w.scalar())
	case 0:
		s = newList(newScalar("string"))
	case 1:
		s = newList(newScalar("integer"))
		s.items.schema.Nullable = w.Chance(30)
	case 2:
		s = newList(newScalar("string"))
		s.schema.XListType = ptr.To("set")
	case 3:
		s = newMap(newScalar("string"))
	case 4:
		s = newMap(newScalar("integer"))
		s.values.schema.Nullable = w.Chance(30)
	case 5:
		s = newObject()
		s.schema.XPreserveUnknownFields = ptr.To(true)
		if w.Chance(50) {
			s.add(w.name(), w.scalar())
		}
	case 6:
		s = newObject()
		s.schema.XEmbeddedResource = true
		s.schema.XPreserveUnknownFields = ptr.To(true)
	case 7:
		item := newObject()
		item.add("name", newScalar("string"))
		item.add("value", w.scalar())
		item.schema.Required = []string{"name"}
		s = newList(item, "name")
		if w.Chance(40) {
			s = newList(item)
		}
	}
	s.schema.Nullable = w.Chance(10)
	return s
}

func (w *weaver) scalar() *shape {
	s := newScalar([]string{"string", "string", "integer", "boolean", "number"}[w.Rand.IntN(5)])
	switch s.schema.Type {
	case "string":
		switch w.Rand.IntN(12) {
		case 0:
			s.schema.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"a"`)}, {Raw: []byte(`"b"`)}, {Raw: []byte(`""`)}}
		case 1:
			s.schema.Pattern = []string{`^[a-z]([-a-z0-9]*[a-z0-9])?$`, `^\d{1,3}(m|Mi)?$`, `^(a|b)*$`}[w.Rand.IntN(3)]
		case 2:
			s.schema.Format = []string{"date-time", "duration", "uuid", "ipv4", "uri", "byte"}[w.Rand.IntN(6)]
		case 3:
			s.schema.MinLength, s.schema.MaxLength = ptr.To(int64(1)), ptr.To(int64(20))
		case 4:
			s = &shape{schema: apiextensionsv1.JSONSchemaProps{XIntOrString: true}}
		}
	case "integer":
		switch w.Rand.IntN(4) {
		case 0:
			s.schema.Minimum, s.schema.Maximum = ptr.To(0.0), ptr.To(65535.0)
		case 1:
			s.schema.Format = "int32"
		}
	}
	s.schema.Nullable = w.Chance(12)
	return s
}

// sample returns a value of a schema that is not null.
func (w *weaver) sample(s *shape) *tree.Value {
	built := s.build()
	built.Default, built.Nullable = nil, false
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&built, &internal, nil); err != nil {
		panic(err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		panic(err)
	}
	g := draw.Generator{Rand: w.Rand}
	v := g.Value(structural, 1)
	v.Normalise()
	return v
}

func AsDefault(v *tree.Value) *apiextensionsv1.JSON {
	return &apiextensionsv1.JSON{Raw: v.Append(nil)}
}
