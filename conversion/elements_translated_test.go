package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// inList is an object with these elements.
func inList(version, elements string) string { return thing(version, `"spec":{"l":[`+elements+`]}`) }

// lists compiles a table for a list that has these fields in its elements, and a field
// that only v1beta1 has, and one that only v1 has.
func lists(t *testing.T, beta, v1, each string) *conversion.Converter {
	t.Helper()
	return compiled(t, listOf(beta+", mine: {type: string}"), listOf(v1+", theirs: {type: string}"), "[{spoke: .spec.l, hub: .spec.l, each: {"+each+"}}]")
}

func listOf(fields string) string {
	return spec("l: {type: array, items: {type: object, properties: {x: {type: integer}, " + fields + "}}}")
}

// TestTranslatedKeys edits, reorders, inserts and deletes elements of whose key a row
// makes another value, in the version that lacks the private field: either of the two.
func TestTranslatedKeys(t *testing.T) {
	const text = "type: {type: string}"
	for _, test := range []struct {
		name, beta, v1, each string
		// keys are fields of the elements a, b and c in v1beta1, and of the new element d,
		// and there the same in v1.
		keys, there [4]string
		address     string
	}{
		{"values", text, text, "key: type, unique: true, rows: [{spoke: .type, hub: .type, values: {Ready: Available, Failed: Degraded}}]",
			[4]string{`"type":"Ready"`, `"type":"Failed"`, `"type":"Paused"`, `"type":"New"`}, [4]string{`"type":"Available"`, `"type":"Degraded"`, `"type":"Paused"`, `"type":"New"`},
			`{"key":{"type":"Ready"},"there":{"type":"Available"}}`},
		{"values that pass through", text, text, "key: type, unique: true, rows: [{spoke: .type, hub: .type, values: {Ready: Available}}]",
			[4]string{`"type":"Paused"`, `"type":"Failed"`, `"type":"Ready"`, `"type":"New"`}, [4]string{`"type":"Paused"`, `"type":"Failed"`, `"type":"Available"`, `"type":"New"`},
			`{"key":{"type":"Paused"}}`},
		{"values swapped and closed", text, text, "key: type, unique: true, rows: [{spoke: .type, hub: .type, closed: true, values: {A: B, B: C, C: A, D: D}}]",
			[4]string{`"type":"A"`, `"type":"B"`, `"type":"C"`, `"type":"D"`}, [4]string{`"type":"B"`, `"type":"C"`, `"type":"A"`, `"type":"D"`},
			`{"key":{"type":"A"},"there":{"type":"B"}}`},
		{"at another place", "meta: {type: object, properties: {id: {type: string}}}", text, "key: .meta.id, unique: true, rows: [{spoke: .meta.id, hub: .type, values: {r: Available}}]",
			[4]string{`"meta":{"id":"r"}`, `"meta":{"id":"s"}`, `"meta":{"id":"t"}`, `"meta":{"id":"u"}`}, [4]string{`"type":"Available"`, `"type":"s"`, `"type":"t"`, `"type":"u"`},
			`{"key":{"meta":{"id":"r"}},"there":{"meta":{"id":"Available"}}}`},
		{"one of two", "type: {type: string}, id: {type: integer}", "type: {type: string}, number: {type: integer}", "key: [type, id], unique: true, rows: [{spoke: .id, hub: .number}, {spoke: .type, hub: .type, values: {Ready: Available}}]",
			[4]string{`"id":1,"type":"Ready"`, `"id":2,"type":"Ready"`, `"id":1,"type":"Paused"`, `"id":3,"type":"Ready"`}, [4]string{`"number":1,"type":"Available"`, `"number":2,"type":"Available"`, `"number":1,"type":"Paused"`, `"number":3,"type":"Available"`},
			`{"key":{"id":1,"type":"Ready"},"there":{"id":1,"type":"Available"}}`},
		{"scalar", "id: {type: string}", "number: {type: integer}", "key: id, unique: true, rows: [{spoke: .id, hub: .number, scalar: {}}]",
			[4]string{`"id":"1"`, `"id":"2"`, `"id":"3"`, `"id":"4"`}, [4]string{`"number":1`, `"number":2`, `"number":3`, `"number":4`},
			`{"key":{"id":"1"},"there":{"id":1}}`},
		{"a prefix", "id: {type: string}", "name: {type: string}", `key: id, unique: true, rows: [{spoke: .id, hub: {name: .name}, template: "pod-{name}"}]`,
			[4]string{`"id":"pod-a"`, `"id":"pod-b"`, `"id":"pod-c"`, `"id":"pod-d"`}, [4]string{`"name":"a"`, `"name":"b"`, `"name":"c"`, `"name":"d"`},
			`{"key":{"id":"pod-a"},"there":{"id":"a"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := lists(t, test.beta, test.v1, test.each)
			for _, way := range []struct {
				from, to, private string
				keys, there       [4]string
			}{{"v1beta1", "v1", "mine", test.keys, test.there}, {"v1", "v1beta1", "theirs", test.there, test.keys}} {
				has := func(value string) string { return `,"` + way.private + `":"` + value + `"` }
				source := inList(way.from, `{`+way.keys[0]+has("a")+`},{`+way.keys[1]+has("b")+`},{`+way.keys[2]+has("c")+`}`)
				there := convert(t, c, source, way.to)
				if way.from == "v1beta1" && !strings.Contains(there, strings.ReplaceAll(test.address, `"`, `\"`)) {
					t.Errorf("%s is not in the stash of %s", test.address, there)
				}
				if back := convert(t, c, there, way.from); !sameJSON(t, back, source) {
					t.Errorf("%s comes back as\n%s", source, back)
				}
				// b is deleted, a is edited and moves behind c, and d is new.
				edited := withList(t, there, `{`+way.there[2]+`},{`+way.there[3]+`},{`+way.there[0]+`,"x":5}`)
				want := inList(way.from, `{`+way.keys[2]+has("c")+`},{`+way.keys[3]+`},{`+way.keys[0]+`,"x":5`+has("a")+`}`)
				back := convert(t, c, edited, way.from)
				if !sameJSON(t, back, want) {
					t.Errorf("%s\ngives %s\nwant  %s", edited, back, want)
				}
				// Nor does it harm that a client has lost the stash.
				old := guard(t, c, there, "", "")
				if back := convert(t, c, guard(t, c, strip(t, edited), old, ""), way.from); !sameJSON(t, back, want) {
					t.Errorf("guarded it gives %s\nwant  %s", back, want)
				}
				if again := convert(t, c, back, way.to); !sameJSON(t, strip(t, again), strip(t, edited)) {
					t.Errorf("the edited view comes back as\n%s, was\n%s", again, edited)
				}
			}
		})
	}
}

// withList is an object with these elements instead of its own.
func withList(t *testing.T, object, elements string) string {
	t.Helper()
	at := strings.LastIndex(object, `"spec":`)
	if at < 0 {
		t.Fatalf("%s has no list", object)
	}
	return object[:at] + `"spec":{"l":[` + elements + `]}}`
}

// TestKeysThatMeet: where a row makes one value of two keys, in one object, neither
// tells its element apart; where it makes it of one, that does.
func TestKeysThatMeet(t *testing.T) {
	c := lists(t, "type: {type: string}", "type: {type: string}", "key: type, unique: true, rows: [{spoke: .type, hub: .type, values: {Ready: Available}}]")
	for _, test := range []struct{ source, view, edited, want string }{
		// Nobody edits them, but for their order and what else is in the list.
		{`{"type":"Ready","mine":"a"},{"type":"Available","mine":"b"}`, `{"type":"Available"},{"type":"Available"}`, "", ""},
		{`{"type":"Ready","x":1,"mine":"a"},{"type":"Available","x":2,"mine":"b"}`, `{"type":"Available","x":1},{"type":"Available","x":2}`,
			`{"type":"New"},{"type":"Available","x":2},{"type":"Available","x":1}`, `{"type":"New"},{"type":"Available","x":2,"mine":"b"},{"type":"Ready","x":1,"mine":"a"}`},
		// Who edits one of them makes it another one, and leaves the other what it was.
		{`{"type":"Ready","x":1,"mine":"a"},{"type":"Available","x":2,"mine":"b"}`, `{"type":"Available","x":1},{"type":"Available","x":2}`,
			`{"type":"Available","x":3},{"type":"Available","x":2}`, `{"type":"Ready","x":3},{"type":"Available","x":2,"mine":"b"}`},
		// One that is the same there, and another one on the way back.
		{`{"type":"Available","mine":"a"},{"type":"New","mine":"b"}`, `{"type":"Available"},{"type":"New"}`,
			`{"type":"New","x":7},{"type":"Available","x":8}`, `{"type":"New","x":7,"mine":"b"},{"type":"Available","x":8,"mine":"a"}`},
		// An edit that makes two keys one: the element is still known by its value there.
		{`{"type":"Ready","mine":"a"}`, `{"type":"Available"}`, `{"type":"Ready"},{"type":"Available","x":1}`, `{"type":"Ready"},{"type":"Ready","x":1,"mine":"a"}`},
		{`{"type":"Ready","mine":"a"}`, `{"type":"Available"}`, `{"type":"Available","x":1},{"type":"Ready"}`, `{"type":"Ready","x":1,"mine":"a"},{"type":"Ready"}`},
		// One that has no key there.
		{`{"mine":"a"},{"mine":"b"},{"type":"Ready","mine":"c"}`, "", "", ""},
	} {
		source := inList("v1beta1", test.source)
		there := convert(t, c, source, "v1")
		if test.view != "" && !sameJSON(t, strip(t, there), inList("v1", test.view)) {
			t.Errorf("%s is shown as %s", source, there)
		}
		if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
			t.Errorf("%s comes back as %s", source, back)
		}
		if test.edited == "" {
			continue
		}
		if back := convert(t, c, withList(t, there, test.edited), "v1beta1"); !sameJSON(t, strip(t, back), inList("v1beta1", test.want)) {
			t.Errorf("%s\nedited to %s\ngives %s\nwant  %s", source, test.edited, back, test.want)
		}
	}
}

// TestTranslatedKeysUnmapped: a key that a row cannot map tells nothing apart.
func TestTranslatedKeysUnmapped(t *testing.T) {
	c := lists(t, "type: {type: string}", "type: {type: string}", "key: type, unique: true, rows: [{spoke: .type, hub: .type, closed: true, values: {Ready: Available}}]")
	source := inList("v1beta1", `{"type":"Odd","x":1,"mine":"a"},{"type":"Ready","x":2,"mine":"b"},{"type":"Strange","x":3,"mine":"c"}`)
	there := convert(t, c, source, "v1")
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("%s comes back as %s", source, back)
	}
	edited := withList(t, there, `{"x":3},{"type":"Available","x":9},{"x":1}`)
	if back, want := convert(t, c, edited, "v1beta1"), inList("v1beta1", `{"type":"Strange","x":3,"mine":"c"},{"type":"Ready","x":9,"mine":"b"},{"type":"Odd","x":1,"mine":"a"}`); !sameJSON(t, back, want) {
		t.Errorf("got  %s\nwant %s", back, want)
	}
}

// TestTranslatedKeysChange: what was kept for an element is its own under another table,
// whatever rows make of its key by then.
func TestTranslatedKeysChange(t *testing.T) {
	const text = "type: {type: string}"
	tables := []string{
		"rows: [{spoke: .type, hub: .type, values: {A: B, B: C, C: A}}]",
		"rows: [{spoke: .type, hub: .type, values: {A: C, C: B, B: A}}]",
		"rows: [{spoke: .type, hub: .type, values: {A: X}}]",
		`rows: [{spoke: .type, hub: {type: .type}, template: "p-{type}"}]`,
		"rows: [{spoke: .type, hub: .type, closed: true, values: {A: C, B: A}}]",
		"rows: []",
	}
	of := func(rows string) *conversion.Converter { return lists(t, text, text, "key: type, unique: true, "+rows) }
	elements := []string{`{"type":"A","x":1}`, `{"type":"B","x":2}`, `{"type":"C","x":3}`}
	// seen is what v1beta1 shows of elements, with what only it has of them.
	seen := func(rows string, elements []string) string {
		view := convert(t, of(rows), inList("v1", strings.Join(elements, ",")), "v1beta1")
		for i, x := range []string{`"x":1`, `"x":2`, `"x":3`} {
			view = strings.Replace(view, x, x+`,"mine":"`+string(rune('a'+i))+`"`, 1)
		}
		return view
	}
	for _, before := range tables {
		for _, now := range tables {
			old := convert(t, of(before), seen(before, elements), "v1")
			// An element that is gone leaves nothing to one that now has its name.
			for _, some := range [][]string{elements, elements[1:], elements[:2], elements[2:]} {
				back := convert(t, of(now), withList(t, old, strings.Join(some, ",")), "v1beta1")
				if want := seen(now, some); !sameJSON(t, strip(t, back), strip(t, want)) {
					t.Errorf("kept under %s, read under %s:\ngot  %s\nwant %s", before, now, back, want)
				}
			}
		}
	}
}

// TestTranslatedKeysByTheSchema: the keys that a list's type promises may be translated,
// too, and a third version has its own names for them.
func TestTranslatedKeysByTheSchema(t *testing.T) {
	conditions := func(key, more string) string {
		return "status: {type: object, properties: {conditions: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + key + "], items: {type: object, required: [" + key + "], properties: {" + key + ": {type: string}, status: {type: string}" + more + "}}}}}"
	}
	crosswalk := table(t, "[{spoke: .status.conditions, hub: .status.conditions, each: {rows: [{spoke: .type, hub: .type, values: {Ready: Available}}]}}]")
	alpha := table(t, "[{spoke: .status.conditions, hub: .status.conditions, each: {rows: [{spoke: .name, hub: .type, values: {up: Available}}]}}]").Spec.Versions[0]
	alpha.Name = "v1alpha1"
	crosswalk.Spec.Versions = append(crosswalk.Spec.Versions, alpha)
	c, err := conversion.Compile(versions(t, map[string]string{"v1alpha1": conditions("name", ""), "v1beta1": conditions("type", ", severity: {type: string}"), "v1": conditions("type", "")}), crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	source := thing("v1beta1", `"status":{"conditions":[{"type":"Synced","status":"True","severity":"Low"},{"type":"Ready","status":"False","severity":"High"}]}`)
	there := convert(t, c, source, "v1alpha1")
	if direct := convert(t, c, convert(t, c, source, "v1"), "v1alpha1"); direct != there {
		t.Errorf("by way of the hub it is %s, else %s", direct, there)
	}
	at := strings.LastIndex(there, `"status":{`)
	edited := there[:at] + `"status":{"conditions":[{"name":"up","status":"True"},{"name":"New","status":"True"},{"name":"Synced","status":"True"}]}}`
	want := thing("v1beta1", `"status":{"conditions":[{"type":"Ready","status":"True","severity":"High"},{"type":"New","status":"True"},{"type":"Synced","status":"True","severity":"Low"}]}`)
	if back := convert(t, c, edited, "v1beta1"); !sameJSON(t, back, want) {
		t.Errorf("got  %s\nwant %s", back, want)
	}
}

// TestTranslatedKeysInParts: the parts of a list know such keys, too.
func TestTranslatedKeysInParts(t *testing.T) {
	c := compiled(t, spec("claims: {type: array, items: {type: object, properties: {type: {type: string}, x: {type: integer}, mine: {type: string}}}}"),
		spec("items: {type: array, items: {type: object, properties: {kind: {type: string}, type: {type: string}, x: {type: integer}}}}"),
		`[{spoke: {claim: .spec.claims}, hub: .spec.items, where: [{place: claim, match: {.kind: Claim}, key: type, unique: true, rows: [{spoke: .type, hub: .type, values: {a: A}}]}]}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"claims":[{"type":"a","x":1,"mine":"pa"},{"type":"b","x":1,"mine":"pb"}]}`), "v1")
	at := strings.LastIndex(there, `"spec"`)
	back := convert(t, c, there[:at]+`"spec":{"items":[{"kind":"Claim","type":"b","x":2},{"kind":"Other"},{"kind":"Claim","type":"A","x":3}]}}`, "v1beta1")
	if want := thing("v1beta1", `"spec":{"claims":[{"type":"b","x":2,"mine":"pb"},{"type":"a","x":3,"mine":"pa"}]}`); !sameJSON(t, strip(t, back), want) {
		t.Errorf("got  %s\nwant %s", strip(t, back), want)
	}
}

// TestWrongTranslatedKeys: each message says why the key tells nothing apart.
func TestWrongTranslatedKeys(t *testing.T) {
	const remedy = "; map the key with a row without a mapping or with one-to-one values, choose another key, or none: without a key, elements are identified by their content"
	for _, test := range []struct{ beta, v1, row, want string }{
		{"type: {type: string}", "type: {type: string}", "{spoke: .type, hub: .type, values: {A: X, B: X}, inverse: {X: A}}", `the key type is mapped by values, which are not one-to-one: "A" and "B" of the spoke both become "X"`},
		{"type: {type: string}", "type: {type: string}", "{spoke: .type, hub: .type, values: {A: X}, inverse: {Z: A}}", `the key type is mapped by values, which are not one-to-one: "X" and "Z" of the hub both become "A"`},
		{"type: {type: integer}", "type: {type: integer}", "{spoke: .type, hub: .type, scalar: {round: down, unit: {spoke: ms, hub: s}}}", "the key type is mapped by scalar, which is not one-to-one: it rounds"},
		{"type: {type: string}", "a: {type: string}, b: {type: string}", `{spoke: .type, hub: {a: .a, b: .b}, template: "{a}/{b}"}`, "the key type is not the same value in both versions"},
		{"type: {type: string}", "type: {type: array, items: {type: string}}", `{spoke: .type, hub: .type, join: {separator: ","}}`, "the key type is mapped by join, which may convert several values into one"},
		{"type: {type: string}", "type: {type: string}", "{spoke: .type, hub: .type, values: {A: X}, default: {hub: X}}", "the key type has a default in its row, so one version may lack it"},
		{"type: {type: string}", "type: {type: string}", "{spoke: .type, hub: .type, cel: {toHub: self.type, toSpoke: self.type}}", "the key type is mapped by cel, which may convert several values into one"},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": listOf(test.beta), "v1": listOf(test.v1)}), table(t, "[{spoke: .spec.l, hub: .spec.l, each: {key: type, unique: true, rows: ["+test.row+"]}}]"))
		want := "crosswalk things.example.com: v1beta1 row 1 (.spec.l <-> .spec.l): each: " + test.want + remedy
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", test.row, err, want)
		}
	}
}
