package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Versions share tables, and each gets those that it uses: a table is the same whether
// it is shared or written twice.
func TestSharedTables(t *testing.T) {
	object := func(name string) string {
		return spec("o: {type: object, properties: {" + name + ": {type: string}, list: {type: array, items: {type: object, properties: {" + name + ": {type: string}}}}}}")
	}
	crd := versions(t, map[string]string{"v1alpha1": object("a"), "v1beta1": object("a"), "v1": object("b")})
	compile := func(text string) *conversion.Converter {
		c, err := conversion.Compile(crd, written(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const outer, inner = `outer: [{spoke: .a, hub: .b}, {spoke: .list, hub: .list, each: {table: inner}}]`, `inner: [{spoke: .a, hub: .b}]`
	const rows = `rows: [{spoke: .spec.o, hub: .spec.o, table: outer}]`
	shared := compile(`tables: {` + outer + `, ` + inner + `}, versions: [{name: v1alpha1, ` + rows + `}, {name: v1beta1, ` + rows + `}]`)
	twice := compile(`versions: [{name: v1alpha1, tables: {` + outer + `, ` + inner + `}, ` + rows + `}, {name: v1beta1, tables: {` + outer + `, ` + inner + `}, ` + rows + `}]`)
	mixed := compile(`tables: {` + inner + `}, versions: [{name: v1alpha1, tables: {` + outer + `}, ` + rows + `}, {name: v1beta1, tables: {` + outer + `}, ` + rows + `}]`)
	if shared.Fingerprint() != twice.Fingerprint() || mixed.Fingerprint() != twice.Fingerprint() {
		t.Error("a shared table is another one")
	}
	got := convert(t, shared, thing("v1alpha1", `"spec":{"o":{"a":"x","list":[{"a":"y"}]}}`), "v1")
	if want := thing("v1", `"spec":{"o":{"b":"x","list":[{"b":"y"}]}}`); !sameJSON(t, got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSharedTableProblems(t *testing.T) {
	object := "o: {type: object, properties: {a: {type: string}}}"
	crd := versions(t, map[string]string{"v1beta1": spec(object), "v1": spec(object)})
	const rows = `rows: [{spoke: .spec.o, hub: .spec.o, table: one}]`
	for _, test := range []struct{ spec, want string }{
		{`tables: {one: [], two: []}, versions: [{name: v1beta1, ` + rows + `}]`,
			"no row of any version uses the table two; remove it, or use it: {spoke: ..., hub: ..., table: two}, or each: {table: two}"},
		{`tables: {one: []}, versions: [{name: v1beta1, tables: {one: []}, ` + rows + `}]`,
			"v1beta1: both the version and spec.tables have a table one; remove one, or give it another name"},
		{`tables: {one: [{spoke: .b, hub: .a}]}, versions: [{name: v1beta1, ` + rows + `}]`,
			"v1beta1 table one row 1 (.spec.o.b <-> .spec.o.a): spoke path .spec.o.b is not in the v1beta1 schema; .spec.o has a"},
	} {
		_, err := conversion.Compile(crd, written(t, test.spec))
		if err == nil || strings.TrimPrefix(err.Error(), "crosswalk things.example.com: ") != test.want {
			t.Errorf("%s: got\n%v\nwant\n%s", test.spec, err, test.want)
		}
	}
}

// A mistake in a named table is told once, however many places it is used for. What is
// wrong at one of them only is told of that one.
func TestOneMistakeInATable(t *testing.T) {
	object := func(members string) string { return "{type: object, properties: {" + members + "}}" }
	all := func(of, last string) string {
		return spec("a: " + of + ", b: " + of + ", c: " + last + ", list: {type: array, items: " + of + "}")
	}
	text, number := "{type: string}", "{type: integer}"
	crd := versions(t, map[string]string{
		"v1beta1": all(object("from: "+text+", size: "+number), object("from: "+text)),
		"v1":      all(object("to: "+text+", size: "+text), object("to: "+text)),
	})
	_, err := conversion.Compile(crd, written(t, `versions: [{name: v1beta1, tables: {part: [{spoke: .from, hub: .tu}]}, rows: [
		{spoke: .spec.a, hub: .spec.a, table: part}, {spoke: .spec.b, hub: .spec.b, table: part}, {spoke: .spec.c, hub: .spec.c, table: part},
		{spoke: .spec.list, hub: .spec.list, each: {table: part}}]}]`))
	want := []string{
		`v1beta1 table part row 1 (.spec.a.from <-> .spec.a.tu): hub path .spec.a.tu is not in the v1 schema; did you mean .to? (and 3 more fields that use the table have the same problem)`,
		`v1beta1 row 4 (.spec.list <-> .spec.list): .spec.list.size is of type integer in v1beta1, but of type string in v1; add a mapping that converts one into the other, for example scalar: {}; or map it to another field with a row, or separate the two with a one-sided row for each version (and 2 more fields that use the table have the same problem)`,
	}
	const prefix = "crosswalk things.example.com: "
	if err == nil || err.Error() != prefix+strings.Join(want, "\n"+prefix) {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
}
