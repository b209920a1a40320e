package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestNestedKeys edits, reorders, inserts and deletes elements that are told apart by
// a place further in, in the version that does not have the private fields.
func TestNestedKeys(t *testing.T) {
	const each = `{spoke: .spec.l, hub: .spec.l, each: {key: %s, unique: true, rows: [%s]}}`
	list := func(fields string) string {
		return spec("l: {type: array, items: {type: object, properties: {" + fields + "}}}")
	}
	const meta = "metadata: {type: object, properties: {name: {type: string}, zone: {type: string}}}"
	for _, test := range []struct {
		name, beta, v1, key, rows string
		// element is one in v1, of which %s is the name and %d what may be edited; was
		// is the same in v1beta1, where %q is what v1 lacks.
		element, was string
		address      string
	}{
		{"at the same place", meta + ", size: {type: string}, p: {type: string}", meta + ", size: {type: string}", ".metadata.name", "",
			`{"metadata":{"name":"NAME"},"size":"SIZE"}`, `{"metadata":{"name":"NAME"},"size":"SIZE","p":"P"}`, `{"metadata":{"name":"a"}}`},
		{"a field of the element in the hub", meta + ", size: {type: string}, p: {type: string}", "name: {type: string}, size: {type: string}", ".metadata.name", "{spoke: .metadata.name, hub: .name}",
			`{"name":"NAME","size":"SIZE"}`, `{"metadata":{"name":"NAME"},"size":"SIZE","p":"P"}`, `{"metadata":{"name":"a"}}`},
		{"a field of the element in the spoke", "name: {type: string}, size: {type: string}, p: {type: string}", meta + ", size: {type: string}", "name", "{spoke: .name, hub: .metadata.name}",
			`{"metadata":{"name":"NAME"},"size":"SIZE"}`, `{"name":"NAME","size":"SIZE","p":"P"}`, `{"name":"a"}`},
		{"in an object that moves whole", meta + ", size: {type: string}, p: {type: string}", "meta: {type: object, properties: {name: {type: string}, zone: {type: string}}}, size: {type: string}", ".metadata.name", "{spoke: .metadata, hub: .meta}",
			`{"meta":{"zone":"z","name":"NAME"},"size":"SIZE"}`, `{"metadata":{"zone":"z","name":"NAME"},"size":"SIZE","p":"P"}`, `{"metadata":{"name":"a"}}`},
		{"in an embedded resource", "t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}, size: {type: string}, p: {type: string}", "t: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}, size: {type: string}", ".t.metadata.name", "",
			`{"t":{"apiVersion":"v1","metadata":{"labels":{"a":"b"},"name":"NAME"}},"size":"SIZE"}`, `{"t":{"apiVersion":"v1","metadata":{"labels":{"a":"b"},"name":"NAME"}},"size":"SIZE","p":"P"}`, `{"t":{"metadata":{"name":"a"}}}`},
		{"two of them", meta + ", id: {type: integer}, size: {type: string}, p: {type: string}", meta + ", id: {type: integer}, size: {type: string}", "[.metadata.zone, id, .metadata.name]", "",
			`{"id":7,"metadata":{"name":"NAME","zone":"z"},"size":"SIZE"}`, `{"id":7,"metadata":{"name":"NAME","zone":"z"},"size":"SIZE","p":"P"}`, `{"id":7,"metadata":{"name":"a","zone":"z"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, list(test.beta), list(test.v1), "["+strings.NewReplacer("key: %s", "key: "+test.key, "%s", test.rows).Replace(each)+"]")
			as := func(form, name, size, p string) string {
				if p == "" {
					form = strings.Replace(form, `,"p":"P"`, "", 1)
				}
				return strings.NewReplacer("NAME", name, "SIZE", size, `"P"`, `"`+p+`"`).Replace(form)
			}
			there := convert(t, c, thing("v1beta1", `"spec":{"l":[`+as(test.was, "a", "1", "pa")+","+as(test.was, "b", "1", "pb")+","+as(test.was, "c", "1", "pc")+`]}`), "v1")
			at := strings.LastIndex(there, `"spec"`)
			if want := `{\"key\":` + strings.ReplaceAll(test.address, `"`, `\"`) + `}`; !strings.Contains(there[:at], want) {
				t.Errorf("%s is not in the stash of %s", want, there)
			}
			// a is deleted, c is edited and comes first, and d is new.
			edited := there[:at] + `"spec":{"l":[` + as(test.element, "c", "2", "") + "," + as(test.element, "d", "3", "") + "," + as(test.element, "b", "1", "") + `]}}`
			back := convert(t, c, edited, "v1beta1")
			if want := thing("v1beta1", `"spec":{"l":[`+as(test.was, "c", "2", "pc")+","+as(test.was, "d", "3", "")+","+as(test.was, "b", "1", "pb")+`]}`); !sameJSON(t, back, want) {
				t.Errorf("got  %s\nwant %s", back, want)
			}
			if again := convert(t, c, back, "v1"); !sameJSON(t, strip(t, again), strip(t, edited)) {
				t.Errorf("the edited view comes back as\n%s, was\n%s", again, edited)
			}
		})
	}
}

// TestNestedKeysMissing: what has no key is told apart by its content, and what is in
// doubt, too.
func TestNestedKeysMissing(t *testing.T) {
	element := func(meta, more string) string {
		return spec("l: {type: array, items: {type: object, properties: {metadata: {type: object, nullable: true, properties: {name: {type: string" + meta + "}}}, s: {type: string}" + more + "}}}")
	}
	const rows = `[{spoke: .spec.l, hub: .spec.l, each: {key: .metadata.name, unique: true}}]`
	for _, test := range []struct{ meta, elements, want string }{
		{"", `{"p":"1"}`, "content"},
		{"", `{"metadata":null,"p":"1"}`, "content"},
		{"", `{"metadata":{},"p":"1"}`, "content"},
		{"", `{"metadata":{"name":"a"},"p":"1"},{"metadata":{"name":"a"},"p":"2","s":"x"}`, "content"},
		{"", `{"metadata":{"name":"a"},"p":"1"}`, `{\"metadata\":{\"name\":\"a\"}}`},
		{", default: d", `{"metadata":{},"p":"1"}`, `{\"metadata\":{\"name\":\"d\"}}`},
		{", default: d", `{"p":"1"}`, `content`},
		{"whole", `{"p":"1"}`, `{\"metadata\":{\"name\":\"d\"}}`},
	} {
		meta := test.meta
		beta, v1 := element(meta, ", p: {type: string}"), element(meta, "")
		if meta == "whole" {
			beta = strings.Replace(element("", ", p: {type: string}"), "nullable: true", "default: {name: d}", 1)
			v1 = strings.Replace(element("", ""), "nullable: true", "default: {name: d}", 1)
		}
		c := compiled(t, beta, v1, rows)
		source := thing("v1beta1", `"spec":{"l":[`+test.elements+`]}`)
		there := convert(t, c, source, "v1")
		if !strings.Contains(there, test.want) {
			t.Errorf("%s: %s is not in the stash of %s", test.elements, test.want, there)
		}
		// Defaults are filled in.
		want := strings.Replace(source, `"metadata":{}`, `"metadata":{"name":"d"}`, 1)
		if test.meta == "whole" {
			want = strings.Replace(source, `{"p"`, `{"metadata":{"name":"d"},"p"`, 1)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) && !sameJSON(t, back, want) {
			t.Errorf("%s comes back as %s", source, back)
		}
	}
}

// TestWrongNestedKeys: each message says how to mend the key.
func TestWrongNestedKeys(t *testing.T) {
	list := func(name, fields string) string {
		return spec(name + ": {type: array, items: {type: object, properties: {" + fields + "}}}")
	}
	const meta = "metadata: {type: object, properties: {name: {type: string}}}"
	const other = "; map the key with a row without a mapping or with one-to-one values, choose another key, or none: without a key, elements are identified by their content"
	for _, test := range []struct{ beta, v1, each, want string }{
		{meta, meta, "key: .metadata.name", "neither schema guarantees that the key .metadata.name is unique; write unique: true if you know that the key is unique"},
		{meta, meta, "key: .metadata.nam, unique: true", "the key .metadata.nam is not in the spoke schema of an element (did you mean .metadata.name?)" + other},
		{meta, meta, "key: .metadata, unique: true", "the key metadata is of type object; a key is a single value" + other},
		{meta, meta, "key: ., unique: true", "the key . is the element itself; a key is a single value in it" + other},
		{meta, meta, "key: .metadata..name, unique: true", "path .metadata..name: a name is missing after a dot" + other},
		{meta, meta, "key: [.metadata.name, .metadata.name], unique: true", "the keys .metadata.name and .metadata.name are the same field, or one is in the other" + other},
		{meta, meta, "key: .metadata.name, unique: true, rows: [{spoke: .metadata.name}, {hub: .metadata.name}]", "the key .metadata.name is not the same value in both versions" + other},
		{meta, meta + ", x: {type: string}", "key: .metadata.name, unique: true, rows: [{spoke: .metadata, drop: old}, {hub: .metadata.name}]", "the key .metadata.name is not the same value in both versions" + other},
		{meta, "name: {type: string}", "key: .metadata.name, unique: true, rows: [{spoke: .metadata.name, hub: .name, default: {hub: x}}]", "the key .metadata.name has a default in its row, so one version may lack it" + other},
		{meta, meta, "key: .metadata.name, unique: true, rows: [{spoke: .metadata, hub: .metadata, sensitive: true}]", "the key .metadata.name is sensitive, but a stash identifies elements by their keys; choose another key"},
		{meta, "meta: {type: object, properties: {name: {type: string}}}", "key: .metadata.name, unique: true, rows: [{spoke: .metadata.name, hub: .meta.name, sensitive: true}]", "the key .metadata.name is sensitive, but a stash identifies elements by their keys; choose another key"},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": list("a", test.beta), "v1": list("b", test.v1)}), table(t, "[{spoke: .spec.a, hub: .spec.b, each: {"+test.each+"}}]"))
		want := "crosswalk things.example.com: v1beta1 row 1 (.spec.a <-> .spec.b): each: " + test.want
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", test.each, err, want)
		}
	}
}

// TestNestedKeysInParts: the parts of a list know nested keys, too.
func TestNestedKeysInParts(t *testing.T) {
	const meta = "metadata: {type: object, properties: {name: {type: string}}}, size: {type: string}"
	c := compiled(t, spec("claims: {type: array, items: {type: object, properties: {"+meta+", p: {type: string}}}}"),
		spec("items: {type: array, items: {type: object, properties: {kind: {type: string}, "+meta+"}}}"),
		`[{spoke: {claim: .spec.claims}, hub: .spec.items, where: [{place: claim, match: {.kind: Claim}, key: .metadata.name, unique: true}]}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"claims":[{"metadata":{"name":"a"},"size":"1","p":"pa"},{"metadata":{"name":"b"},"size":"1","p":"pb"}]}`), "v1")
	at := strings.LastIndex(there, `"spec"`)
	back := convert(t, c, there[:at]+`"spec":{"items":[{"kind":"Claim","metadata":{"name":"b"},"size":"2"},{"kind":"Other"},{"kind":"Claim","metadata":{"name":"a"},"size":"3"}]}}`, "v1beta1")
	if want := thing("v1beta1", `"spec":{"claims":[{"metadata":{"name":"b"},"size":"2","p":"pb"},{"metadata":{"name":"a"},"size":"3","p":"pa"}]}`); !sameJSON(t, strip(t, back), want) {
		t.Errorf("got  %s\nwant %s", strip(t, back), want)
	}
}

// TestNestedKeysChange: what was kept under one key is found when the table names
// another one, or none, or the key has moved, and the guard keeps it as it stood.
func TestNestedKeysChange(t *testing.T) {
	beta := spec("l: {type: array, items: {type: object, properties: {id: {type: string}, metadata: {type: object, properties: {name: {type: string}}}, size: {type: string}, p: {type: string}}}}")
	v1 := spec("l: {type: array, items: {type: object, properties: {id: {type: string}, metadata: {type: object, properties: {name: {type: string}}}, size: {type: string}}}}")
	tables := []string{
		`[{spoke: .spec.l, hub: .spec.l, each: {key: id, unique: true}}]`,
		`[{spoke: .spec.l, hub: .spec.l, each: {key: .metadata.name, unique: true}}]`,
		`[{spoke: .spec.l, hub: .spec.l, each: {key: [.metadata.name, id], unique: true}}]`,
		`[]`,
	}
	source := thing("v1beta1", `"metadata":{"name":"x"},"spec":{"l":[{"id":"1","metadata":{"name":"a"},"size":"1","p":"pa"},{"id":"2","metadata":{"name":"b"},"size":"1","p":"pb"}]}`)
	for _, before := range tables {
		old := convert(t, compiled(t, beta, v1, before), source, "v1")
		for _, now := range tables {
			c := compiled(t, beta, v1, now)
			if back := convert(t, c, old, "v1beta1"); !sameJSON(t, back, source) {
				t.Errorf("kept under %s, read under %s:\ngot  %s\nwant %s", before, now, back, source)
			}
			// A client that loses the stash edits an element, and turns them round.
			if now != before || now == "[]" {
				continue
			}
			edit := thing("v1", `"metadata":{"name":"x"},"spec":{"l":[{"id":"2","metadata":{"name":"b"},"size":"2"},{"id":"1","metadata":{"name":"a"},"size":"1"}]}`)
			want := thing("v1beta1", `"metadata":{"name":"x"},"spec":{"l":[{"id":"2","metadata":{"name":"b"},"size":"2","p":"pb"},{"id":"1","metadata":{"name":"a"},"size":"1","p":"pa"}]}`)
			if back := strip(t, convert(t, c, guard(t, c, edit, old, ""), "v1beta1")); !sameJSON(t, back, want) {
				t.Errorf("guarded under %s:\ngot  %s\nwant %s", now, back, want)
			}
		}
	}
}
