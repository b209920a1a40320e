package weave

import (
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/utils/ptr"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// celForms are ways to compute one place from another and back. In the expressions
// $ is the place, has(%) asks whether it is there, ? is it as an optional value, and
// & is a text at another place of the same version.
var celForms = []struct {
	class          string
	spoke, hub     string
	toHub, toSpoke string
}{
	{"fails", "string", "integer", "int($)", "string($)"},
	{"fails", "integer", "integer", "100 / $", "100 / $"},
	{"concatenates", "string", "string", "$ + '/' + &", "$.split('/')[0]"},
	{"concatenates", "string", "string", "& + $", "& + $"},
	{"conditional", "boolean", "string", "$ ? 'yes' : &", "$ == 'yes'"},
	{"optional", "string", "string", "?.orValue('none')", "?"},
	{"optional", "integer", "integer", "?.optMap(x, x + 1)", "?.optMap(x, x - 1)"},
	{"list", "integers", "strings", "$.filter(x, x > 0).map(x, string(x))", "$.map(x, int(x))"},
	{"list", "strings", "integer", "$.size()", "[&]"},
	{"constant", "integer", "integer", "7", "$ * 2"},
	{"constant", "integer", "string", "null", "?.hasValue() ? dyn(1) : dyn(null)"},
	{"has", "string", "boolean", "has(%)", "$ ? 'x' : ''"},
	{"has", "map", "boolean", "has(%) && $.size() > 0", "$ ? {'k': &} : {}"},
	{"map", "map", "strings", "$.map(key, key + '=' + $[key])", "optional.none()"},
	{"object", "object", "object", "{'x': $.x + '!', 'y': dyn(?.?y.orValue(0) + 1)}", "{'x': ?.?x, 'y': ?.?y}"},
	{"object", "object", "string", "$.?x.orValue('') + string($.?y.orValue(0))", "{'x': dyn($), 'u': dyn(1)}"},
	{"anything", "any", "string", "string($.x)", "{'x': $}"},
	{"anything", "any", "any", "[$]", "$[0]"},
}

// celMapping maps two places by expressions, or several to one, or computes a place that one
// version has.
func (w *weaver) celMapping(sc scope) {
	switch w.Rand.IntN(5) {
	case 0:
		w.celParts(sc)
	case 1:
		w.celOneSided(sc)
	default:
		form := celForms[w.Rand.IntN(len(celForms))]
		spoke, hub := w.celShape(form.spoke), w.celShape(form.hub)
		toHub, toSpoke := form.toHub, form.toSpoke
		if w.Chance(50) {
			spoke, hub, toHub, toSpoke = hub, spoke, toSpoke, toHub
		}
		name := w.plainName()
		sc.hub.add(name, hub)
		for _, e := range sc.ends {
			if e.object == nil || e.rows == nil || w.Chance(15) {
				continue
			}
			mine := w.plainName()
			there, okHub := w.expression(toSpoke, e.there.Name(name), w.text(sc.hub, e.there))
			here, okSpoke := w.expression(toHub, e.here.Name(mine), w.text(e.object, e.here))
			if !okHub || !okSpoke {
				continue
			}
			w.Seen.Count("table/cel " + form.class)
			e.object.add(mine, spoke.clone())
			e.add(v1alpha1.Row{
				Spoke: place(e.here.Name(mine)), Hub: place(e.there.Name(name)), Crosses: true,
				CEL: &v1alpha1.CEL{ToHub: &v1alpha1.Expressions{One: here}, ToSpoke: &v1alpha1.Expressions{One: there}},
			})
		}
	}
}

// celShape makes a place of one of the kinds that forms name.
func (w *weaver) celShape(kind string) *shape {
	var s *shape
	switch kind {
	case "integers":
		s = newList(newScalar("integer"))
	case "strings":
		s = newList(newScalar("string"))
	case "map":
		s = newMap(newScalar("string"))
	case "any":
		return &shape{schema: apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: ptr.To(true)}}
	case "object":
		s = newObject()
		s.add("x", newScalar("string")).schema.Nullable = w.Chance(20)
		s.add("y", newScalar("integer"))
		if w.Chance(30) {
			s.props["y"].schema.Default = &apiextensionsv1.JSON{Raw: []byte("5")}
		}
	default:
		s = newScalar(kind)
		if w.Chance(15) {
			s.schema.Default = AsDefault(w.sample(s))
		}
	}
	s.schema.Nullable = w.Chance(12)
	return s
}

// expression fills a form in. It returns false if CEL has no name for a place.
func (w *weaver) expression(form string, at tree.Path, text string) (string, bool) {
	plain, optional := "self", "self"
	for _, s := range at {
		escaped, ok := apiservercel.Escape(s.Name)
		if !ok {
			return "", false
		}
		plain += "." + escaped
		optional += ".?" + escaped
	}
	// A question mark between spaces is the conditional operator, and one behind a dot
	// an optional selection.
	return strings.NewReplacer("&&", "&&", " ? ", " ? ", ".?", ".?", "$", plain, "%", plain, "&", text, "?", optional).Replace(form), true
}

// text returns an expression for a text at some place of an object, or a literal.
func (w *weaver) text(object *shape, at tree.Path) string {
	var known []string
	for _, name := range slices.Sorted(maps.Keys(object.props)) {
		if s := object.props[name]; s.schema.Type == "string" && s.schema.Format == "" && !s.secret {
			known = append(known, name)
		}
	}
	switch {
	case w.Chance(15):
		w.Seen.Count("table/cel outside")
		return "object.metadata.?name.orValue('-')"
	case len(known) > 0 && w.Chance(70):
		if text, ok := w.expression("?.orValue('*')", at.Name(known[w.Rand.IntN(len(known))]), ""); ok {
			w.Seen.Count("table/cel reads another place")
			return text
		}
	}
	return "'t'"
}

// plainName returns a name that CEL knows how to write.
func (w *weaver) plainName() string {
	for {
		if name := w.name(); strings.HasPrefix(name, "f") || strings.HasPrefix(name, "dash-") || strings.HasPrefix(name, "slash/") {
			return name
		}
	}
}

// celParts computes a text from two numbers and back.
func (w *weaver) celParts(sc scope) {
	low, high := w.plainName(), w.plainName()
	sc.hub.add(low, newScalar("integer"))
	sc.hub.add(high, newScalar("integer"))
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		name := w.plainName()
		first, ok := w.expression("int($.split('-')[0])", e.here.Name(name), "")
		second, _ := w.expression("int($.split('-')[1])", e.here.Name(name), "")
		l, okLow := w.expression("string($)", e.there.Name(low), "")
		h, _ := w.expression("string($)", e.there.Name(high), "")
		if !ok || !okLow {
			continue
		}
		w.Seen.Count("table/cel several places")
		e.object.add(name, newScalar("string"))
		e.add(v1alpha1.Row{
			Spoke: place(e.here.Name(name)),
			Hub:   &v1alpha1.Place{Named: map[string]string{"low": e.there.Name(low).String(), "high": e.there.Name(high).String()}},
			CEL: &v1alpha1.CEL{
				ToHub:   &v1alpha1.Expressions{Named: map[string]string{"low": first, "high": second}},
				ToSpoke: &v1alpha1.Expressions{One: l + " + '-' + " + h},
			},
			Crosses: true,
		})
	}
}

// celOneSided computes a place of one version.
func (w *weaver) celOneSided(sc scope) {
	name, hub := w.plainName(), w.Chance(50)
	if hub {
		sc.hub.add(name, newScalar("string"))
	}
	for _, e := range sc.ends {
		if e.object == nil || e.rows == nil || w.Chance(15) {
			continue
		}
		w.Seen.Count("table/cel one-sided")
		row := v1alpha1.Row{CEL: &v1alpha1.CEL{}, Crosses: true}
		if hub {
			row.Hub = place(e.there.Name(name))
			row.CEL.ToHub = &v1alpha1.Expressions{One: w.text(e.object, e.here) + " + '+' + " + w.text(e.object, e.here)}
		} else {
			mine := w.plainName()
			e.object.add(mine, newScalar("string"))
			row.Spoke = place(e.here.Name(mine))
			row.CEL.ToSpoke = &v1alpha1.Expressions{One: "string(" + w.text(sc.hub, e.there) + ".size())"}
		}
		e.add(row)
	}
}
