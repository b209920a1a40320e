package conversion_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func check(t testing.TB, c *conversion.Converter, object, old string) string {
	t.Helper()
	var before []byte
	if old != "" {
		before = []byte(old)
	}
	findings, err := c.Check(t.Context(), []byte(object), before)
	if err != nil {
		t.Fatal(err)
	}
	var printed []string
	for _, f := range findings {
		part := ""
		if f.Partial {
			part = " (partial)"
		}
		printed = append(printed, f.Field+": "+f.Message+part)
	}
	return strings.Join(printed, "\n")
}

// TestCheckNamesWhatIsNotShown with its place, the other version and the remedy.
func TestCheckNamesWhatIsNotShown(t *testing.T) {
	c := compiled(t,
		spec(`hp: {type: string}, mode: {type: string}, num: {x-kubernetes-int-or-string: true}, jobs: {type: array, items: {type: object, properties: {hp: {type: string}}}}`),
		spec(`host: {type: string}, port: {type: string}, policy: {type: string}, num: {type: integer}, jobs: {type: array, items: {type: object, properties: {host: {type: string}, port: {type: string}}}}`),
		`[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}, {spoke: .spec.num, hub: .spec.num},
		  {spoke: .spec.mode, hub: .spec.policy, values: {Allow: Parallel}, closed: true},
		  {spoke: .spec.jobs, hub: .spec.jobs, each: {rows: [{spoke: .hp, hub: {h: .host, p: .port}, template: "{h}:{p}"}]}}]`)
	for _, test := range []struct{ object, old, want string }{
		{object: thing("v1beta1", `"spec":{"hp":"a:1","mode":"Allow","num":1,"jobs":[{"hp":"b:2"},{}]}`)},
		{object: thing("v1beta1", `"spec":{"hp":"a"}`), want: `.spec.hp: the value can't be represented in v1 (.spec.host, .spec.port); use text of the form "{h}:{p}"`},
		{object: thing("v1beta1", `"spec":{"mode":"Deny"}`), want: `.spec.mode: the value can't be represented in v1 (.spec.policy); use Allow`},
		{object: thing("v1beta1", `"spec":{"num":"10%"}`), want: `.spec.num: the value can't be represented in v1 (.spec.num); use a value of type integer`},
		{object: thing("v1beta1", `"spec":{"jobs":[{"hp":"b:2"},{"hp":"b"}]}`), want: `.spec.jobs[1].hp: the value can't be represented in v1 (.host, .port); use text of the form "{h}:{p}"`},
		{object: thing("v1", `"spec":{"host":"a"}`), want: `.spec.host: the value can't be represented in v1beta1 (.spec.hp); use a value for every part of "{h}:{p}", without the text between the parts (partial)`},
		// What is not new is not complained of, wherever it has moved to.
		{object: thing("v1beta1", `"spec":{"hp":"a","mode":"Allow"}`), old: thing("v1beta1", `"spec":{"hp":"a"}`)},
		{object: thing("v1beta1", `"spec":{"jobs":[{"hp":"c:3"},{"hp":"b"}]}`), old: thing("v1beta1", `"spec":{"jobs":[{"hp":"b"}]}`)},
		{
			object: thing("v1beta1", `"spec":{"hp":"b"}`), old: thing("v1beta1", `"spec":{"hp":"a"}`),
			want: `.spec.hp: the value can't be represented in v1 (.spec.host, .spec.port); use text of the form "{h}:{p}"`,
		},
	} {
		if got := check(t, c, test.object, test.old); got != test.want {
			t.Errorf("%s over %s:\ngot  %s\nwant %s", test.object, test.old, got, test.want)
		}
	}
}

// TestCheckComparesWithTheOldObject: an element is the same one by its key, and without a key any
// element that has the value is as good as another.
func TestCheckComparesWithTheOldObject(t *testing.T) {
	jobs := func(list string) string {
		return `{type: array, ` + list + `items: {type: object, required: [name], properties: {name: {type: string}, mode: {type: string}, note: {type: string}}}}`
	}
	fields := spec("keyed: " + jobs("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], ") + ", plain: " + jobs("") +
		", named: {type: object, additionalProperties: {type: object, properties: {mode: {type: string}}}}")
	rows := "each: {rows: [{spoke: .mode, hub: .mode, values: {Allow: Parallel}, closed: true}]}"
	c := compiled(t, fields, fields, `[{spoke: .spec.keyed, hub: .spec.keyed, `+rows+`}, {spoke: .spec.plain, hub: .spec.plain, `+rows+`}, {spoke: .spec.named, hub: .spec.named, `+rows+`}]`)
	for _, test := range []struct{ object, old, want string }{
		{object: `"keyed":[{"name":"b","mode":"x"}]`, old: `"keyed":[{"name":"a","mode":"x"}]`, want: ".spec.keyed[0].mode"},
		{object: `"keyed":[{"name":"b"},{"name":"a","note":"1","mode":"x"}]`, old: `"keyed":[{"name":"a","mode":"x"}]`},
		{object: `"keyed":[{"name":"a","mode":"z"}]`, old: `"keyed":[{"name":"a","mode":"x"}]`, want: ".spec.keyed[0].mode"},
		{object: `"named":{"b":{"mode":"x"}}`, old: `"named":{"a":{"mode":"x"}}`, want: ".spec.named.b.mode"},
		{object: `"plain":[{"name":"b","note":"1","mode":"x"}]`, old: `"plain":[{"name":"a","mode":"x"}]`},
		{object: `"plain":[{"name":"a","mode":"x"},{"name":"b","mode":"x"}]`, old: `"plain":[{"name":"a","mode":"x"}]`, want: ".spec.plain[1].mode"},
		{object: `"plain":[{"name":"a","mode":"x"}]`, old: `"keyed":[{"name":"a","mode":"x"}]`, want: ".spec.plain[0].mode"},
		{object: `"plain":[{"name":"a","mode":"x"}]`, old: `"plain":7`, want: ".spec.plain[0].mode"},
	} {
		findings, err := c.Check(t.Context(), []byte(thing("v1beta1", `"spec":{`+test.object+`}`)), []byte(thing("v1beta1", `"spec":{`+test.old+`}`)))
		var fields []string
		for _, f := range findings {
			fields = append(fields, f.Field)
		}
		if got := strings.Join(fields, " "); err != nil || got != test.want {
			t.Errorf("%s over %s: got %q and the error %v, want %q", test.object, test.old, got, err, test.want)
		}
	}
}

// TestCheckNamesElementsOfElements: the element of a list may be a list itself.
func TestCheckNamesElementsOfElements(t *testing.T) {
	lists := spec("modes: {type: array, items: {type: array, items: {type: string}}}")
	c := compiled(t, lists, lists, `[{spoke: .spec.modes, hub: .spec.modes, each: {rows: [{spoke: ., hub: ., each: {rows: [{spoke: ., hub: ., values: {A: X}, closed: true}]}}]}}]`)
	want := `.spec.modes[1][2]: the value can't be represented in v1 (the element); use A`
	if got := check(t, c, thing("v1beta1", `"spec":{"modes":[["A"],["A","A","B"]]}`), ""); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestCheckIsLinear: a hundred thousand values that can't be represented take seconds, not hours.
func TestCheckIsLinear(t *testing.T) {
	unraced(t)
	c := compiled(t, spec("modes: {type: array, items: {type: string}}"), spec("modes: {type: array, items: {type: string}}"),
		`[{spoke: .spec.modes, hub: .spec.modes, each: {rows: [{spoke: ., hub: ., values: {A: X}, closed: true}]}}]`)
	const n = 100_000
	object := thing("v1beta1", `"spec":{"modes":["A"`+strings.Repeat(`,"B"`, n)+`]}`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for _, test := range []struct {
		old  string
		want int
	}{{thing("v1beta1", `"spec":{}`), n + 1}, {object, 0}} { // and one of annotations that have no room
		if findings, err := c.Check(ctx, []byte(object), []byte(test.old)); err != nil || len(findings) != test.want {
			t.Errorf("got %d findings and the error %v, want %d", len(findings), err, test.want)
		}
	}
}

// TestCheckNamesWhatDoesNotFit: there is an end to what annotations hold.
func TestCheckNamesWhatDoesNotFit(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, b: {type: string}"), spec("a: {type: string}"), `[]`)
	large := thing("v1beta1", `"spec":{"b":"`+strings.Repeat("x", 200<<10)+`"}`)
	want := `.spec.b: values that v1 can't represent do not fit into the annotations of the object, which keep them while the object is in v1; write fewer of these values, or remove other annotations`
	if got := check(t, c, large, ""); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := check(t, c, edited(t, large, `"spec":{`, `"spec":{"a":"1",`), large); got != "" {
		t.Errorf("what is not new is complained of: %s", got)
	}
	there := convert(t, c, large, "v1")
	if got := conversion.Incomplete([]byte(there)); got != "v1beta1: .spec.b" {
		t.Errorf("the mark is %q", got)
	}
}

func TestOnlyRemovesFinalizers(t *testing.T) {
	object := func(finalizers, rest string) string {
		return thing("v1", `"metadata":{"name":"a","resourceVersion":"`+strings.Repeat("1", len(finalizers))+`","finalizers":[`+finalizers+`]},"spec":{`+rest+`}`)
	}
	for _, test := range []struct {
		object, old string
		want        bool
	}{
		{object(``, `"a":1`), object(`"x"`, `"a":1`), true},
		{object(`"y"`, `"a":1`), object(`"x","y"`, `"a":1`), true},
		{object(``, `"a":9007199254740993`), object(`"x"`, `"a":9007199254740992`), false},
		{object(`"y"`, ``), object(`"x"`, ``), false},
		{object(`"x"`, ``), object(`"x"`, ``), false},
		{object(`"x","y"`, ``), object(`"x"`, ``), false},
		{`x`, object(`"x"`, ``), false},
	} {
		if got := conversion.OnlyRemovesFinalizers([]byte(test.object), []byte(test.old)); got != test.want {
			t.Errorf("%s over %s: %t", test.object, test.old, got)
		}
	}
}

// TestCheckNamesElementsWithoutAPlace: the other version shows others in their
// place, or none.
func TestCheckNamesElementsWithoutAPlace(t *testing.T) {
	named := "{type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}"
	ports := "{type: array, items: {type: object, properties: {port: {type: integer}}}}"
	c := compiled(t,
		spec("one: {type: string}, env: "+named+", mode: {type: array, items: {type: string}}, low: "+ports+", high: "+ports),
		spec("many: {type: array, items: {type: string}}, env: {type: object, additionalProperties: {type: string}}, mode: {type: array, items: {type: string}}, ports: "+ports),
		`[{spoke: .spec.one, hub: .spec.many, single: {}}, {spoke: .spec.env, hub: .spec.env, keyed: {key: name, value: value}},
		  {spoke: .spec.mode, hub: .spec.mode, each: {rows: [{spoke: ., hub: ., values: {A: X}, closed: true}]}},
		  {spoke: {low: .spec.low, high: .spec.high}, hub: .spec.ports, where: [{place: low, match: {.port: [80, 443]}}, {place: high, match: {.port: 8080}}]}]`)
	for _, test := range []struct{ object, old, want string }{
		{object: thing("v1", `"spec":{"many":["x","y"]}`), want: `.spec.many[1]: the value can't be represented in v1beta1 (.spec.one); use only one element (partial)`},
		{object: thing("v1", `"spec":{"many":["x","y"]}`), old: thing("v1", `"spec":{"many":["z","y"]}`)},
		{object: thing("v1", `"spec":{"many":["x"]}`)},
		{
			object: thing("v1beta1", `"spec":{"env":[{"name":"a","value":"1"},{"name":"a","value":"2"},{"value":"3"}]}`),
			want: `.spec.env[1]: the value can't be represented in v1 (.spec.env); use a unique name that .spec.env accepts as a key, and a value (partial)` + "\n" +
				`.spec.env[2]: the value can't be represented in v1 (.spec.env); use a unique name that .spec.env accepts as a key, and a value (partial)`,
		},
		{object: thing("v1beta1", `"spec":{"mode":["A","B"]}`), want: `.spec.mode[1]: the value can't be represented in v1 (.spec.mode); use A`},
		{object: thing("v1beta1", `"spec":{"low":[{"port":80},{"port":81}]}`), want: `.spec.low[1]: the value can't be represented in v1 (.spec.ports); use an element that meets the conditions of low (partial)`},
		// A list with parts has elements of its own on purpose.
		{object: thing("v1", `"spec":{"ports":[{"port":80},{"port":81}]}`)},
	} {
		if got := check(t, c, test.object, test.old); got != test.want {
			t.Errorf("%s over %s:\ngot  %s\nwant %s", test.object, test.old, got, test.want)
		}
	}
}
