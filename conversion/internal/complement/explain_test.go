package complement_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// telling is a story of which the explanation matters.
type telling struct {
	name string
	tables
	// object is a spec of v1beta1. want explains how it is converted to v1, or, if it is edited there,
	// or comes back by later tables, how it comes back.
	object, edited string
	later          *tables
	want           string
}

// TestExplainOrigins: a field that the Way has not written is restored, or the default of what was made
// around it.
func TestExplainOrigins(t *testing.T) {
	hp := tables{
		beta: "hp: {type: string}, own: {type: string}, same: {type: object, properties: {x: {type: string}, z: {type: string}}}",
		v1:   "host: {type: string}, port: {type: string}, same: {type: object, properties: {x: {type: string}}}",
		rows: `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`,
	}
	for _, s := range []telling{
		{name: "of a copied object to which something is restored, each member is told", tables: hp, object: "{hp: a, own: o, same: {x: '1', z: '2'}}", edited: "{same: {x: '1'}}", want: `
			.spec.same.x same
			.spec.same.z "2" stash
			.spec.hp "a" stash
			.spec.own "o" stash`},
		{name: "so is each member of one that a row has moved", tables: tables{
			beta: "a: {type: object, properties: {x: {type: string}, z: {type: object, properties: {b: {type: string}}}}}",
			v1:   "b: {type: object, properties: {x: {type: string}, z: {type: object, properties: {b: {type: string}, c: {type: string}}}}}", rows: "[{spoke: .spec.a, hub: .spec.b}]",
		}, object: "{a: {x: '1', z: {b: '2'}}}", edited: "{b: {x: '1', z: {b: '2'}}}", want: `
			.spec.a.x "1" row row 1 .spec.b.x
			.spec.a.z.b "2" row row 1 .spec.b.z.b`},
		{name: "a default is in what was made around a restored value", tables: tables{
			beta: "own: {type: object, properties: {a: {type: string}, b: {type: integer, default: 5}, m: {type: string}}}, s: {type: string}", v1: "s: {type: string}, m: {type: string}", rows: "[{spoke: .spec.own.m, hub: .spec.m}]",
		}, object: "{s: s, own: {a: x, b: 5}}", edited: "{s: s}", want: `
			.spec.s same
			.spec.own.a "x" stash
			.spec.own.b 5 default`},
		{name: "the elements of a default that is written are that default's", tables: tables{
			beta: "l: {type: array, items: {type: object, properties: {w: {type: string}}}}",
			v1:   "m: {type: array, default: [{k: a}], items: {type: object, properties: {k: {type: string}}}}",
			rows: "[{spoke: .spec.l, hub: .spec.m, each: {rows: [{spoke: .w, hub: .k}]}}]",
		}, object: "{}", want: `
			.spec.m[0] {"k":"a"} default
			kept .spec.l : absence row 1 back [{"w":"a"}]`},
		{name: "an empty object is a row's if absence in it means something", tables: tables{
			beta: "w: {type: string}", v1: "o: {type: object, default: {k: a}, properties: {k: {type: string}}}", rows: "[{spoke: .spec.w, hub: .spec.o.k, default: {hub: z}}]",
		}, object: "{w: z}", want: `
			.spec.o {} row row 1 .spec.w`},
		{name: "elements that the other version can't show come back with their order", tables: tables{
			beta: "l: {type: array, items: {type: string}}", v1: "l: {type: string}", rows: "[{spoke: .spec.l, hub: .spec.l, single: {}}]",
		}, object: "{l: [a, b]}", edited: "{l: a}", want: `
			.spec.l[0] "a" row row 1 .spec.l
			.spec.l[1] "b" stash`},
		{name: "the text that was edited is a row's, with what an entry adds", tables: tables{
			beta: "a: {type: string}", v1: "b: {type: object, properties: {x: {type: integer}}}", rows: "[{spoke: .spec.a, hub: .spec.b, text: yaml}]",
		}, object: `{a: "x: 1\nown: 2\n"}`, edited: "{b: {x: 5}}", want: `
			.spec.a "own: 2\nx: 5\n" row row 1 .spec.b
			unused .spec.a: .spec.b was edited, and the edit takes precedence; details that only the text can represent stay in it`},
	} {
		t.Run(s.name, s.run)
	}
}

// TestExplainKept: each entry has the reason for which it is needed.
func TestExplainKept(t *testing.T) {
	list := "l: {type: array, items: {type: object, properties: {name: {type: string}, own: {type: string}}}}"
	for _, s := range []telling{
		{name: "there is no such field", tables: tables{beta: "a: {type: string}, " + list, v1: "l: {type: array, items: {type: object, properties: {name: {type: string}}}}", rows: "[{spoke: .spec.l, hub: .spec.l, each: {key: name, unique: true, rows: []}}]"},
			object: "{a: x, l: [{name: k}, {name: m, own: o}]}", want: `
			.spec.l[0].name "k" row row 1 .spec.l[0].name
			.spec.l[1].name "m" row row 1 .spec.l[1].name
			kept .spec.a "x": no such field
			kept .spec.l[1].own "o": no such field`},
		{name: "the row can't map it, or makes another value, or absence is another value", tables: tables{
			beta: "a: {type: string}, b: {type: string}, c: {type: string}", v1: "a: {type: string}, b: {type: string}, c: {type: string}",
			rows: "[{spoke: .spec.a, hub: .spec.a, values: {A: X}, closed: true}, {spoke: .spec.b, hub: .spec.b, values: {A: X, B: X}, inverse: {X: A}}, {spoke: .spec.c, hub: .spec.c, values: {A: X}, default: {hub: X}}]",
		}, object: "{a: B, b: B}", want: `
			.spec.b "X" row row 2 .spec.b
			kept .spec.a "B": cannot be mapped row 1 A
			kept .spec.b "B": another value on the way back row 2 back "A"
			kept .spec.c : absence row 3 back "A"`},
		{name: "the order of a list is not shown", tables: tables{
			beta: "l: {type: array, items: {type: object, properties: {name: {type: string}, v: {type: string}}}}", v1: "l: {type: object, additionalProperties: {type: string}}",
			rows: "[{spoke: .spec.l, hub: .spec.l, keyed: {key: name, value: v}}]",
		}, object: "{l: [{name: z, v: '1'}, {name: a, v: '2'}]}", want: `
			.spec.l.z "1" row row 1, keyed value row 1 .spec.l[0].v
			.spec.l.a "2" row row 1, keyed value row 1 .spec.l[1].v
			kept .spec.l : order row 1`},
		{name: "null in place of an object is not shown", tables: tables{
			beta: "o: {type: object, nullable: true, properties: {a: {type: string}}}", v1: "o: {type: object, properties: {a: {type: string}}}", rows: "[]",
		}, object: "{o: null}", want: `
			.spec same
			kept .spec.o null: shape`},
		{name: "there is no room", tables: tables{beta: "a: {type: string}, b: {type: string}", v1: "c: {type: string}", rows: "[]"},
			object: "{b: b, a: " + strings.Repeat("x", 200<<10) + "}", want: `
			.spec same
			kept .spec.a "` + strings.Repeat("x", 200<<10) + `": no such field left out
			kept .spec.b "b": no such field`},
	} {
		t.Run(s.name, s.run)
	}
}

// TestExplainUnused: each entry that is not used has the reason.
func TestExplainUnused(t *testing.T) {
	list := "l: {type: array, items: {type: object, properties: {name: {type: string}, a: {type: string}, b: {type: string}}}}"
	both := tables{
		beta: list, v1: list,
		rows: "[{spoke: .spec.l, hub: .spec.l, each: {key: name, unique: true, rows: [{spoke: .a, hub: .b, values: {A: X}, closed: true}, {spoke: .b, hub: .a, values: {A: X, B: X}, inverse: {X: A}}]}}]",
	}
	for _, s := range []telling{
		{name: "what the row reads was edited", tables: both, object: "{l: [{name: z, a: A}, {name: m, a: Q, b: B}]}", edited: "{l: [{name: k}, {name: m, b: X, a: Z}]}", want: `
			.spec.l[0].name "k" row row 1 .spec.l[0].name
			.spec.l[1].a "A" row row 1, each row 1 .spec.l[1].b
			.spec.l[1].b "Z" row row 1, each row 2 .spec.l[1].a
			.spec.l[1].name "m" row row 1 .spec.l[1].name
			unused .spec.l[{"name":"m"}].a: .spec.l[1].b was edited, and the edit takes precedence
			unused .spec.l[{"name":"m"}].b: .spec.l[1].a was edited, and the edit takes precedence`},
		{name: "what an expression reads was edited", tables: tables{
			beta: "a: {type: string}", v1: "x: {type: string}, z: {type: string}", rows: "[{spoke: .spec.a, cel: {toSpoke: self.spec.x + self.spec.z}}]",
		}, object: "{a: q}", edited: "{x: '1', z: '2'}", want: `
			.spec.a "12" row row 1 .spec.x,.spec.z
			unused .spec.a: .spec.x or .spec.z was edited, and the edit takes precedence
			kept .spec.x "1": no such field
			kept .spec.z "2": no such field`},
		{name: "the element is gone", tables: both, object: "{l: [{name: m, a: Q}]}", edited: "{l: [{name: k}]}", want: `
			.spec.l[0].name "k" row row 1 .spec.l[0].name
			unused .spec.l[{"name":"m"}].a: the element or field that contains it does not exist`},
		{
			name: "another table has kept it", tables: tables{beta: "a: {type: string}, s: {type: string}", v1: "s: {type: string}", rows: "[]"}, object: "{a: x, s: s}",
			later: &tables{beta: "b: {type: string}, s: {type: string}", v1: "s: {type: string}", rows: "[]"}, want: `
			.spec.s same
			unused .spec.a: an earlier table has kept it, and this table has no place for it; it stays in the annotation`,
		},
	} {
		t.Run(s.name, s.run)
	}
}

func (s telling) run(t *testing.T) {
	c := compiled(t, s.tables)
	object, to := map[string]any{"apiVersion": "example.com/v1beta1", "kind": "Thing", "metadata": map[string]any{"name": "a"}, "spec": decoded(t, s.object)}, "v1"
	if s.edited != "" || s.later != nil {
		object, _ = converted(t, c, object, to)
		if to = "v1beta1"; s.edited != "" {
			object["spec"] = decoded(t, s.edited)
		}
	}
	if s.later != nil {
		c = compiled(t, *s.later)
	}
	in, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Convert(nil, in, to)
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Explain(t.Context(), in, to)
	if err != nil {
		t.Fatal(err)
	}
	if string(e.Object) != string(out) {
		t.Errorf("explained is\n%s\nconverted\n%s", e.Object, out)
	}
	want := strings.ReplaceAll(strings.TrimSpace(s.want), "\n\t\t\t", "\n")
	if got := explanation(e.Steps[0]); got != want {
		t.Errorf("got\n%.3000s\nwant\n%.3000s", got, want)
	}
}

// explanation writes a step as lines, without kind and name.
func explanation(s conversion.Step) string {
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
	}
	for _, o := range s.Origins {
		if o.Path != ".kind" && !strings.HasPrefix(o.Path, ".metadata") {
			add("%s %s %s %s %s", o.Path, o.Value, o.By, o.Row, strings.Join(o.From, ","))
		}
	}
	for _, u := range s.Unused {
		add("unused %s: %s", u.Path, u.Reason)
	}
	for _, k := range s.Kept {
		back, leftOut := "", ""
		if k.Back != nil {
			back = "back " + string(k.Back)
		}
		if k.LeftOut {
			leftOut = "left out"
		}
		add("kept %s %s: %s %s %s %s %s", k.Path, k.Value, k.Why, k.Row, k.Needs, back, leftOut)
	}
	return strings.Join(lines, "\n")
}

// TestExplainManyUnused: that an entry for each of many elements is not used takes no longer than it should.
func TestExplainManyUnused(t *testing.T) {
	c := compiled(t, tables{
		beta: "l: {type: array, items: {type: object, properties: {name: {type: string}, a: {type: string}}}}", v1: "l: {type: array, items: {type: object, properties: {name: {type: string}, b: {type: string}}}}",
		rows: "[{spoke: .spec.l, hub: .spec.l, each: {key: name, unique: true, rows: [{spoke: .a, hub: .b, values: {A: X}, closed: true}]}}]",
	})
	const n = 1000
	elements := func(format string) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(format, i))
		}
		return `{"apiVersion":"example.com/v1beta1","kind":"Thing","metadata":{"name":"a"},"spec":{"l":[` + strings.Join(all, ",") + `]}}`
	}
	there, err := c.Convert(nil, []byte(elements(`{"name":"x%d","a":"Q"}`)), "v1")
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.ReplaceAll(string(there), `"}]}}`, `","b":"X"}]}}`)
	edited = strings.ReplaceAll(edited, `"},{"name"`, `","b":"X"},{"name"`)
	e, err := c.Explain(t.Context(), []byte(edited), "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	want := conversion.Unused{Path: `.spec.l[{"name":"x999"}].a`, Reason: ".spec.l[999].b was edited, and the edit takes precedence"}
	if s := e.Steps[0]; len(s.Unused) != n || !slices.Contains(s.Unused, want) {
		t.Errorf("%d entries are unused, such as %v", len(s.Unused), s.Unused[:min(3, len(s.Unused))])
	}
}
