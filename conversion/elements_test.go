package conversion_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestElementsKeepWhatIsTheirs reorders, inserts and deletes elements in the
// version that does not have the private field.
func TestElementsKeepWhatIsTheirs(t *testing.T) {
	for _, test := range []struct{ name, key string }{{"by key", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], "}, {"by content", ""}} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t,
				spec("l: {type: array, "+test.key+"items: {type: object, properties: {name: {type: string}, p: {type: integer}}}}"),
				spec("l: {type: array, "+test.key+"items: {type: object, properties: {name: {type: string}}}}"), `[]`)
			there := convert(t, c, thing("v1beta1", `"spec":{"l":[{"name":"a","p":1},{"name":"b","p":2},{"name":"c","p":3}]}`), "v1")
			at := strings.Index(there, `"spec"`)
			edited := there[:at] + `"spec":{"l":[{"name":"c"},{"name":"new"},{"name":"a"}]}}`
			back := convert(t, c, edited, "v1beta1")
			if want := thing("v1beta1", `"spec":{"l":[{"name":"c","p":3},{"name":"new"},{"name":"a","p":1}]}`); !sameJSON(t, back, want) {
				t.Errorf("got %s, want %s", back, want)
			}
		})
	}
}

// TestSensitive: elements that differ in a secret only have the same address.
func TestSensitiveIsNotHashed(t *testing.T) {
	element := "l: {type: array, items: {type: object, properties: {token: {type: string}%s}}}"
	c := compiled(t, spec(strings.Replace(element, "%s", ", p: {type: string}", 1)), spec(strings.Replace(element, "%s", "", 1)),
		`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .token, hub: .token, sensitive: true}]}}]`)
	one := convert(t, c, thing("v1beta1", `"spec":{"l":[{"token":"one","p":"x"}]}`), "v1")
	two := convert(t, c, thing("v1beta1", `"spec":{"l":[{"token":"two","p":"x"}]}`), "v1")
	if !strings.Contains(one, `content`) || strings.Replace(one, `"token":"one"`, `"token":"two"`, 1) != two {
		t.Errorf("the stashes differ:\n%s\n%s", one, two)
	}
}

func TestEqualElementsAreToldApartByOccurrence(t *testing.T) {
	c := compiled(t,
		spec("l: {type: array, items: {type: object, properties: {x: {type: string}, p: {type: integer}}}}"),
		spec("l: {type: array, items: {type: object, properties: {x: {type: string}}}}"), `[]`)
	source := thing("v1beta1", `"spec":{"l":[{"x":"a"},{"x":"a","p":2},{"x":"b"},{"x":"a","p":3}]}`)
	if back := convert(t, c, convert(t, c, source, "v1"), "v1beta1"); !sameJSON(t, back, source) {
		t.Errorf("got %s", back)
	}
}

// TestManyElements: the work grows with the number of elements, not with its
// square, even if each has something of its own.
func TestManyElements(t *testing.T) {
	c := compiled(t,
		spec("l: {type: array, items: {type: object, properties: {x: {type: integer}, p: {type: integer}}}}, m: {type: object, additionalProperties: {type: object, properties: {p: {type: integer}}}}"),
		spec("l: {type: array, items: {type: object, properties: {x: {type: integer}}}}, m: {type: object, additionalProperties: {type: object}}"), `[]`)
	var l, m []string
	for i := range 1200 {
		l = append(l, fmt.Sprintf(`{"x":%d,"p":%d}`, i, -i))
		m = append(m, fmt.Sprintf(`"k%d":{"p":1}`, i))
	}
	source := thing("v1beta1", `"spec":{"l":[`+strings.Join(l, ",")+`],"m":{`+strings.Join(m[:100], ",")+`}}`)
	there := convert(t, c, source, "v1")
	if strings.Contains(there, "incomplete") {
		t.Fatal("the test's object is too large for the budget")
	}
	if back := convert(t, c, there, "v1beta1"); !sameJSON(t, back, source) {
		t.Error("it came back changed")
	}
}

// A stash names elements by their keys, and nothing sensitive may show there.
func TestSensitiveKeys(t *testing.T) {
	const rows = `rows: [{spoke: .token, hub: .token, sensitive: true}, {spoke: .a, hub: .b}]`
	elements := func(more, keys string) string {
		return spec("l: {type: array, " + keys + "items: {type: object, required: [token], properties: {token: {type: string}, " + more + "}}}")
	}
	_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": elements("a: {type: string}, only: {type: string}", ""), "v1": elements("b: {type: string}", "")}),
		table(t, `[{spoke: .spec.l, hub: .spec.l, each: {key: token, unique: true, `+rows+`}}]`))
	const want = "crosswalk things.example.com: v1beta1 row 1 (.spec.l <-> .spec.l): each: the key token is sensitive, but a stash identifies elements by their keys; choose another key"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	// A key that the schema names is not used: the content tells the elements apart.
	const keyed = "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [token], "
	c := compiled(t, elements("a: {type: string}, only: {type: string}", keyed), elements("b: {type: string}", keyed), `[{spoke: .spec.l, hub: .spec.l, each: {`+rows+`}}]`)
	old := thing("v1beta1", `"spec":{"l":[{"a":"x","only":"y","token":"secret"}]}`)
	now := convert(t, c, old, "v1")
	if _, stash, _ := strings.Cut(now, "annotations"); strings.Count(now, "secret") != 1 || stash == "" {
		t.Errorf("it shows: %s", now)
	}
	if back := convert(t, c, now, "v1beta1"); !sameJSON(t, back, old) {
		t.Errorf("got  %s\nwant %s", back, old)
	}
}
