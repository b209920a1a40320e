package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Who writes a field of a row as something else, or calls it something else, is shown
// how it is written.
func TestForms(t *testing.T) {
	for _, test := range []struct{ row, want string }{
		{`"default":3`, `.default must be a map, not a number; write default: {spoke: 3}, the value that absence in the spoke means`},
		{`"drop":true`, `.drop must be a string, not a boolean; write drop: no controller has read it since v1alpha1 (the reason)`},
		{`"text":{"format":"yaml"}`, `.text must be a string, not a map; write text: yaml`},
		{`"keyed":"name"`, `.keyed must be a map, not a string; write keyed: {key: name, value: value}`},
		{`"keyed":{"key":["a","b"]}`, `.keyed.key must be a string, not a list; write key: name, or key: "{namespace}/{name}" if several fields make the name in the map`},
		{`"each":[{"spoke":".a"}]`, `.each must be a map, not a list; write each: {key: name, rows: [...]}`},
		{`"hub":[".b"]`, `.hub must be a path or a map from names to paths, not a list; write hub: .spec.a, or hub: {a: .spec.a, b: .spec.b}`},
		{`"values":["a"]`, `.values must be a map, not a list; write values: {Allow: Parallel, Deny: Single}, the value of the spoke first`},
		{`"wrap":5`, `.wrap must be a string, not a number; write wrap: name, the field that holds the value`},
		{`"each":{"unique":"y"}`, `.each.unique must be a boolean, not a string`},
		{`"variant":{"alternatives":{"A":{"rows":[]}}}`, `.variant.alternatives must be a list, not a map; write alternatives: [{name: A, rows: [...]}]`},
		{`"variant":{"alternatives":[{"rows":[]}]}`, `.variant.alternatives[0].name is missing or empty; write name: A, the name of its field in the row`},
		{`"join":{}`, `.join.separator is missing or empty; write separator: ","`},
		{`"enum":{"a":"A"}`, `.enum: unknown field; write values: {Allow: Parallel, Deny: Single}, the value of the spoke first`},
		{`"forEach":{}`, `.forEach: unknown field; write each: {key: name, rows: [...]}`},
		{`"rename":true`, `.rename: unknown field; a row that copies a value has only its two fields: spoke: .spec.a, or spoke: {a: .spec.a, b: .spec.b}; hub: .spec.a, or hub: {a: .spec.a, b: .spec.b}`},
		{`"variant":{"elsewhere":"A"}`, `.variant.elsewhere must be a list, not a string; write elsewhere: [A, B]`},
		{`"where":[{"place":"a","match":"self.type == 'A'"}]`, `.where[0].match must be a map, not a string; write match: {.type: A}, fields of an element and their values`},
		{`"where":[{"place":"a","has":".tls"}]`, `.where[0].has must be a list, not a string; write has: [.a]`},
		{`"join":{"separator":0}`, `.join.separator must be a string, not a number; write separator: ","`},
		{`"variant":{"A":{"rows":[]}}`, `.variant.A: unknown field; the rows of one alternative are written as alternatives: [{name: A, rows: [...]}]`},
		{`"each":{"template":"{a}"}`, `.each.template: unknown field; put the mapping of the elements, or of the value, in rows: rows: [{spoke: ., hub: ., template: ...}]`},
		{`"keyed":{"key":"a","values":{"a":"b"}}`, `.keyed.values: unknown field; put the mapping of the elements, or of the value, in rows: rows: [{spoke: ., hub: ., values: ...}]`},
		{`"boolean":{"presence":true}`, `.boolean.presence must be a string, not a boolean; write presence: hub, or presence: spoke, the version in which presence means true`},
		{`"from":".a"`, `.from: unknown field; the fields of a row are spoke, for the version that has the row, and hub`},
		{`"v1beta1":".a"`, `.v1beta1: unknown field; the fields of a row are spoke, for the version that has the row, and hub`},
		{`"yaml":true`, `.yaml: unknown field; write text: yaml`},
		{`"rows":[]`, `.rows: unknown field; it belongs in each, keyed, single, variant or where`},
		{`"hub":null`, `.hub must not be null: remove the field`},
		{`"each":null`, `.each must not be null: indent its content further, or write each: {}`},
		{`"wrap":null`, `.wrap must be a string, not null; write wrap: name, the field that holds the value`},
		{`"keyed":{"key":"name"},"rows":[]`, `.rows: unknown field; it belongs in keyed`},
		{`"text":"yaml","rows":[]`, `.rows: unknown field; text has no rows: it needs the same names in the string and in the field; if the names differ, name a field with the schema of the text, or convert it in Go, with func`},
		{`"text":{"format":"yaml","rows":[]}`, `.text must be a string, not a map; write text: yaml; text has no rows: it needs the same names in the string and in the field; if the names differ, name a field with the schema of the text, or convert it in Go, with func`},
		{`"toHub":"1"`, `.toHub: unknown field; it belongs in cel`},
		{`"valuess":{}`, `.valuess: unknown field; did you mean values?`},
	} {
		const object = `{"apiVersion":"crosswalk.dev/v1alpha1","kind":"Crosswalk","metadata":{"name":"a.b"},"spec":{"hub":"v1","versions":[{"name":"v0","rows":[{"spoke":".a",ROW}]}]}}`
		_, err := Object([]byte(strings.Replace(object, "ROW", test.row, 1)))
		if want := "crosswalk a.b: .spec.versions[0].rows[0]" + test.want; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", test.row, err, want)
		}
	}
	fields := fieldTypes(reflect.TypeFor[v1alpha1.Row]())
	for name := range forms {
		if fields[name] == nil {
			t.Errorf("a row has no %s", name)
		}
	}
	for name, field := range synonyms {
		if got := strayed(name, &manifest.Node{}); fields[name] != nil || field != "" && got != "write "+forms[field] || strings.HasSuffix(got, " ") {
			t.Errorf("%s, for %s: %q", name, field, got)
		}
	}
}
