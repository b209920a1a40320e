package conversion_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// tabled compiles rows that use named tables.
func tabled(t *testing.T, beta, v1, version string) (*conversion.Converter, error) {
	t.Helper()
	cw := table(t, `[]`)
	var v v1alpha1.VersionTable
	if err := yaml.UnmarshalStrict([]byte("{name: v1beta1, "+version+"}"), &v); err != nil {
		t.Fatal(err)
	}
	cw.Spec.Versions = []v1alpha1.VersionTable{v}
	return conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), cw)
}

// nestedRoutes is the schema of routes in routes, levels deep. What is below is
// not in the schema, or anything.
func nestedRoutes(member, inner string, levels int, open bool) string {
	below := ""
	switch {
	case levels > 1:
		below = ", " + inner + ": {type: array, items: " + nestedRoutes(member, inner, levels-1, open) + "}"
	case open:
		below = ", " + inner + ": {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}"
	}
	return "{type: object, properties: {" + member + ": {type: string}, " + inner[:1] + "p: {type: string}" + below + "}}"
}

func TestTables(t *testing.T) {
	const rows = `tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .routes, hub: .children, each: {table: route}}]}, `
	roots := map[string]string{
		"an object":       `rows: [{spoke: .spec.route, hub: .spec.tree, table: route}]`,
		"a list":          `rows: [{spoke: .spec.list, hub: .spec.forest, each: {table: route}}]`,
		"one of a list":   `rows: [{spoke: .spec.route, hub: .spec.forest, single: {table: route}}]`,
		"several places ": `rows: [{spoke: .spec.route, hub: .spec.tree, table: route}, {spoke: .spec.list, hub: .spec.forest, each: {table: route}}]`,
	}
	old := `{"to":"a","rp":"kept","routes":[{"to":"b","routes":[{"to":"c"},{"rp":"1"}]},{"routes":[]}]}`
	now := `{"receiver":"a","children":[{"receiver":"b","children":[{"receiver":"c"},{}]},{"children":[]}]}`
	for name, root := range roots {
		for _, open := range []bool{false, true} {
			levels := 3
			if open {
				levels = 1
			}
			a, b := nestedRoutes("to", "routes", levels, open), nestedRoutes("receiver", "children", levels, open)
			c, err := tabled(t, spec("route: "+a+", list: {type: array, items: "+a+"}"), spec("tree: "+b+", forest: {type: array, items: "+b+"}"), rows+root)
			if err != nil {
				t.Errorf("%s, open %v: %v", name, open, err)
				continue
			}
			source, want := thing("v1beta1", `"spec":{"route":`+old+`,"list":[`+old+`]}`), ""
			switch name {
			case "an object":
				want = `"tree":` + now
			case "a list", "one of a list":
				want = `"forest":[` + now + `]`
			default:
				want = `"tree":` + now + `,"forest":[` + now + `]`
			}
			there := convert(t, c, source, "v1")
			got := strip(t, there)
			if open {
				// Where anything may stand, what no row names is copied.
				got = strings.ReplaceAll(got, `{"rp":"1"}`, `{}`)
			}
			if !sameJSON(t, got, thing("v1", `"spec":{`+want+`}`)) {
				t.Errorf("%s, open %v: %s", name, open, got)
			}
			if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
				t.Errorf("%s, open %v: back it is %s", name, open, back)
			}
		}
	}
}

func TestTableProblems(t *testing.T) {
	text, any := "{type: string}", "{x-kubernetes-preserve-unknown-fields: true}"
	object := "{type: object, properties: {x: " + text + ", o: " + any + "}}"
	for _, test := range []struct{ version, want string }{
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: rout}], tables: {route: [{spoke: .x, drop: old}]}`,
			`v1beta1 row 1 (.spec.a <-> .spec.b): v1beta1 has no table rout; did you mean route?`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}]`,
			`v1beta1 row 1 (.spec.a <-> .spec.b): v1beta1 has no table route; there are no tables; name the rows in tables: {route: [...]} beside the version's rows`},
		{`rows: [{spoke: .spec.a, hub: .spec.b}], tables: {route: []}`,
			`v1beta1: no row uses the table route; remove it, or use it: {spoke: ..., hub: ..., table: route}, or each: {table: route}`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .y, hub: .x}]}`,
			`v1beta1 table route row 1 (.spec.a.y <-> .spec.b.x): spoke path .spec.a.y is not in the v1beta1 schema; did you mean .spec.a.o?`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .o, hub: .o, table: route}]}`,
			`v1beta1 table route row 1 (.spec.a.o <-> .spec.b.o): table route is within itself without an end: .spec.a.o may hold anything; use it within a list or map, or give the versions a schema there`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route, values: {a: b}}], tables: {route: []}`,
			`v1beta1 row 1 (.spec.a <-> .spec.b): values and table in one row: a row has one mapping; use one row for each`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: a b}], tables: {a b: []}`, `v1beta1: a table cannot be named "a b"; use letters, digits and hyphens`},
		{`rows: [{spoke: .spec.a, table: route}], tables: {route: []}`,
			`v1beta1 row 1 (.spec.a): the row has a mapping but no hub place; add the hub place`},
	} {
		_, err := tabled(t, spec("a: "+object), spec("b: "+object), test.version)
		if err == nil {
			t.Errorf("%s compiles", test.version)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if got := strings.TrimPrefix(first, "crosswalk things.example.com: "); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.version, got, test.want)
		}
	}
}
