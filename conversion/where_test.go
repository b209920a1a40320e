package conversion_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Schemas of a list with parts, and of the parts.
const (
	metrics   = `{type: array, items: {type: object, properties: {type: {type: string}, resource: {type: object, properties: {name: {type: string}, value: {type: integer}}}, pods: {type: string}}}}`
	routeList = `{type: array, items: {type: object, properties: {kind: {type: string}, name: {type: string}, host: {type: string}, port: {type: integer}, note: {type: string}}}}`
	httpOf    = `{type: array, items: {type: object, properties: {name: {type: string}, hostname: {type: string}, old: {type: string}}}}`
	tcpOf     = `{type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}`
)

func cpuTable() []string {
	return []string{spec("cpu: {type: integer}, more: " + metrics), spec("metrics: " + metrics), `[{spoke: {cpu: .spec.cpu, more: .spec.more}, hub: .spec.metrics, where: [
		{place: cpu, match: {.type: Resource, .resource.name: cpu}, rows: [{spoke: ., hub: .resource.value}]}, {place: more, has: [.pods]}]}]`}
}

// TestPartViews shows what either version sees of a list and its parts, and that
// the way back is exact.
func TestPartViews(t *testing.T) {
	cpu := cpuTable()
	routes := []string{spec("http: " + httpOf + ", tcp: " + tcpOf), spec("routes: " + routeList), `[{spoke: {http: .spec.http, tcp: .spec.tcp}, hub: .spec.routes, where: [
		{place: http, match: {.kind: HTTP}, key: name, unique: true, rows: [{spoke: .hostname, hub: .host}]}, {place: tcp, match: {.kind: TCP}}]}]`}
	conditions := []string{spec("ready: {type: boolean}, message: {type: string}"), spec("conditions: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}, reason: {type: string}}}}"), `[
		{spoke: {ready: .spec.ready}, hub: .spec.conditions, where: [{place: ready, match: {.type: Ready}, rows: [{spoke: ., hub: .status, boolean: {true: "True", false: "False"}}]}]}]`}
	merge := []string{spec("all: " + tcpOf), spec("low: " + tcpOf + ", high: " + tcpOf), `[
		{spoke: .spec.all, hub: {low: .spec.low, high: .spec.high}, where: [{place: low, match: {.port: [80, 443]}}, {place: high}]}]`}
	settings := []string{spec("debug: {type: boolean}, level: {type: integer}, name: {type: string}"), spec("settings: {type: array, items: {type: object, properties: {key: {type: string}, val: {type: string}, from: {type: string}}}}"), `[
		{spoke: {debug: .spec.debug, log-level: .spec.level, name: .spec.name}, hub: .spec.settings, entries: {name: key, value: val}}]`}
	secure := []string{routes[0], routes[1], strings.Replace(routes[2], "{place: http, match: {.kind: HTTP}, key: name, unique: true, rows: [", "{place: http, match: {.kind: [HTTP, HTTPS]}, rows: [{hub: .kind, cel: {toHub: \"'HTTP'\"}}, ", 1)}
	filled := []string{routes[0], strings.Replace(routes[1], "kind: {type: string}", "kind: {type: string, default: HTTP}", 1), strings.Replace(routes[2], "{.kind: HTTP}", "{.kind: [HTTP, HTTPS]}", 1)}
	inside := []string{spec("a: {type: array, items: {type: object, properties: {x: {type: string}}}}"), spec("l: {type: array, items: {type: object, properties: {o: {type: object, properties: {x: {type: string}, z: {type: string}}}}}}"),
		`[{spoke: {a: .spec.a}, hub: .spec.l, where: [{place: a, has: [.o], rows: [{spoke: .x, hub: .o.x}]}]}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{cpu, "v1beta1", `{"cpu":80}`, `{"metrics":[{"type":"Resource","resource":{"name":"cpu","value":80}}]}`},
		{cpu, "v1beta1", `{"cpu":"80%"}`, `{}`},
		{cpu, "v1", `{"metrics":[{"type":"Pods","pods":"x"},{"type":"Resource","resource":{"name":"cpu","value":80}},{"type":"Resource","resource":{"name":"memory"}}]}`, `{"cpu":80,"more":[{"type":"Pods","pods":"x"}]}`},
		{cpu, "v1", `{"metrics":[{"type":"Resource","resource":{"name":"cpu"}},{"type":"Resource","resource":{"name":"cpu","value":1}},{"type":"Resource","resource":{"name":"cpu","value":2}}]}`, `{"cpu":1}`},
		{cpu, "v1", `{"metrics":[]}`, `{}`},
		{cpu, "v1", `{"metrics":[null,5,{}]}`, `{}`},
		{cpu, "v1beta1", `{"more":[{"pods":"x"},{"type":"Resource","resource":{"name":"cpu","value":1},"pods":"y"},{"type":"Pods"}]}`, `{"metrics":[{"pods":"x"}]}`},
		{cpu, "v1beta1", `{"more":[]}`, `{}`},
		{routes, "v1beta1", `{"tcp":[{"name":"b","port":1}],"http":[{"name":"a","hostname":"h","old":"x"}]}`, `{"routes":[{"name":"a","kind":"HTTP","host":"h"},{"name":"b","port":1,"kind":"TCP"}]}`},
		{routes, "v1", `{"routes":[{"name":"b","port":1,"kind":"TCP","note":"n"},{"kind":"UDP"},{"name":"a","kind":"HTTP","port":5}]}`, `{"http":[{"name":"a"}],"tcp":[{"name":"b","port":1}]}`},
		{secure, "v1beta1", `{"http":[{"name":"a"}]}`, `{"routes":[{"name":"a","kind":"HTTP"}]}`},
		{secure, "v1", `{"routes":[{"name":"a","kind":"HTTPS"},{"name":"b","kind":"UDP"}]}`, `{"http":[{"name":"a"}]}`},
		{filled, "v1beta1", `{"http":[{"name":"a"}]}`, `{"routes":[{"name":"a","kind":"HTTP"}]}`},
		{filled, "v1", `{"routes":[{"name":"a","kind":"HTTPS"},{"name":"b","kind":"UDP"}]}`, `{"http":[{"name":"a"}]}`},
		{inside, "v1beta1", `{"a":[{"x":"1"}]}`, `{"l":[{"o":{"x":"1"}}]}`},
		{inside, "v1", `{"l":[{"o":{"x":"1"}},{}]}`, `{"a":[{"x":"1"}]}`},
		{conditions, "v1", `{"conditions":[{"type":"Synced","status":"True"},{"type":"Ready","status":"False","reason":"r"},{"type":"Ready","status":"Unknown"}]}`, `{"ready":false}`},
		{conditions, "v1beta1", `{"ready":true,"message":"m"}`, `{"conditions":[{"type":"Ready","status":"True"}]}`},
		{merge, "v1beta1", `{"all":[{"port":8080},{"port":80},{"name":"x"},{"port":443}]}`, `{"low":[{"port":80},{"port":443}],"high":[{"port":8080},{"name":"x"}]}`},
		{merge, "v1", `{"low":[{"port":80},{"port":81}],"high":[{"port":443},{"port":82}]}`, `{"all":[{"port":80},{"port":82}]}`},
		{settings, "v1beta1", `{"debug":true,"level":3,"name":"n"}`, `{"settings":[{"key":"debug","val":"true"},{"key":"log-level","val":"3"},{"key":"name","val":"n"}]}`},
		{settings, "v1", `{"settings":[{"key":"name","val":"n","from":"x"},{"key":"debug","val":"maybe"},{"key":"other","val":"1"},{"key":"log-level","val":"4"}]}`, `{"level":4,"name":"n"}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// TestPartEdits tests the positions of elements that one version can't represent, after the
// other was edited.
func TestPartEdits(t *testing.T) {
	cpu := cpuTable()
	c := compiled(t, cpu[0], cpu[1], cpu[2])
	edit := func(hub string, edit ...string) string {
		t.Helper()
		view := convert(t, c, thing("v1", `"spec":{"metrics":`+hub+`}`), "v1beta1")
		edited := strings.NewReplacer(edit...).Replace(view)
		if edited == view {
			t.Fatalf("nothing to edit in %s", view)
		}
		return strip(t, convert(t, c, edited, "v1"))
	}
	const (
		pods   = `{"type":"Pods","pods":"x"}`
		memory = `{"type":"Resource","resource":{"name":"memory"}}`
	)
	cpuIs := func(n string) string {
		return `{"resource":{"value":` + n + `,"name":"cpu"},"type":"Resource"}`
	}
	for _, test := range []struct {
		hub, old, now, want string
	}{
		{`[` + memory + `,` + cpuIs("80") + `,` + pods + `]`, `"cpu":80`, `"cpu":90`, `[` + memory + `,` + cpuIs("90") + `,` + pods + `]`},
		{`[` + memory + `,` + cpuIs("80") + `,` + pods + `]`, `"cpu":80,`, ``, `[` + memory + `,` + pods + `]`},
		{`[` + memory + `,` + pods + `]`, `"more"`, `"cpu":7,"more"`, `[` + memory + `,` + pods + `,` + cpuIs("7") + `]`},
		{`[` + pods + `,` + memory + `,` + cpuIs("80") + `]`, `"more":[`, `"more":[{"pods":"new"},`, `[{"pods":"new"},` + pods + `,` + memory + `,` + cpuIs("80") + `]`},
	} {
		got := edit(test.hub, test.old, test.now)
		if want := thing("v1", `"spec":{"metrics":`+test.want+`}`); !sameJSON(t, got, want) {
			t.Errorf("%s with %s for %s\n got %s\nwant %s", test.hub, test.now, test.old, got, want)
		}
	}
}

// TestPartEditsKeepKeysApart writes what an element says that the other version could not
// be shown: the schema has no two elements with one key, so that it takes its place.
func TestPartEditsKeepKeysApart(t *testing.T) {
	conditions := "conditions: {type: array, %s items: {type: object, required: [type], properties: {type: {type: string}, status: {type: string}}}}"
	rows := `[{spoke: {ready: .spec.ready}, hub: .spec.conditions, where: [{place: ready, match: {.type: Ready}, rows: [{spoke: ., hub: .status, boolean: {true: "True", false: "False"}}]}]}]`
	for _, test := range []struct{ list, want string }{
		{"x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type],", `{"type":"Synced","status":"True"},{"status":"True","type":"Ready"}`},
		{"", `{"type":"Ready","status":"Unknown"},{"type":"Synced","status":"True"},{"status":"True","type":"Ready"}`},
	} {
		c := compiled(t, spec("ready: {type: boolean}"), spec(fmt.Sprintf(conditions, test.list)), rows)
		view := convert(t, c, thing("v1", `"spec":{"conditions":[{"type":"Ready","status":"Unknown"},{"type":"Synced","status":"True"}]}`), "v1beta1")
		got := strip(t, convert(t, c, strings.Replace(view, `"spec":{}`, `"spec":{"ready":true}`, 1), "v1"))
		if want := thing("v1", `"spec":{"conditions":[`+test.want+`]}`); !sameJSON(t, got, want) {
			t.Errorf("%s\n got %s\nwant %s", test.list, got, want)
		}
	}
}

// TestPartProblems shows what wrong parts are told.
func TestPartProblems(t *testing.T) {
	beta := spec("http: " + httpOf + ", tcp: " + tcpOf + ", one: {type: integer}, names: {type: string}, d: {type: array, default: [], items: {type: object}}, flag: {type: boolean, default: true}")
	v1 := spec("routes: " + routeList + ", kinds: {type: array, items: {type: object, properties: {kind: {type: string, enum: [A, B]}, id: {type: integer}, value: {type: string}}}}, text: {type: string}, env: {type: object, additionalProperties: {type: string}}")
	const both = `spoke: {http: .spec.http, tcp: .spec.tcp}, hub: .spec.routes`
	for _, test := range []struct{ row, want string }{
		{`{spoke: .spec.http, hub: .spec.routes, where: [{place: http}]}`, `where maps one list on one side to named fields on the other, one for each part; name the field of every part, for example spoke: {a: .spec.http}, and write place: a in its part`},
		{`{spoke: {a: .spec.http}, hub: .spec.text, where: [{place: a}]}`, `where: .spec.text is of type string, and not a list; name a list`},
		{`{` + both + `, where: [{place: http}]}`, `where: there is no part for the field tcp; add a part for its elements: {place: tcp, match: {...}}`},
		{`{` + both + `, where: [{place: http, has: [.port]}, {place: tcp, has: [.host]}, {place: udp}]}`, `where: the spoke side has no field named udp; use one of http, tcp`},
		{`{` + both + `, where: [{place: http}, {place: tcp}]}`, `where: the part http has no conditions, so it takes every element, and tcp takes none; add match or has, or make it the last part`},
		{`{` + both + `, where: [{place: http, has: [.port]}, {place: tcp, has: [.host]}, {place: tcp}]}`, `where: two parts have the field tcp; join the two`},
		{`{` + both + `, where: [{place: http, match: {.knd: HTTP}}, {place: tcp}]}`, `where http: .knd is not in the elements of .spec.routes; did you mean .kind?`},
		{`{` + both + `, where: [{place: http, match: {kind: HTTP}}, {place: tcp}]}`, `where http: path kind: a path starts with a dot: did you mean .kind?`},
		{`{` + both + `, where: [{place: http, match: {.kind: 5}}, {place: tcp}]}`, `where http: .kind: 5 is not valid there: it is of type string; put the value in quotes`},
		{`{` + both + `, where: [{place: http, match: {.kind: []}}, {place: tcp}]}`, `where http: .kind has no value to match; add a value`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, where: [{place: a, match: {.kind: C}, rows: [{spoke: ., hub: .id}]}]}`, `where a: .kind: "C" is not in the enum of the field, which is "A", "B"; use a single value of that type, or a list of such values`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, where: [{place: a, match: {.kind: A}}]}`, `where a: .spec.one is of type integer, but the elements of .spec.kinds are of type object; add rows that convert one into the other, for example rows: [{spoke: ., hub: .id}]`},
		{`{spoke: {a: .spec.d}, hub: .spec.kinds, where: [{place: a}]}`, `where: .spec.d has a default, but it is not known which element the default is for; remove the default from the schema`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, entries: {name: kind, value: valu}}`, `entries: valu is not a field of the elements of .spec.kinds; did you mean value?`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, entries: {name: id, value: value}}`, `entries: name id is of type integer; use a field of type string`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, entries: {name: kind, value: value}}`, `entries: "a" as kind is not in the enum of the field, which is "A", "B"; use the names of the elements`},
		{`{spoke: {a: .spec.one}, hub: .spec.env, entries: {name: name, value: value}}`, `entries: .spec.env is a map, and not a list; map each entry with a row of its own, for example a with {spoke: .spec.one, hub: .spec.env.a, scalar: {}}`},
		{`{spoke: {a: .spec.names}, hub: .spec.kinds, where: [{place: a, match: {.kind: A}, rows: [{spoke: ., hub: .value, join: {separator: ","}}]}]}`, `join: a part of .spec.kinds must be an element or a list of elements, and can't be a text of several; compute all parts with one row and cel: toSpoke: {a: "self.spec.kinds.filter(e, e.kind == 'A').map(e, e.value).join(',')", ...}`},
		{`{spoke: {a: .spec.one}, hub: .spec.kinds, entries: {name: kind}}`, `entries does not have the fields of the elements for the name and for the value; for example entries: {name: name, value: value}`},
		{`{spoke: {a: .spec.flag}, hub: .spec.kinds, entries: {name: kind, value: value}}`, `entries: .spec.flag has a default, but it is not known which element the default is for; remove the default from the schema`},
		{`{spoke: {a: .spec.one}, hub: {b: .spec.kinds}, entries: {name: kind, value: value}}`, `entries maps named fields on one side to one list on the other, with an element for each name; for example spoke: {debug: .spec.debug, level: .spec.level}, hub: .spec.settings`},
	} {
		_, err := conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), table(t, `[`+test.row+`]`))
		if err == nil {
			t.Errorf("%s compiles", test.row)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if _, got, _ := strings.Cut(first, "): "); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.row, got, test.want)
		}
	}
}

// TestPartsExplained shows where the elements of a list with parts come from.
func TestPartsExplained(t *testing.T) {
	tables := cpuTable()
	c := compiled(t, tables[0], tables[1], tables[2])
	hub := thing("v1", `"spec":{"metrics":[{"type":"Pods","pods":"x"},{"type":"Resource","resource":{"name":"memory"}},{"type":"Resource","resource":{"name":"cpu","value":80}}]}`)
	there := convert(t, c, hub, "v1beta1")
	if got, want := explained(t, c, hub, "v1beta1"), `.kind same
.spec.cpu 80 row row 1, where cpu row 1 .spec.metrics[2].resource.value
.spec.more[0].type "Pods" row row 1 .spec.metrics[0].type
.spec.more[0].pods "x" row row 1 .spec.metrics[0].pods
kept .spec.metrics : order row 1`; got != want {
		t.Errorf("to the parts: got\n%s\nwant\n%s", got, want)
	}
	if got, want := explained(t, c, there, "v1"), `.kind same
.spec.metrics[0].type "Pods" row row 1 .spec.more[0].type
.spec.metrics[0].pods "x" row row 1 .spec.more[0].pods
.spec.metrics[1] {"resource":{"name":"memory"},"type":"Resource"} stash
.spec.metrics[2].resource.name "cpu" row row 1, where cpu
.spec.metrics[2].resource.value 80 row row 1, where cpu row 1 .spec.cpu
.spec.metrics[2].type "Resource" row row 1, where cpu`; got != want {
		t.Errorf("to the list: got\n%s\nwant\n%s", got, want)
	}
}

// TestNullsInParts keeps what a part of a list cannot hold: a null in its place, and
// one among its elements.
func TestNullsInParts(t *testing.T) {
	const nullable = "type: string, nullable: true"
	beta := spec("one: {" + nullable + "}, many: {type: array, nullable: true, items: {type: object, nullable: true, properties: {name: {type: string}}}}, flag: {type: boolean, nullable: true}")
	v1 := spec("all: {type: array, nullable: true, items: {type: object, nullable: true, properties: {type: {" + nullable + "}, name: {" + nullable + "}}}}, options: {type: array, items: {type: object, properties: {name: {type: string}, value: {" + nullable + "}}}}")
	c, err := conversion.Compile(versions(t, map[string]string{"v1beta1": beta, "v1": v1}), table(t, `[
		{spoke: {one: .spec.one, many: .spec.many}, hub: .spec.all, where: [{place: one, match: {.type: One}, rows: [{spoke: ., hub: .name}]}, {place: many, match: {.type: Many}}]},
		{spoke: {flag: .spec.flag}, hub: .spec.options, entries: {name: name, value: value}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, members := range []string{`"one":null`, `"many":null`, `"many":[null]`, `"many":[{"name":"a"},null]`, `"one":"x","many":[null,{"name":"a"}]`, `"flag":null`} {
		old := thing("v1beta1", `"spec":{`+members+`}`)
		now := convert(t, c, old, "v1")
		if strings.Contains(now, `"all":[{"type":"Many"}`) {
			t.Errorf("%s became an element: %s", members, now)
		}
		if back := convert(t, c, now, "v1beta1"); !sameJSON(t, back, old) {
			t.Errorf("%s: got %s\non the way %s", members, back, now)
		}
	}
}

// TestUnmetParts warns of conditions that what the other version shows cannot meet.
func TestUnmetParts(t *testing.T) {
	beta, v1 := spec("http: "+httpOf+", tcp: "+tcpOf), spec("routes: "+routeList)
	const both = `spoke: {http: .spec.http, tcp: .spec.tcp}, hub: .spec.routes`
	checkWarnings(t, map[string]warning{
		"several values":              {beta, v1, `[{` + both + `, where: [{place: http, match: {.kind: [HTTP, HTTPS]}}, {place: tcp}]}]`, `v1beta1 row 1 (.spec.http, .spec.tcp <-> .spec.routes): where http: no row computes .kind for the elements of .spec.http, and only the elements of .spec.routes have it, so neither version shows the part in the other; match only one value, which the conversion writes there, map the field with a row, or add a row with the value for new elements: add to the rows of its part http: {hub: .kind, cel: {toHub: "'HTTP'"}}`, `[{` + both + `, where: [{place: http, match: {.kind: [HTTP, HTTPS]}, rows: [{hub: .kind, cel: {toHub: "'HTTP'"}}]}, {place: tcp}]}]`},
		"anything":                    {beta, v1, `[{` + both + `, where: [{place: http, has: [.kind]}, {place: tcp}]}]`, `v1beta1 row 1 (.spec.http, .spec.tcp <-> .spec.routes): where http: no row computes .kind for the elements of .spec.http, and only the elements of .spec.routes have it, so neither version shows the part in the other; map the field with a row, or add a row with the value for new elements: add to the rows of its part http: {hub: .kind, cel: {toHub: ...}}`, `[{` + both + `, where: [{place: http, has: [.kind], rows: [{hub: .kind, cel: {toHub: "'HTTP'"}}]}, {place: tcp}]}]`},
		"what is dropped":             {beta, v1, `[{` + both + `, where: [{place: http, has: [.kind], rows: [{hub: .kind, drop: old}]}, {place: tcp}]}]`, `v1beta1 row 1 (.spec.http, .spec.tcp <-> .spec.routes): where http: no row computes .kind for the elements of .spec.http, and only the elements of .spec.routes have it, so neither version shows the part in the other; replace row 1, where http row 1 with: {hub: .kind, cel: {toHub: ...}}`, ""},
		"a constant beside it":        {beta, v1, `[{` + both + `, where: [{place: http, match: {.kind: HTTP}, rows: [{hub: .kind, constant: HTTP}]}, {place: tcp}]}]`, `v1beta1 row 1 (.spec.http, .spec.tcp <-> .spec.routes): where http: no row computes .kind for the elements of .spec.http, and only the elements of .spec.routes have it, so neither version shows the part in the other; remove row 1, where http row 1: the conversion writes the only value of match`, `[{` + both + `, where: [{place: http, match: {.kind: HTTP}}, {place: tcp}]}]`},
		"one of which is the default": {beta, spec("routes: " + strings.Replace(routeList, "kind: {type: string}", "kind: {type: string, default: HTTP}", 1)), `[{` + both + `, where: [{place: http, match: {.kind: [HTTP, HTTPS]}}, {place: tcp}]}]`, "", ""},
		"any value is valid there":    {spec("http: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}, tcp: " + tcpOf), v1, `[{` + both + `, where: [{place: http, has: [.kind]}, {place: tcp}]}]`, "", ""},
	})
}
