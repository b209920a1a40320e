package conversion_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// compiled makes a converter of things.example.com with v1beta1 and v1.
func compiled(t testing.TB, beta, v1, rows string) *conversion.Converter {
	t.Helper()
	c, err := conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), table(t, rows))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// thing writes an object of things.example.com; body is what follows kind.
func thing(version, body string) string {
	text := `{"apiVersion":"example.com/` + version + `","kind":"Thing"`
	if body != "" {
		text += "," + body
	}
	return text + "}"
}

func convert(t testing.TB, c *conversion.Converter, object, to string) string {
	t.Helper()
	out, err := c.Convert(nil, []byte(object), to)
	if err != nil {
		t.Fatalf("%s\nto %s: %v", object, to, err)
	}
	return string(out)
}

func strip(t testing.TB, object string) string {
	t.Helper()
	out, err := conversion.Strip(nil, []byte(object))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestViews shows what users of either version see, without stashes, and that
// the way back is exact.
func TestViews(t *testing.T) {
	for _, test := range []struct {
		name, beta, v1, rows string
		from, body, want     string
	}{
		{"shared places are the same bytes", spec("n: {type: number}, s: {type: string}"), spec("n: {type: number}, s: {type: string}"), `[]`,
			"v1beta1", `"spec":{"n":1.50,"s":"\u00e9"}`, `"spec":{"n":1.50,"s":"\u00e9"}`},
		{"a move", spec("a: {type: integer}"), spec("b: {type: object, properties: {c: {type: integer}}}"), `[{spoke: .spec.a, hub: .spec.b.c}]`,
			"v1beta1", `"spec":{"a":9223372036854775807}`, `"spec":{"b":{"c":9223372036854775807}}`},
		{"a move of an object whose parts differ", spec("old: {type: object, properties: {x: {type: string}, p: {type: string}}}"),
			spec("new: {type: object, properties: {x: {type: string}, q: {type: string}}}"), `[{spoke: .spec.old, hub: .spec.new}]`,
			"v1beta1", `"spec":{"old":{"x":"1","p":"2"}}`, `"spec":{"new":{"x":"1"}}`},
		{"two rows use one path with two meanings", spec("a: {type: string}, b: {type: string}"), spec("a: {type: string}, b: {type: string}"),
			`[{spoke: .spec.a, hub: .spec.b}, {spoke: .spec.b, hub: .spec.a}]`,
			"v1beta1", `"spec":{"a":"1","b":"2"}`, `"spec":{"a":"2","b":"1"}`},
		{"the hub's place of the same name is private", spec("a: {type: string}"), spec("a: {type: string}, b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`,
			"v1", `"spec":{"a":"1","b":"2"}`, `"spec":{"a":"2"}`},
		{"template", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"[::1]:80"}`, `"spec":{"host":"[::1]","port":80}`},
		{"template, number not canonical", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"a:0080"}`, `"spec":{"host":"a","port":80}`},
		{"template, not mappable", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1beta1", `"spec":{"hp":"a:http"}`, `"spec":{}`},
		{"template, a part missing", spec("hp: {type: string}"), spec("host: {type: string}, port: {type: integer}"), `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
			"v1", `"spec":{"host":"a"}`, `"spec":{}`},
		{"values", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel, Forbid: Single}}]`,
			"v1", `"spec":{"b":"Single"}`, `"spec":{"a":"Forbid"}`},
		{"values pass through", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel}}]`,
			"v1", `"spec":{"b":"Other"}`, `"spec":{"a":"Other"}`},
		{"values, closed", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Allow: Parallel}, closed: true}]`,
			"v1", `"spec":{"b":"Other"}`, `"spec":{}`},
		{"values of other types", spec("a: {type: boolean}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {"true": "On", "false": "Off"}}]`,
			"v1beta1", `"spec":{"a":false}`, `"spec":{"b":"Off"}`},
		{"constant", spec("a: {type: string}"), spec("a: {type: string}, mode: {type: string}"), `[{hub: .spec.mode, constant: Legacy}]`,
			"v1beta1", `"spec":{}`, `"spec":{"mode":"Legacy"}`},
		{"default", spec("a: {type: boolean}"), spec("b: {type: boolean}"), `[{spoke: .spec.a, hub: .spec.b, default: {spoke: false}}]`,
			"v1beta1", `"spec":{}`, `"spec":{"b":false}`},
		{"a schema default of one version does not leak", spec("a: {type: integer, default: 3}"), spec("a: {type: integer}"), `[]`,
			"v1", `"spec":{}`, `"spec":{"a":3}`},
		{"drop", spec("a: {type: string}, b: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, drop: nobody reads it}]`,
			"v1beta1", `"spec":{"b":"1"}`, `"spec":{"b":"1"}`},
		{"field and annotation", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, hub: ".metadata.annotations['example.com/a.b']", crosses: true}]`,
			"v1beta1", `"spec":{"a":"x"}`, `"spec":{},"metadata":{"annotations":{"example.com/a.b":"x"}}`},
		{"what is no label stays", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, hub: .metadata.labels.a, crosses: true}]`,
			"v1beta1", `"spec":{"a":"not a label"}`, `"spec":{}`},
		{"each", spec("jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}}}}"),
			spec("tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: object, properties: {line: {type: string}}}}}}"),
			`[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command.line}]}}]`,
			"v1beta1", `"spec":{"jobs":[{"name":"a","cmd":"x"},{"name":"b"}]}`, `"spec":{"tasks":[{"name":"a","command":{"line":"x"}},{"name":"b"}]}`},
		{"each over a map", spec("m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}"),
			spec("m: {type: object, additionalProperties: {type: object, properties: {z: {type: string}}}}"),
			`[{spoke: .spec.m, hub: .spec.m, each: {rows: [{spoke: .x, hub: .z}]}}]`,
			"v1beta1", `"spec":{"m":{"k":{"x":"1"},"l.m":{}}}`, `"spec":{"m":{"k":{"z":"1"},"l.m":{}}}`},
		{"lists whose elements differ need no row", spec("l: {type: array, items: {type: object, properties: {x: {type: string}, p: {type: string}}}}"),
			spec("l: {type: array, items: {type: object, properties: {x: {type: string}}}}"), `[]`,
			"v1beta1", `"spec":{"l":[{"x":"1","p":"2"},{"p":"3"},null]}`, `"spec":{"l":[{"x":"1"},{},null]}`},
		{"unknown members, known in one version", "spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}", spec("a: {type: string}, b: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":"1","b":"2","c":"3"}`, `"spec":{"a":"1","b":"2"}`},
		{"a place of any type", spec("a: {x-kubernetes-preserve-unknown-fields: true}"), spec("a: {type: object, properties: {x: {type: string}}}"), `[]`,
			"v1beta1", `"spec":{"a":{"x":"1","y":2}}`, `"spec":{"a":{"x":"1"}}`},
		{"a place of any type that does not fit", spec("a: {x-kubernetes-preserve-unknown-fields: true}"), spec("a: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":{"x":1}}`, `"spec":{}`},
		{"int-or-string", spec("a: {x-kubernetes-int-or-string: true}"), spec("a: {type: integer}"), `[]`,
			"v1beta1", `"spec":{"a":"80%"}`, `"spec":{}`},
		{"null where only one version allows it", spec("a: {type: string, nullable: true}"), spec("a: {type: string}"), `[]`,
			"v1beta1", `"spec":{"a":null}`, `"spec":{}`},
		{"null in a map where only one version allows it", spec("m: {type: object, additionalProperties: {type: string, nullable: true}}"), spec("m: {type: object, additionalProperties: {type: string}}"), `[]`,
			"v1beta1", `"spec":{"m":{"a":null,"b":"1"}}`, `"spec":{"m":{"b":"1"}}`},
		{"null for an object in a map where only one version allows it", spec("m: {type: object, additionalProperties: {type: object, nullable: true, properties: {x: {type: string}}}}"), spec("m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}"), `[]`,
			"v1beta1", `"spec":{"m":{"a":null,"b":{"x":"1"}}}`, `"spec":{"m":{"b":{"x":"1"}}}`},
		{"null in a list where only one version allows it", spec("l: {type: array, items: {type: string, nullable: true}}"), spec("l: {type: array, items: {type: string}}"), `[]`,
			"v1beta1", `"spec":{"l":[null,"a"]}`, `"spec":{"l":[null,"a"]}`},
		{"kinds of nothing", spec("a: {type: string, nullable: true}, l: {type: array, items: {type: string}}, o: {type: object}, b: {type: boolean}, i: {type: integer}"),
			spec("r: {type: object, properties: {a: {type: string, nullable: true}, l: {type: array, items: {type: string}}, o: {type: object}, b: {type: boolean}, i: {type: integer}}}"),
			`[{spoke: .spec.a, hub: .spec.r.a}, {spoke: .spec.l, hub: .spec.r.l}, {spoke: .spec.o, hub: .spec.r.o}, {spoke: .spec.b, hub: .spec.r.b}, {spoke: .spec.i, hub: .spec.r.i}]`,
			"v1beta1", `"spec":{"a":null,"l":[],"o":{},"b":false,"i":0}`, `"spec":{"r":{"a":null,"b":false,"i":0,"l":[],"o":{}}}`},
		{"a fragment without anything", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`, "v1beta1", ``, ``},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.beta, test.v1, test.rows)
			to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
			source := thing(test.from, test.body)
			there := convert(t, c, source, to)
			if got, want := strip(t, there), thing(to, test.want); !sameJSON(t, got, want) {
				t.Errorf("%s is\n%s, want\n%s", to, got, want)
			}
			if back := convert(t, c, there, test.from); !sameJSON(t, back, source) && test.name != "drop" {
				t.Errorf("back it is\n%s, was\n%s\nthrough\n%s", back, source, there)
			}
		})
	}
}

// TestLiveWins shows that an edit of the other view beats what was kept.
func TestLiveWins(t *testing.T) {
	c := compiled(t, spec("hp: {type: string}, only: {type: string}"), spec("host: {type: string}, port: {type: string}"),
		`[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"hp":"nonsense","only":"kept"}`), "v1")
	edited := strings.Replace(there, `"spec":{`, `"spec":{"host":"a","port":"1"`, 1)
	back := convert(t, c, edited, "v1beta1")
	if want := thing("v1beta1", `"spec":{"hp":"a:1","only":"kept"}`); !sameJSON(t, back, want) {
		t.Errorf("got %s, want %s", back, want)
	}
}

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

// TestSpokeToSpoke goes through the hub and keeps what the hub alone holds.
func TestSpokeToSpoke(t *testing.T) {
	crd := versions(t, map[string]string{"v1alpha1": spec("a: {type: string}, alpha: {type: string}"), "v1beta1": spec("b: {type: string}"), "v1": spec("c: {type: string}, hub: {type: string}")})
	cw := table(t, `[{spoke: .spec.b, hub: .spec.c}]`)
	cw.Spec.Versions = append(cw.Spec.Versions, table(t, `[{spoke: .spec.a, hub: .spec.c}]`).Spec.Versions...)
	cw.Spec.Versions[1].Name = "v1alpha1"
	c, err := conversion.Compile(crd, cw)
	if err != nil {
		t.Fatal(err)
	}
	alpha := convert(t, c, convert(t, c, thing("v1", `"spec":{"c":"1","hub":"2"}`), "v1alpha1"), "v1beta1")
	if got, want := strip(t, alpha), thing("v1beta1", `"spec":{"b":"1"}`); !sameJSON(t, got, want) {
		t.Errorf("v1beta1 is %s, want %s", got, want)
	}
	if back, want := convert(t, c, alpha, "v1"), thing("v1", `"spec":{"c":"1","hub":"2"}`); !sameJSON(t, back, want) {
		t.Errorf("v1 is %s, want %s", back, want)
	}
}

// TestStashesAreNotBelieved: forged and damaged stashes change nothing and
// fail nothing.
func TestStashesAreNotBelieved(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, l: {type: array, items: {type: object, properties: {p: {type: string}}}}"),
		spec("b: {type: string}, l: {type: array, items: {type: object}}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	for _, forged := range []string{
		`x`, ``, `{}`, `[]`, `{"format":2,"entries":[]}`, `{"format":1}`, `{"format":1,"entries":{}}`,
		`{"format":1,"entries":[{"at":[],"value":1}]}`, `{"format":1,"entries":[{"at":[1],"value":1}]}`,
		`{"format":1,"entries":[{"at":["spec","a"],"value":"forged","guard":"AAAAAAAAAAAAAAAA","row":"x"}]}`,
		`{"format":1,"entries":[{"at":["spec","a"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["metadata","name"],"value":"forged"},{"at":["apiVersion"],"value":"forged"},{"at":["kind"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","l",{"key":{}},"p"],"value":"forged"},{"at":["spec","l",{"content":"","nth":0},"p"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","l",{"content":"x","nth":-1},"p"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","nowhere","at","all"],"value":"forged"}]}`,
	} {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(forged)
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":"`+quoted+`"}},"spec":{"b":"live","l":[{}]}`)
		got := convert(t, c, object, "v1beta1")
		if want := thing("v1beta1", `"spec":{"a":"live","l":[{}]}`); !sameJSON(t, got, want) {
			t.Errorf("stash %s\ngives %s", forged, got)
		}
	}
}

// TestForgedTwice: no member is ever written twice.
func TestForgedTwice(t *testing.T) {
	c := compiled(t,
		"spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {m: {type: object, additionalProperties: {type: string, nullable: true}}}}",
		spec("m: {type: object, additionalProperties: {type: string}}"), `[]`)
	const forged = `{\"format\":1,\"entries\":[` +
		`{\"at\":[\"spec\",\"m\",\"a\"],\"value\":null},{\"at\":[\"spec\",\"m\",\"a\"],\"value\":null},{\"at\":[\"spec\",\"m\",\"b\"],\"value\":null},` +
		`{\"at\":[\"spec\",\"u\"],\"value\":1},{\"at\":[\"spec\",\"u\"],\"value\":2},{\"at\":[\"spec\",\"m\"],\"value\":{}}]}`
	for _, m := range []string{`{}`, `{"b":"x"}`} {
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":"`+forged+`"}},"spec":{"m":`+m+`}`)
		out := convert(t, c, object, "v1beta1")
		if _, err := c.Convert(nil, []byte(out), "v1"); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestManyElements: the work grows with the number of elements, not with its
// square, even if each has something of its own.
func TestManyElements(t *testing.T) {
	c := compiled(t,
		spec("l: {type: array, items: {type: object, properties: {x: {type: integer}, p: {type: integer}}}}, m: {type: object, additionalProperties: {type: object, properties: {p: {type: integer}}}}"),
		spec("l: {type: array, items: {type: object, properties: {x: {type: integer}}}}, m: {type: object, additionalProperties: {type: object}}"), `[]`)
	var l, m []string
	for i := range 1500 {
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

func TestMalformedStashIsCounted(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	var notes conversion.Notes
	for _, text := range []string{`"{"`, `5`, `"{\"format\":1,\"entries\":[]}"`} {
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":`+text+`}},"spec":{}`)
		if _, err := c.ConvertNoting(nil, []byte(object), "v1beta1", &notes); err != nil {
			t.Error(err)
		}
	}
	if notes.IgnoredStashes != 2 {
		t.Errorf("counted %d, want 2", notes.IgnoredStashes)
	}
}

// TestBudget: what does not fit into annotations is left out, the largest
// first, named and counted; the conversion does not fail.
func TestBudget(t *testing.T) {
	c := compiled(t, spec("big: {type: string}, huge: {type: string}, small: {type: string}"), spec("a: {type: string}"), `[]`)
	for _, test := range []struct {
		name              string
		big, huge, others int
		mark, kept        string
	}{
		{"all fits", 60 << 10, 60 << 10, 0, "", `{"big":60,"huge":60,"small":"s"}`},
		{"the largest goes", 60 << 10, 70 << 10, 0, "v1beta1: .spec.huge", `{"big":60,"small":"s"}`},
		{"both go", 200 << 10, 210 << 10, 0, "v1beta1: .spec.huge, .spec.big", `{"small":"s"}`},
		{"others leave little room", 60 << 10, 20 << 10, 200 << 10, "v1beta1: .spec.big", `{"huge":20,"small":"s"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := thing("v1beta1", `"metadata":{"annotations":{"other":"`+strings.Repeat("o", test.others)+`"}},"spec":{"big":"`+
				strings.Repeat("b", test.big)+`","huge":"`+strings.Repeat("h", test.huge)+`","small":"s"}`)
			var notes conversion.Notes
			there, err := c.ConvertNoting(nil, []byte(source), "v1", &notes)
			if err != nil {
				t.Fatal(err)
			}
			annotations := decoded(t, string(there)).(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
			mark, _ := annotations["crosswalk.dev/incomplete"].(string)
			if mark != test.mark {
				t.Errorf("mark %q, want %q", mark, test.mark)
			}
			total := 0
			for name, value := range annotations {
				total += len(name) + len(value.(string))
			}
			if total > 256<<10 {
				t.Errorf("%d bytes of annotations", total)
			}
			if wantLeft := strings.Count(test.mark, ".spec"); notes.LeftOut != wantLeft {
				t.Errorf("counted %d, want %d", notes.LeftOut, wantLeft)
			}
			back := decoded(t, convert(t, c, string(there), "v1beta1")).(map[string]any)
			if _, marked := back["metadata"].(map[string]any)["annotations"].(map[string]any)["crosswalk.dev/incomplete"]; marked {
				t.Error("the mark is still there on the way back")
			}
			kept := back["spec"].(map[string]any)
			for name, n := range map[string]int{"big": test.big, "huge": test.huge} {
				if text, ok := kept[name].(string); ok && len(text) == n {
					kept[name] = json.Number(strconv.Itoa(n >> 10))
				}
			}
			if want := decoded(t, test.kept); !reflect.DeepEqual(kept, want) {
				t.Errorf("kept %v, want %v", kept, want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("a: {type: string}"), `[]`)
	for _, test := range []struct{ object, to, want string }{
		{thing("v1", `"metadata":{"name":"n","namespace":"ns"},"spec":{"a":1,"a":2}`), "v1beta1",
			`Thing ns/n: v1 to v1beta1: at /spec (byte 101): the member "a" occurs twice in one object`},
		{thing("v2", `"metadata":{"name":"n"}`), "v1", `Thing n: to v1: its apiVersion is "example.com/v2", and the table knows v1beta1, v1 of the group example.com`},
		{`{"apiVersion":"example.com/v1","kind":"Other"}`, "v1", `Thing: to v1: its kind is "Other", and the table converts Thing`},
		{thing("v1", ""), "v3", `Thing: to v3: the version asked for is "v3", and the table knows v1beta1, v1`},
		{thing("v1", `"metadata":"x"`), "v1beta1", `Thing: v1 to v1beta1: at /metadata (byte 57): metadata is not an object`},
		{`[]`, "v1", `Thing: to v1: at byte 0: the object is not a JSON object`},
		{``, "v1", `Thing: to v1: at byte 0: the object is not a JSON object`},
		{thing("v1", `"spec":{`), "v1", `Thing: v1 to v1: at /spec (byte 55): the JSON ends too early, want a comma or }`},
	} {
		out, err := c.Convert([]byte("before"), []byte(test.object), test.to)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s\ngot  %v\nwant %s", test.object, err, test.want)
		}
		if string(out) != "before" {
			t.Errorf("%s\nwrote %q", test.object, out)
		}
	}
}

func TestConvertLeavesItsInputAlone(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, p: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	source := thing("v1beta1", `"spec":{"a":"1","p":"2"}`)
	object := []byte(source)
	out, err := c.Convert(nil, object, "v1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = 'x'
	}
	if string(object) != source {
		t.Errorf("the source is now %s", object)
	}
}

func TestStrip(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"a":1}`, `{"a":1}`},
		{`{"metadata":{"name":"n","annotations":{"stash.crosswalk.dev/v1":"x","a":"b","crosswalk.dev/incomplete":"y"}}}`, `{"metadata":{"name":"n","annotations":{"a":"b"}}}`},
		{`{"metadata":{"annotations":{"stash.crosswalk.dev/v1.status":"x"}},"z":[1, 2]}`, `{"z":[1, 2]}`},
		{`{"metadata":{"annotations":{}}}`, `{"metadata":{"annotations":{}}}`},
		{`{"metadata":5}`, `{"metadata":5}`},
	} {
		if got := strip(t, test.in); got != test.want {
			t.Errorf("%s: got %s, want %s", test.in, got, test.want)
		}
	}
	if _, err := conversion.Strip(nil, []byte(`{`)); err == nil {
		t.Error("cut JSON is accepted")
	}
}
