package conversion_test

import (
	"fmt"
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

// TestTableForObjectsThatAreAlike leaves a row out where neither version has what it
// names, and nowhere else.
func TestTableForObjectsThatAreAlike(t *testing.T) {
	filter := func(more string) string { return "{type: object, properties: {" + more + "}}" }
	beta := spec("network: " + filter("name: {type: string}") + ", subnet: " + filter("name: {type: string}, gateway_ip: {type: string}"))
	v1 := spec("network: " + filter("title: {type: string}") + ", subnet: " + filter("title: {type: string}, gatewayIP: {type: string}"))
	const uses = `rows: [{spoke: .spec.network, hub: .spec.network, table: filter}, {spoke: .spec.subnet, hub: .spec.subnet, table: filter}]`
	c, err := tabled(t, beta, v1, `tables: {filter: [{spoke: .name, hub: .title}, {spoke: .gateway_ip, hub: .gatewayIP}]}, `+uses)
	if err != nil {
		t.Fatal(err)
	}
	old := thing("v1beta1", `"spec":{"network":{"name":"a"},"subnet":{"gateway_ip":"c","name":"b"}}`)
	now := convert(t, c, old, "v1")
	if want := thing("v1", `"spec":{"network":{"title":"a"},"subnet":{"gatewayIP":"c","title":"b"}}`); now != want {
		t.Errorf("got  %s\nwant %s", now, want)
	}
	if back := convert(t, c, now, "v1beta1"); back != old {
		t.Errorf("back: %s", back)
	}
	for row, want := range map[string]string{
		`{spoke: .gateway_ip, hub: .gateway}`: "v1beta1 table filter row 2 (.spec.subnet.gateway_ip <-> .spec.subnet.gateway): hub path .spec.subnet.gateway is not in the v1 schema; did you mean .gatewayIP?",
		`{hub: .gatewayAP, constant: x}`:      "v1beta1 table filter row 2 (.spec.subnet.gatewayAP): hub path .spec.subnet.gatewayAP is not in the v1 schema; did you mean .gatewayIP?",
		`{spoke: .gateway}`:                   "v1beta1 table filter row 2 (.spec.network.gateway): spoke path .spec.network.gateway is not in the v1beta1 schema; .spec.network has name",
	} {
		_, err := tabled(t, beta, v1, `tables: {filter: [{spoke: .name, hub: .title}, `+row+`]}, `+uses)
		if got := fmt.Sprint(err); got != "crosswalk things.example.com: "+want {
			t.Errorf("%s: got\n%s\nwant\n%s", row, got, want)
		}
	}
}

// TestTableOfOnlyElements: a table within itself ends where the schemas do, also where
// one version has an object that is the only element of the other's list.
func TestTableOfOnlyElements(t *testing.T) {
	const anything = "x-kubernetes-preserve-unknown-fields: true"
	beta := spec("route: {type: object, properties: {to: {type: string}, rp: {type: string}, next: {type: object, " + anything + "}}}")
	v1 := spec("tree: {type: object, properties: {receiver: {type: string}, children: {type: array, items: {" + anything + "}}}}")
	c, err := tabled(t, beta, v1, `tables: {route: [{spoke: .to, hub: .receiver}, {spoke: .rp}, {spoke: .next, hub: .children, single: {table: route}}]}, rows: [{spoke: .spec.route, hub: .spec.tree, table: route}]`)
	if err != nil {
		t.Fatal(err)
	}
	old := thing("v1beta1", `"spec":{"route":{"to":"a","next":{"to":"b","rp":"x","next":{"to":"c","next":{"to":"d","rp":"y"}}}}}`)
	now := convert(t, c, old, "v1")
	if want := thing("v1", `"spec":{"tree":{"receiver":"a","children":[{"receiver":"b","children":[{"receiver":"c","children":[{"receiver":"d"}]}]}]}}`); !sameJSON(t, strip(t, now), want) {
		t.Errorf("got  %s\nwant %s", now, want)
	}
	if back := convert(t, c, now, "v1beta1"); !sameJSON(t, back, old) {
		t.Errorf("back: %s", back)
	}
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
				// If the schema allows anything, a field that no row names is copied.
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
			`v1beta1 row 1 (.spec.a <-> .spec.b): v1beta1 has no table route; there are no tables; write the rows in tables: {route: [...]} beside the rows of the version`},
		{`rows: [{spoke: .spec.a, hub: .spec.b}], tables: {route: []}`,
			`v1beta1: no row uses the table route; remove it, or use it: {spoke: ..., hub: ..., table: route}, or each: {table: route}`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .y, hub: .x}]}`,
			`v1beta1 table route row 1 (.spec.a.y <-> .spec.b.x): spoke path .spec.a.y is not in the v1beta1 schema; .spec.a has o, x`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .spec.a.x, hub: .x}]}`,
			`v1beta1 table route row 1 (.spec.a.spec.a.x <-> .spec.b.x): spoke path .spec.a.spec.a.x is not in the v1beta1 schema; in a named table, paths start at the object that the table is used for: did you mean .x?`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .spec.l, hub: .x}]}`,
			`v1beta1 table route row 1 (.spec.a.spec.l <-> .spec.b.x): spoke path .spec.a.spec.l is not in the v1beta1 schema; in a named table, paths start at the object that the table is used for; only cel can read fields outside of it: object.spec.l`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, each: {table: route}}], tables: {route: [{spoke: .x, drop: old}]}`,
			`v1beta1 row 1 (.spec.a <-> .spec.b): each is for two lists or two maps: .spec.a is of type object in v1beta1, .spec.b is of type object in v1; an object has fields, not elements: write {spoke: .spec.a, hub: .spec.b, table: route}`},
		{`rows: [{spoke: .spec.l, hub: .spec.l, each: {table: q, rows: [{spoke: ., hub: ., table: route}]}}], tables: {q: [{spoke: .o, drop: old}], route: [{spoke: .x, drop: old}]}`,
			`v1beta1 row 1, each row 1 (. <-> .): the elements of the two sides correspond without this row; the table belongs to the row of the list or map; put the rows of both tables into one, or write the rows of one without a table`},
		{`rows: [{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: ., hub: ., table: route}]}}], tables: {route: [{spoke: .x, drop: old}]}`,
			`v1beta1 row 1, each row 1 (. <-> .): the elements of the two sides correspond without this row; the table belongs to the row of the list or map; move the table: each: {table: route}, and remove the row`},
		{`rows: [{spoke: {a: .spec.a}, hub: .spec.l, where: [{place: a, rows: [{spoke: ., hub: ., table: route}]}]}, {spoke: .spec.l}], tables: {route: [{spoke: .x, drop: old}]}`,
			`v1beta1 row 1, where a row 1 (. <-> .): the elements of the two sides correspond without this row; the table belongs to the row of the list or map; move the table to the part: {place: a, table: route}, and remove the row`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route}], tables: {route: [{spoke: .o, hub: .o, table: route}]}`,
			`v1beta1 table route row 1 (.spec.a.o <-> .spec.b.o): table route contains itself without an end, because .spec.a.o allows any value; use it within a list or map, or add a schema there`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: route, values: {a: b}}], tables: {route: []}`,
			`v1beta1 row 1 (.spec.a <-> .spec.b): values and table in one row: a row can have only one mapping; keep one of them: a table is for the fields of objects, and values for single values`},
		{`rows: [{spoke: .spec.a, hub: .spec.b, table: a b}], tables: {a b: []}`, `v1beta1: "a b" is not a valid name for a table; use letters, digits and hyphens`},
		{`rows: [{spoke: .spec.a, table: route}], tables: {route: []}`,
			`v1beta1 row 1 (.spec.a): the row has a mapping but no hub field; add the hub field`},
	} {
		_, err := tabled(t, spec("a: "+object+", l: {type: array, items: "+object+"}"), spec("b: "+object+", l: {type: array, items: "+object+"}"), test.version)
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

// TestTableBelowTheSchemas ties what a table within itself names where the schemas have
// ended: a mapping that has to know the kinds of its places takes them from above, be
// what it needs them for written before or behind the row that goes further in.
func TestTableBelowTheSchemas(t *testing.T) {
	const text, number, truth, texts = "{type: string}", "{type: integer}", "{type: boolean}", "{type: array, items: {type: string}}"
	const pairs, labels = "{type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}", "{type: object, additionalProperties: {type: string}}"
	for _, test := range []struct{ name, a, b, row, old, now string }{
		{"boolean", "a: " + truth, "b: " + text, `{spoke: .a, hub: .b, boolean: {true: Strict, false: Loose}}`, `"a":false`, `"b":"Loose"`},
		{"boolean of the hub", "a: " + text, "b: " + truth, `{spoke: .a, hub: .b, boolean: {true: Strict, false: Loose}}`, `"a":"Strict"`, `"b":true`},
		{"negation", "a: " + truth, "b: " + truth, `{spoke: .a, hub: .b, boolean: {negate: true}}`, `"a":false`, `"b":true`},
		{"presence", "a: " + truth, "b: {type: object, properties: {x: " + text + "}}", `{spoke: .a, hub: .b, boolean: {presence: hub}}`, `"a":true`, `"b":{}`},
		{"scalar", "a: " + number, "b: " + text, `{spoke: .a, hub: .b, scalar: {hub: duration, unit: s}}`, `"a":90`, `"b":"1m30s"`},
		{"template", "a: " + text, "b: " + text + ", c: " + number, `{spoke: .a, hub: {b: .b, c: .c}, template: "{b}:{c}"}`, `"a":"x:5"`, `"b":"x","c":5`},
		{"join", "a: " + text, "b: " + texts, `{spoke: .a, hub: .b, join: {separator: ","}}`, `"a":"x,y"`, `"b":["x","y"]`},
		{"join of integers", "a: " + text, "b: {type: array, items: " + number + "}", `{spoke: .a, hub: .b, join: {separator: ","}}`, `"a":"8,9"`, `"b":[8,9]`},
		{"text", "a: " + text, "b: {type: object, x-kubernetes-preserve-unknown-fields: true}", `{spoke: .a, hub: .b, text: json}`, `"a":"{\"x\":1}"`, `"b":{"x":1}`},
		{"single", "a: " + text, "b: " + texts, `{spoke: .a, hub: .b, single: {}}`, `"a":"x"`, `"b":["x"]`},
		{"keyed", "a: " + pairs, "b: " + labels, `{spoke: .a, hub: .b, keyed: {key: name, value: value}}`, `"a":[{"name":"x","value":"y"}]`, `"b":{"x":"y"}`},
		{"variant", "a: " + text + ", c: " + text, "b: " + text + ", d: " + text, `{spoke: {A: .a, C: .c}, hub: {type: .b, value: .d}, variant: {}}`, `"c":"x"`, `"b":"C","d":"x"`},
		{"entries", "a: " + text + ", c: " + truth, "b: " + pairs, `{spoke: {a: .a, c: .c}, hub: .b, entries: {name: name, value: value}}`, `"a":"x","c":true`, `"b":[{"name":"a","value":"x"},{"name":"c","value":"true"}]`},
		{"where", "a: " + text + ", c: " + pairs, "b: {type: array, items: {type: object, properties: {type: " + text + ", name: " + text + ", value: " + text + "}}}",
			`{spoke: {a: .a, c: .c}, hub: .b, where: [{place: a, match: {.type: A}, rows: [{spoke: ., hub: .name}]}, {place: c, match: {.type: C}}]}`,
			`"a":"x","c":[{"name":"y"}]`, `"b":[{"name":"x","type":"A"},{"name":"y","type":"C"}]`},
	} {
		routes := func(members, inner string) string {
			one := func(below string) string {
				return "{type: object, properties: {" + members + ", " + inner + ": {type: array, items: " + below + "}}}"
			}
			return "tree: " + one(one("{x-kubernetes-preserve-unknown-fields: true}"))
		}
		nested := func(members, inner string) string {
			tree := "{" + members + "}"
			for range 4 {
				tree = `{"` + inner + `":[` + tree + `],` + members + `}`
			}
			return `"spec":{"tree":` + tree + `}`
		}
		const further = `{spoke: .inside, hub: .children, each: {table: route}}`
		for order, rows := range map[string]string{"before": test.row + ", " + further, "behind": further + ", " + test.row} {
			t.Run(test.name+" "+order, func(t *testing.T) {
				c, err := tabled(t, spec(routes(test.a, "inside")), spec(routes(test.b, "children")),
					`tables: {route: [`+rows+`]}, rows: [{spoke: .spec.tree, hub: .spec.tree, table: route}]`)
				if err != nil {
					t.Fatal(err)
				}
				old := thing("v1beta1", nested(test.old, "inside"))
				now := convert(t, c, old, "v1")
				if want := thing("v1", nested(test.now, "children")); !sameJSON(t, now, want) {
					t.Errorf("got  %s\nwant %s", now, want)
				}
				if back := convert(t, c, now, "v1beta1"); !sameJSON(t, back, old) {
					t.Errorf("back: %s", back)
				}
			})
		}
	}
}
