package conversion_test

import (
	"strings"
	"testing"
)

func TestVariantViews(t *testing.T) {
	text := "{type: string}"
	ref := []string{spec("cm: " + text + ", sec: " + text), spec("ref: {type: object, properties: {kind: " + text + ", name: " + text + "}}"),
		`[{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.ref.kind, value: .spec.ref.name}, variant: {}}]`}
	object := func(p string) string { return "{type: object, properties: {" + p + "}}" }
	probe := []string{spec("http: " + object("path: "+text+", p: "+text) + ", tcp: " + object("host: "+text)),
		spec("probe: " + object("type: "+text+", httpGet: "+object("path: "+text+", q: "+text)+", tcpSocket: "+object("host: "+text))),
		`[{spoke: .spec.http, hub: .spec.probe.httpGet}, {spoke: .spec.tcp, hub: .spec.probe.tcpSocket}, {spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.probe.type, variant: {}}]`}
	same := []string{spec("http: " + object("path: "+text) + ", tcp: " + object("host: "+text)), spec("type: " + text + ", http: " + object("path: "+text) + ", tcp: " + object("host: "+text)),
		`[{spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.type, variant: {}}]`}
	for _, test := range []struct {
		tables     []string
		from, body string
		want       string
	}{
		{ref, "v1beta1", `{"cm":"a"}`, `{"ref":{"kind":"ConfigMap","name":"a"}}`},
		{ref, "v1beta1", `{"cm":"a","sec":"b"}`, `{}`},
		{ref, "v1beta1", `{}`, `{}`},
		{ref, "v1", `{"ref":{"kind":"Secret","name":"b"}}`, `{"sec":"b"}`},
		{ref, "v1", `{"ref":{"kind":"Other","name":"b"}}`, `{}`},
		{ref, "v1", `{"ref":{"kind":"Secret"}}`, `{}`},
		{ref, "v1", `{"ref":{}}`, `{}`},
		{probe, "v1beta1", `{"http":{"path":"/","p":"1"}}`, `{"probe":{"type":"HTTP","httpGet":{"path":"/"}}}`},
		{probe, "v1beta1", `{"http":{},"tcp":{}}`, `{"probe":{"httpGet":{},"tcpSocket":{}}}`},
		{probe, "v1", `{"probe":{"type":"TCP","tcpSocket":{"host":"a"}}}`, `{"tcp":{"host":"a"}}`},
		{probe, "v1", `{"probe":{"type":"HTTP","tcpSocket":{"host":"a"}}}`, `{"tcp":{"host":"a"}}`},
		{probe, "v1", `{"probe":{"type":"None"}}`, `{}`},
		{same, "v1beta1", `{"tcp":{"host":"a"}}`, `{"type":"TCP","tcp":{"host":"a"}}`},
		{same, "v1", `{"type":"HTTP","http":{}}`, `{"http":{}}`},
	} {
		checkView(t, test.tables, test.from, test.body, test.want)
	}
}

// What a discriminator says that the alternatives do not is kept until these
// change.
func TestDiscriminatorFollowsAlternatives(t *testing.T) {
	c := compiled(t, spec("http: {type: object}, tcp: {type: object}"), spec("type: {type: string}, http: {type: object}, tcp: {type: object}"),
		`[{spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.type, variant: {}}]`)
	odd := convert(t, c, thing("v1", `"spec":{"type":"Odd","http":{}}`), "v1beta1")
	if back, want := convert(t, c, odd, "v1"), thing("v1", `"spec":{"type":"Odd","http":{}}`); !sameJSON(t, back, want) {
		t.Errorf("%s, want %s", back, want)
	}
	edited := strings.Replace(odd, `"http":{}`, `"tcp":{}`, 1)
	if got, want := convert(t, c, edited, "v1"), thing("v1", `"spec":{"tcp":{},"type":"TCP"}`); !sameJSON(t, strip(t, got), want) {
		t.Errorf("after an edit %s, want %s", got, want)
	}
}

// A discriminator of alternatives that no row ties changes nothing of them.
func TestUntiedAlternatives(t *testing.T) {
	const which = `{spoke: {A: .spec.a, B: .spec.b}, hub: .spec.kind, variant: {}}`
	beta := spec("a: {type: object, properties: {x: {type: string}}}, b: {type: object}")
	checkWarnings(t, map[string]warning{
		"none of them is tied": {beta, spec("kind: {type: string}"), `[` + which + `]`,
			"v1beta1 row 1 (.spec.a, .spec.b <-> .spec.kind): variant: no row maps .spec.a, .spec.b, so a client that changes .spec.kind in v1 does not change them in v1beta1; map each with a row of its own; or, if one field has the value of each, add it: hub: {type: .spec.kind, value: ...}",
			`[` + which + `, {spoke: .spec.a, cel: {toSpoke: "self.spec.?kind.orValue('') == 'A' ? optional.of({}) : optional.none()"}}, {spoke: .spec.b, cel: {toSpoke: "self.spec.?kind.orValue('') == 'B' ? optional.of({}) : optional.none()"}}]`},
		"one is tied further in": {beta, spec("kind: {type: string}, x: {type: string}"), `[` + which + `, {spoke: .spec.a.x, hub: .spec.x}]`,
			"v1beta1 row 1 (.spec.a, .spec.b <-> .spec.kind): variant: no row maps .spec.b, so a client that changes .spec.kind in v1 does not change them in v1beta1; map each with a row of its own; or, if one field has the value of each, add it: hub: {type: .spec.kind, value: ...}", ""},
		"one is in both versions": {beta, spec("kind: {type: string}, x: {type: object, properties: {x: {type: string}}}, b: {type: object}"), `[` + which + `, {spoke: .spec.a, hub: .spec.x}]`, "", ""},
		"one is dropped":          {beta, spec("kind: {type: string}, b: {type: object}"), `[` + which + `, {spoke: .spec.a, drop: of no use}]`, "", ""},
	})
}

// TestUnnamedAlternatives warns of what a discriminator may say and no alternative is named
// for, as long as the other version has a place that is called so.
func TestUnnamedAlternatives(t *testing.T) {
	beta := spec("type: {type: string, enum: [ConfigMap, Secret, Host-Path, none]}, value: {type: string}")
	v1 := spec("configMapName: {type: string}, secretName: {type: string}, hostPathName: {type: string}")
	const two, three = `ConfigMap: .spec.configMapName, Secret: .spec.secretName`, `ConfigMap: .spec.configMapName, Secret: .spec.secretName, Host-Path: .spec.hostPathName`
	row := func(named, variant string) string {
		return `{spoke: {type: .spec.type, value: .spec.value}, hub: {` + named + `}, variant: ` + variant + `}`
	}
	const warned = `variant: .spec.type may be "Host-Path" in v1beta1, but there is no alternative with that name, although v1 has .spec.hostPathName: neither version shows this alternative in the other; add it: hub: {..., Host-Path: .spec.hostPathName}`
	const places = ` (.spec.type, .spec.value <-> .spec.configMapName, .spec.secretName): `
	checkWarnings(t, map[string]warning{
		"of a value":          {beta, v1, `[` + row(two, "{}") + `]`, "v1beta1 row 1" + places + warned, `[` + row(three, "{}") + `]`},
		"that a row ties":     {spec("type: {type: string, enum: [ConfigMap, Secret, Host-Path, none]}, value: {type: string}, path: {type: string}"), v1, `[` + row(two, "{}") + `, {spoke: .spec.path, hub: .spec.hostPathName}]`, "v1beta1 row 1" + places + warned + `, and, because row 2 maps the field, variant: {elsewhere: [Host-Path]}`, `[` + row(three, "{elsewhere: [Host-Path]}") + `, {spoke: .spec.path, hub: .spec.hostPathName}]`},
		"of no other's place": {beta, spec("configMapName: {type: string}, secretName: {type: string}"), `[` + row(two, "{}") + `]`, "", ""},
		"further in, and alone": {spec("type: {type: string, enum: [A, B, C]}, a: {type: object, properties: {x: {type: string}}}, b: {type: object, properties: {x: {type: string}}}, c: {type: object, properties: {x: {type: string}}}"), spec("a: {type: object, properties: {x: {type: string}}}, b: {type: object, properties: {x: {type: string}}}, c: {type: object, properties: {x: {type: string}}}"),
			`[{spoke: .spec.type, hub: {A: .spec.a.x, B: .spec.b.x}, variant: {}}]`,
			`v1beta1 row 1 (.spec.type <-> .spec.a.x, .spec.b.x): variant: .spec.type may be "C" in v1beta1, but there is no alternative with that name, although v1 has .spec.c.x: neither version shows this alternative in the other; add it: hub: {..., C: .spec.c.x}`,
			`[{spoke: .spec.type, hub: {A: .spec.a.x, B: .spec.b.x, C: .spec.c.x}, variant: {}}]`},
	})
	object := func(of string) string {
		return spec("o: {type: object, properties: {l: " + strings.TrimPrefix(of, "spec: ") + "}}")
	}
	c, err := tabled(t, object(beta), object(v1), `tables: {part: [`+strings.ReplaceAll(row(two, "{}"), ".spec", "")+`]}, rows: [{spoke: .spec.o.l, hub: .spec.o.l, table: part}]`)
	if err != nil {
		t.Fatal(err)
	}
	if all := c.Warnings(); len(all) != 1 || !strings.HasSuffix(all[0].Error(), "add it: hub: {..., Host-Path: .hostPathName}") {
		t.Errorf("in a table: %v", all)
	}
}
