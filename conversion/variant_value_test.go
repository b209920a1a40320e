package conversion_test

import (
	"fmt"
	"strings"
	"testing"
)

// refTable ties two alternatives to a union in which their value has other parts, and
// each version has one of its own.
func refTable() []string {
	mine := "{type: object, nullable: true, properties: {name: {type: string}, p: {type: string}}}"
	return []string{spec("cm: " + mine + ", sec: " + mine + ", file: {type: string}"),
		spec("ref: {type: object, properties: {kind: {type: string, nullable: true}, target: {type: object, nullable: true, properties: {id: {type: string}, q: {type: string}}}}}, path: {type: string}"),
		`[{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec, File: .spec.file}, hub: {type: .spec.ref.kind, value: .spec.ref.target}, variant: {rows: [{spoke: .name, hub: .id}], elsewhere: [File]}}, {spoke: .spec.file, hub: .spec.path}]`}
}

// sizeTable ties alternatives of which each has a type of its own.
func sizeTable() []string {
	return []string{spec("fixed: {type: integer}, names: {type: array, items: {type: string}}"),
		spec("kind: {type: string}, value: {type: array, items: {type: string}}"),
		`[{spoke: {Fixed: .spec.fixed, Names: .spec.names}, hub: {type: .spec.kind, value: .spec.value}, variant: {alternatives: [{name: Fixed, rows: [{spoke: ., hub: ., single: {rows: [{spoke: ., hub: ., scalar: {}}]}}]}]}}]`}
}

// TestVariantValueViews shows what either version sees of a value whose parts differ,
// and that the way back is exact.
func TestVariantValueViews(t *testing.T) {
	ref, size, box := refTable(), sizeTable(), refTable()
	box[0] = strings.Replace(box[0], "file: {type: string}", "file: {type: object, properties: {x: {type: string}}}", 1)
	box[1] = strings.Replace(box[1], "path: {type: string}", "path: {type: object, properties: {x: {type: string}, y: {type: string}}}", 1)
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{ref, "v1beta1", `{"cm":{"name":"a","p":"1"}}`, `{"ref":{"kind":"ConfigMap","target":{"id":"a"}}}`},
		{ref, "v1beta1", `{"sec":{}}`, `{"ref":{"kind":"Secret","target":{}}}`},
		{ref, "v1beta1", `{"file":"f"}`, `{"ref":{"kind":"File"},"path":"f"}`},
		{ref, "v1beta1", `{"cm":{"name":"a"},"sec":{"name":"b","p":"2"}}`, `{}`},
		{ref, "v1beta1", `{"cm":{"name":"a"},"file":"f"}`, `{"path":"f"}`},
		{box, "v1beta1", `{"cm":{"name":"a"},"file":{"x":"f"}}`, `{"path":{"x":"f"}}`},
		{box, "v1beta1", `{"file":{}}`, `{"ref":{"kind":"File"},"path":{}}`},
		{ref, "v1beta1", `{"cm":null,"sec":{"name":"b"}}`, `{"ref":{"kind":"Secret","target":{"id":"b"}}}`},
		{ref, "v1beta1", `{"cm":null}`, `{}`},
		{ref, "v1beta1", `{"cm":5}`, `{"ref":{"kind":"ConfigMap"}}`},
		{ref, "v1", `{"ref":{"kind":"Secret","target":{"id":"b","q":"2"}}}`, `{"sec":{"name":"b"}}`},
		{ref, "v1", `{"ref":{"target":{"id":"b","q":"2"},"kind":"Secret"}}`, `{"sec":{"name":"b"}}`},
		{ref, "v1", `{"ref":{"target":{"id":"b"},"kind":"Other"}}`, `{}`},
		{ref, "v1", `{"ref":{"target":{"id":"b"},"kind":"File"}}`, `{}`},
		{ref, "v1", `{"ref":{"target":{"id":"b"}}}`, `{}`},
		{ref, "v1", `{"ref":{"target":{"id":"b"},"kind":null}}`, `{}`},
		{ref, "v1", `{"ref":{"kind":"Secret"}}`, `{}`},
		{ref, "v1", `{"ref":{"kind":"Secret","target":null}}`, `{}`},
		{ref, "v1", `{"ref":{"kind":"Secret","target":[1]}}`, `{}`},
		{ref, "v1", `{"ref":5}`, `{}`},
		{size, "v1beta1", `{"fixed":3}`, `{"kind":"Fixed","value":["3"]}`},
		{size, "v1beta1", `{"names":["a","b"]}`, `{"kind":"Names","value":["a","b"]}`},
		{size, "v1", `{"kind":"Fixed","value":["3","4"]}`, `{"fixed":3}`},
		{size, "v1", `{"kind":"Fixed","value":["x"]}`, `{}`},
		{size, "v1", `{"kind":"Fixed","value":[]}`, `{}`},
		{size, "v1", `{"kind":"Names","value":["3"]}`, `{"names":["3"]}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// TestVariantValueEdits edits one version's view: what somebody wrote wins, and what
// only the other version has stays with the alternative that it was of.
func TestVariantValueEdits(t *testing.T) {
	for _, test := range []struct {
		about, from, body string
		edit              [2]string
		want              string
	}{
		{"a part of the value", "v1", `{"ref":{"kind":"Secret","target":{"id":"b","q":"2"}}}`,
			[2]string{`"name":"b"`, `"name":"c"`}, `{"ref":{"kind":"Secret","target":{"id":"c","q":"2"}}}`},
		{"another alternative", "v1", `{"ref":{"kind":"Secret","target":{"id":"b","q":"2"}}}`,
			[2]string{`"sec":`, `"cm":`}, `{"ref":{"kind":"ConfigMap","target":{"id":"b"}}}`},
		{"a second alternative", "v1", `{"ref":{"kind":"Secret","target":{"id":"b"}}}`,
			[2]string{`"sec":{"name":"b"}`, `"sec":{"name":"b"},"cm":{}`}, `{}`},
		{"one beside a value of no known kind", "v1", `{"ref":{"kind":"Other","target":{"id":"b"}}}`,
			[2]string{`"spec":{`, `"spec":{"cm":{"name":"n"}`}, `{"ref":{"kind":"ConfigMap","target":{"id":"n"}}}`},
		{"one that cannot be shown beside such a value", "v1", `{"ref":{"kind":"Other","target":{"id":"b"}}}`,
			[2]string{`"spec":{`, `"spec":{"cm":5`}, `{"ref":{"kind":"ConfigMap"}}`},
		{"a part of the alternative", "v1beta1", `{"cm":{"name":"a","p":"1"}}`,
			[2]string{`"id":"a"`, `"id":"z"`}, `{"cm":{"name":"z","p":"1"}}`},
		{"the discriminator", "v1beta1", `{"cm":{"name":"a","p":"1"}}`,
			[2]string{`"ConfigMap"`, `"Secret"`}, `{"sec":{"name":"a"}}`},
		{"the value where there were two alternatives", "v1beta1", `{"cm":{"name":"a"},"sec":{"name":"b"}}`,
			[2]string{`"spec":{`, `"spec":{"ref":{"kind":"ConfigMap","target":{"id":"z"}}`}, `{"cm":{"name":"z"}}`},
		{"a value of no known kind where there were two alternatives", "v1beta1", `{"cm":{"name":"a"},"sec":{"name":"b"}}`,
			[2]string{`"spec":{`, `"spec":{"ref":{"kind":"Other","target":{"id":"z"}}`}, `{}`},
		{"the discriminator of one that cannot be shown", "v1beta1", `{"cm":5}`,
			[2]string{`"ConfigMap"`, `"Secret"`}, `{}`},
	} {
		tables := refTable()
		c := compiled(t, tables[0], tables[1], tables[2])
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		there := convert(t, c, thing(test.from, `"spec":`+test.body), to)
		edited := strings.Replace(there, test.edit[0], test.edit[1], 1)
		if edited == there {
			t.Fatalf("%s: nothing to edit in %s", test.about, there)
		}
		back := convert(t, c, edited, test.from)
		if got, want := strip(t, back), thing(test.from, `"spec":`+test.want); !sameJSON(t, got, want) {
			t.Errorf("%s: got\n%s, want\n%s", test.about, got, want)
		}
		if again := strip(t, convert(t, c, back, to)); !sameJSON(t, again, strip(t, edited)) {
			t.Errorf("%s: the edit\n%s comes back as\n%s", test.about, edited, again)
		}
	}
}

// TestAlternativesBesideADefault keeps several alternatives if the absence of the union
// represents another one.
func TestAlternativesBesideADefault(t *testing.T) {
	object := "{type: object, properties: {x: {type: string}}}"
	c := compiled(t, spec("u: {type: object, default: {kind: C, value: {}}, properties: {kind: {type: string}, value: {type: object, properties: {z: {type: string}}}}}"),
		spec("a: "+object+", b: "+object+", c: "+object), `[{spoke: {type: .spec.u.kind, value: .spec.u.value}, hub: {A: .spec.a, B: .spec.b, C: .spec.c}, variant: {rows: [{spoke: .z, hub: .x}]}}]`)
	for _, body := range []string{`{"a":{"x":"1"},"b":{}}`, `{"a":{"x":"1"}}`, `{"c":{}}`, `{}`} {
		source := thing("v1", `"spec":`+body)
		there := convert(t, c, source, "v1beta1")
		if back := convert(t, c, there, "v1"); !sameJSON(t, back, source) {
			t.Errorf("%s comes back as %s, through %s", source, back, there)
		}
	}
}

// matcher is the schema of matchers, levels deep, with alternatives or as unions. Below
// that, any value is valid.
func matcher(union bool, levels int) string {
	list := "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}"
	if levels > 1 {
		list = "{type: array, items: " + matcher(union, levels-1) + "}"
	}
	if union {
		return "{type: object, properties: {type: {type: string}, operands: " + list + ", label: {type: string}, q: {type: string}}}"
	}
	return "{type: object, properties: {and: " + list + ", or: " + list + ", label: {type: string}, p: {type: string}}}"
}

// TestVariantInItself ties alternatives that hold what they are alternatives of.
func TestVariantInItself(t *testing.T) {
	const row = `spoke: {And: .and, Or: .or, Label: .label}, hub: {type: .type, value: .operands}, variant: {rows: [{spoke: ., hub: ., each: {table: matcher}}], elsewhere: [Label]}`
	old := `{"p":"0","and":[{"label":"a"},{"or":[{"and":[{"label":"b","p":"1"},{"label":"c"}]},{"label":"d"}]},{"and":[]}]}`
	now := `{"type":"And","operands":[{"type":"Label","label":"a"},{"type":"Or","operands":[{"type":"And","operands":[{"type":"Label","label":"b"},{"type":"Label","label":"c"}]},{"type":"Label","label":"d"}]},{"type":"And","operands":[]}]}`
	for levels := 1; levels <= 4; levels++ {
		c, err := tabled(t, spec("m: "+matcher(false, levels)), spec("u: "+matcher(true, levels)),
			`tables: {matcher: [{`+row+`}, {spoke: .p}, {hub: .q}]}, rows: [{spoke: .spec.m, hub: .spec.u, table: matcher}]`)
		if err != nil {
			t.Errorf("%d levels: %v", levels, err)
			continue
		}
		source := thing("v1beta1", `"spec":{"m":`+old+`}`)
		there := convert(t, c, source, "v1")
		if got, want := strip(t, there), thing("v1", `"spec":{"u":`+now+`}`); !sameJSON(t, got, want) {
			t.Errorf("%d levels: got\n%s, want\n%s", levels, got, want)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
			t.Errorf("%d levels: back\n%s, want\n%s", levels, back, source)
		}
		edited := strings.Replace(there, `"label":"c"`, `"label":"z"`, 1)
		back := strip(t, convert(t, c, edited, "v1beta1"))
		// The content tells the operands apart, so that those around the edit are new ones.
		if want := strings.NewReplacer(`"label":"c"`, `"label":"z"`, `,"p":"1"`, ``).Replace(source); !sameJSON(t, back, want) {
			t.Errorf("%d levels: after an edit\n%s, want\n%s", levels, back, want)
		}
	}
}

// TestVariantValueUnmapped tells those who write a value, or alternatives, of which the
// other version shows nothing.
func TestVariantValueUnmapped(t *testing.T) {
	tables := refTable()
	c := compiled(t, tables[0], tables[1], tables[2])
	for _, test := range []struct{ from, body, want string }{
		{"v1", `{"ref":{"kind":"Secret","target":{"id":"b"}}}`, ``},
		{"v1", `{"ref":{"kind":"Other","target":{"id":"b"}}}`, `.spec.ref.target false the value can't be represented in v1beta1 (.spec.cm, .spec.file, .spec.sec); use ConfigMap or Secret as .spec.ref.kind, with values that the rows for it can map`},
		{"v1", `{"ref":{"target":{"id":"b"}}}`, `.spec.ref.target true the value can't be represented in v1beta1 (.spec.cm, .spec.file, .spec.sec); use ConfigMap or Secret as .spec.ref.kind, with values that the rows for it can map`},
		{"v1beta1", `{"cm":{},"file":"f"}`, `.spec.cm false the value can't be represented in v1 (.spec.ref.target); use only one of .spec.cm, .spec.file and .spec.sec, with values that its rows can map`},
		{"v1beta1", `{"sec":5}`, `.spec.sec false the value can't be represented in v1 (.spec.ref.target); use only one of .spec.cm, .spec.file and .spec.sec, with values that its rows can map`},
	} {
		findings, err := c.Check(t.Context(), []byte(thing(test.from, `"spec":`+test.body)), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range findings {
			got = append(got, fmt.Sprint(f.Field, " ", f.Partial, " ", f.Message))
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.body, strings.Join(got, "\n"), test.want)
		}
	}
}

// TestVariantValuePlaces finds what somebody sees elsewhere.
func TestVariantValuePlaces(t *testing.T) {
	tables := refTable()
	c := compiled(t, tables[0], tables[1], tables[2])
	for _, test := range []struct{ from, to, place, want string }{
		{"v1", "v1beta1", "spec.ref.target", "[[spec cm] [spec sec]]"},
		{"v1beta1", "v1", "spec.sec", "[[spec ref target]]"},
		{"v1", "v1beta1", "spec.ref.kind", "[[spec cm] [spec file] [spec sec]]"},
	} {
		if got := fmt.Sprint(c.Places(strings.Split(test.place, "."), test.from, test.to)); got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.place, test.from, got, test.want)
		}
	}
}

// TestVariantValueExplained says where a value comes from, and why one is kept.
func TestVariantValueExplained(t *testing.T) {
	tables := refTable()
	c := compiled(t, tables[0], tables[1], tables[2])
	for _, test := range []struct{ from, to, body, want string }{
		{"v1beta1", "v1", `{"sec":{"name":"b","p":"1"}}`, `.kind same
.spec.ref.kind "Secret" row row 1 .spec.sec
.spec.ref.target.id "b" row row 1, variant row 1 .spec.sec.name
kept .spec.sec.p "1": no such field`},
		{"v1", "v1beta1", `{"ref":{"kind":"Other","target":{"id":"b"}}}`, `.kind same
.spec same
kept .spec.ref.kind "Other": another value on the way back row 1
kept .spec.ref.target {"id":"b"}: cannot be mapped row 1 ConfigMap or Secret as .spec.ref.kind, with values that the rows for it can map`},
	} {
		if got := explained(t, c, thing(test.from, `"spec":`+test.body), test.to); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.body, got, test.want)
		}
	}
}
