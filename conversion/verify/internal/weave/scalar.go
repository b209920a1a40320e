package weave

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// scalarForms are ways to map scalars: the types of both sides, and the mapping.
var scalarForms = []struct {
	class      string
	spoke, hub string
	scalar     v1alpha1.Scalar
}{
	{"string and integer", "string", "integer", v1alpha1.Scalar{}},
	{"string and number", "number", "string", v1alpha1.Scalar{}},
	{"string and boolean", "string", "boolean", v1alpha1.Scalar{}},
	{"int-or-string", "int-or-string", "string", v1alpha1.Scalar{}},
	{"duration", "integer", "string", v1alpha1.Scalar{Hub: v1alpha1.NotationDuration, Unit: &v1alpha1.Unit{Name: "s"}}},
	{"duration", "number", "string", v1alpha1.Scalar{Hub: v1alpha1.NotationDuration, Unit: &v1alpha1.Unit{Name: "m"}}},
	{"rounding", "string", "integer", v1alpha1.Scalar{Spoke: v1alpha1.NotationDuration, Unit: &v1alpha1.Unit{Name: "h"}, Round: v1alpha1.RoundUp}},
	{"rounding", "integer", "string", v1alpha1.Scalar{Hub: v1alpha1.NotationQuantity, Unit: &v1alpha1.Unit{Name: "k"}, Round: v1alpha1.RoundDown}},
	{"quantity", "int-or-string", "integer", v1alpha1.Scalar{Spoke: v1alpha1.NotationQuantity, Unit: &v1alpha1.Unit{Name: "Mi"}}},
	{"quantity", "number", "string", v1alpha1.Scalar{Hub: v1alpha1.NotationQuantity}},
	{"percentage", "string", "integer", v1alpha1.Scalar{Spoke: v1alpha1.NotationPercentage}},
	{"percentage", "number", "string", v1alpha1.Scalar{Hub: v1alpha1.NotationPercentage, Unit: &v1alpha1.Unit{Name: "1"}}},
	{"units", "integer", "integer", v1alpha1.Scalar{Unit: &v1alpha1.Unit{Spoke: "ms", Hub: "s"}}},
	{"units", "integer", "number", v1alpha1.Scalar{Unit: &v1alpha1.Unit{Spoke: "d", Hub: "h"}, Round: v1alpha1.RoundNearest}},
}

// scalarMapping maps two notations of a value.
func (w *weaver) scalarMapping(sc scope) {
	form := scalarForms[w.Rand.IntN(len(scalarForms))]
	w.mapField(sc, "table/scalar: "+form.class, w.typedScalar(form.spoke), w.typedScalar(form.hub), func(row *v1alpha1.Row) {
		row.Scalar = form.scalar.DeepCopy()
	})
}

func (w *weaver) typedScalar(kind string) *shape {
	if kind == "int-or-string" {
		return &shape{schema: apiextensionsv1.JSONSchemaProps{XIntOrString: true}}
	}
	return newScalar(kind)
}

// mapField adds a field to the hub, and one to each spoke that rows can reach, and maps them.
func (w *weaver) mapField(sc scope, class string, spoke, hub *shape, mapping func(*v1alpha1.Row)) {
	name := w.name()
	hub.schema.Nullable = w.Chance(12)
	sc.hub.add(name, hub)
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count(class)
		other := w.name()
		mine := spoke.clone()
		mine.schema.Nullable = w.Chance(12)
		e.object.add(other, mine)
		row := v1alpha1.Row{Spoke: place(e.here.Name(other)), Hub: place(e.there.Name(name))}
		mapping(&row)
		if w.Chance(15) {
			w.Seen.Count("table/mapping with a default")
			row.Default = &v1alpha1.Default{Hub: Value(w.sample(hub))}
			if w.Chance(50) {
				row.Default = &v1alpha1.Default{Spoke: Value(w.sample(mine))}
			}
		}
		e.add(row)
	}
}
