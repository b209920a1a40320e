package weave

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// textMapping maps a string with YAML or JSON to the data.
func (w *weaver) textMapping(sc scope) {
	data := newObject()
	class := "table/text of an object"
	switch w.Rand.IntN(4) {
	case 0:
		class = "table/text of a list"
		data = newList(w.scalar())
	case 1:
		class = "table/text of anything"
		data.schema.XPreserveUnknownFields = ptr.To(true)
	default:
		data.add("x", newScalar("string"))
		data.add("y", newScalar([]string{"integer", "number"}[w.Rand.IntN(2)])).schema.Nullable = w.Chance(20)
		inner := data.add("z", newObject())
		inner.add("l", newList(newScalar("boolean")))
		inner.add("m", newMap(newScalar("string")))
		if w.Chance(30) {
			data.props["x"].schema.Default = &apiextensionsv1.JSON{Raw: []byte(`"a"`)}
		}
		if w.Chance(30) {
			inner.schema.XPreserveUnknownFields = ptr.To(true)
		}
	}
	format := v1alpha1.FormatYAML
	if w.Chance(50) {
		format = v1alpha1.FormatJSON
	}
	spoke, hub := newScalar("string"), data
	if w.Chance(50) {
		spoke, hub = hub, spoke
	}
	spoke.schema.Nullable, hub.schema.Nullable = w.Chance(12), w.Chance(12)
	w.mapWithoutDefaults(sc, class, spoke, hub, func(row *v1alpha1.Row) { row.Text = format })
}
