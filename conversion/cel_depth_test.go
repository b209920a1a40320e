package conversion_test

import (
	"strings"
	"testing"
)

// TestCELBelowTheSchema computes the operator of a matcher from two places, in
// routes within routes: as deep as the objects go, beyond the end of both schemas.
func TestCELBelowTheSchema(t *testing.T) {
	route := func(more string) string {
		return "tree: {type: object, properties: {matchers: {type: array, items: {type: object, properties: {name: {type: string}, op: {type: string}" + more +
			"}}}, routes: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}}}"
	}
	c, err := tabled(t, spec(route(", regex: {type: boolean}")), spec(route("")), `
		tables: {
			matcher: [{spoke: {op: .op, regex: .regex}, hub: .op, cel: {
				toHub: "self.?op.orValue(self.?regex.orValue(false) ? '=~' : '=')",
				toSpoke: {op: self.op, regex: optional.none()}}}],
			route: [{spoke: .matchers, hub: .matchers, each: {table: matcher}}, {spoke: .routes, hub: .routes, each: {table: route}}]},
		rows: [{spoke: .spec.tree, hub: .spec.tree, table: route}]`)
	if err != nil {
		t.Fatal(err)
	}
	old := `{"matchers":[{"name":"a","regex":true},{"name":"b"},{"name":"c","op":"!=","regex":false}]}`
	now := `{"matchers":[{"name":"a","op":"=~"},{"name":"b","op":"="},{"name":"c","op":"!="}]}`
	nest := func(route string) string {
		tree := route
		for range 3 {
			tree = strings.TrimSuffix(route, "}") + `,"routes":[` + tree + `]}`
		}
		return thing("", `"spec":{"tree":`+tree+`}`)
	}
	as := func(version, object string) string {
		return strings.Replace(object, "example.com/", "example.com/"+version, 1)
	}
	source := as("v1beta1", nest(old))
	there := convert(t, c, source, "v1")
	if want := as("v1", nest(now)); !sameJSON(t, strip(t, there), want) {
		t.Errorf("%s\nbecomes\n%s, want\n%s", source, strip(t, there), want)
	}
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("%s\ncomes back as\n%s", source, back)
	}
	// Changing the operator changes the meaning of regex, and nothing else.
	edited := strings.Replace(there, `"=~"`, `"!~"`, 1)
	want := strings.Replace(source, `{"name":"a","regex":true}`, `{"name":"a","op":"!~"}`, 1)
	if back := convert(t, c, edited, "v1beta1"); !sameJSON(t, back, want) {
		t.Errorf("edited, it comes back as\n%s, want\n%s", back, want)
	}
}

// TestCELReference ties a reference by group alone to one with version and
// namespace: what is implied is computed, from the whole object, and what says
// something else is kept.
func TestCELReference(t *testing.T) {
	c, err := tabled(t,
		spec("ref: {type: object, properties: {apiVersion: {type: string}, name: {type: string}, namespace: {type: string}}}"),
		spec("ref: {type: object, required: [apiGroup], properties: {apiGroup: {type: string}, name: {type: string}}}"), `
		tables: {reference: [{spoke: {version: .apiVersion, namespace: .namespace}, hub: .apiGroup, cel: {
			toHub: "self.apiVersion.split('/')[0]",
			toSpoke: {version: self.apiGroup + '/v2', namespace: object.metadata.namespace}}}]},
		rows: [{spoke: .spec.ref, hub: .spec.ref, table: reference}]`)
	if err != nil {
		t.Fatal(err)
	}
	body := func(namespace, ref string) string {
		return `"metadata":{"name":"x","namespace":"` + namespace + `"},"spec":{"ref":` + ref + `}`
	}
	for _, test := range []struct{ from, ref, want string }{
		{"v1beta1", `{"apiVersion":"a.io/v2","name":"n","namespace":"here"}`, `{"apiGroup":"a.io","name":"n"}`},
		{"v1beta1", `{"apiVersion":"a.io/v1","name":"n","namespace":"there"}`, `{"apiGroup":"a.io","name":"n"}`},
		{"v1beta1", `{"apiVersion":"a.io/v1"}`, `{"apiGroup":"a.io"}`},
		{"v1", `{"apiGroup":"a.io","name":"n"}`, `{"apiVersion":"a.io/v2","name":"n","namespace":"here"}`},
	} {
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		source := thing(test.from, body("here", test.ref))
		there := convert(t, c, source, to)
		if want := thing(to, body("here", test.want)); !sameJSON(t, strip(t, there), want) {
			t.Errorf("%s\nbecomes\n%s, want\n%s", source, strip(t, there), want)
		}
		if back := convert(t, c, there, test.from); !sameJSON(t, back, source) {
			t.Errorf("%s\ncomes back as\n%s", source, back)
		}
	}
}
