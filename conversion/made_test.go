package conversion_test

import "testing"

// What a version requires in objects that rows make, and that a row may have nothing to
// fill with, is warned of, with what mends it; what is surely there is not.
func TestRequiredInWhatRowsMake(t *testing.T) {
	const parts = "host: {type: string}, port: {type: integer}"
	const tail = ": such an object converts all the same, but whoever changes it in v1 has to add it; "
	const moves = `{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port}`
	need := func(names, members string) string {
		return "spec: {type: object, required: [" + names + "], properties: {" + members + "}}"
	}
	target := spec("target: {type: object, required: [port], properties: {" + parts + "}}")
	checkWarnings(t, map[string]warning{
		"an object": {spec(parts), target, `[` + moves + `]`,
			"v1beta1 row 2 (.spec.port <-> .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 makes without it where there is no .spec.port" + tail + "give .spec.port a default in the v1beta1 schema, or say what its absence stands for: default: {spoke: ...}",
			`[{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port, default: {spoke: 80}}]`},
		"in elements": {spec("l: {type: array, items: {type: object, properties: {" + parts + "}}}"), spec("l: {type: array, items: {type: object, properties: {target: {type: object, required: [port], properties: {" + parts + "}}}}}"),
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .host, hub: .target.host}, {spoke: .port, hub: .target.port}]}}]`,
			"v1beta1 row 1, each row 2 (.port <-> .target.port): v1 requires .spec.l.target.port in .spec.l.target, which row 1, each row 1 makes without it where there is no .port" + tail + "give .port a default in the v1beta1 schema, or say what its absence stands for: default: {spoke: ...}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .host, hub: .target.host}, {spoke: .port, hub: .target.port, default: {spoke: 80}}]}}]`},
		"what is in brackets": {spec("at: {type: string}"), target, `[{spoke: .spec.at, hub: {host: .spec.target.host, port: .spec.target.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.target.host, .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 makes without it where the part in brackets is missing" + tail + "give it a default in the v1 schema, or write the template without brackets around it",
			`[{spoke: .spec.at, hub: {host: .spec.target.host, port: .spec.target.port}, template: "{host}:{port}"}]`},
		"a hole in brackets": {need("at", "at: {type: string}"), need("host, port", parts), `[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.host, .spec.port): v1 requires .spec.port, and the template may leave it out: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1 schema, or write the template without brackets around it",
			`[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}]`},
		"the text of a template": {need("at", "at: {type: string}"), spec(parts), `[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.host, .spec.port): v1beta1 requires .spec.at, and v1 does not require .spec.host, .spec.port: an object without it converts all the same, but whoever changes it in v1beta1 has to add it; give .spec.host, .spec.port a default in the v1 schema", ""},
		"the object itself": {spec("host: {type: string}"), need("target", "target: {type: object, properties: {host: {type: string}}}"), `[{spoke: .spec.host, hub: .spec.target.host}]`,
			"v1beta1 row 1 (.spec.host <-> .spec.target.host): v1 requires .spec.target, and v1beta1 does not require .spec.host, which makes it: an object without it converts all the same, but whoever changes it in v1 has to add it; give .spec.host a default in the v1beta1 schema, or say what its absence stands for: default: {spoke: ...}",
			`[{spoke: .spec.host, hub: .spec.target.host, default: {spoke: x}}]`},
		"what the row takes for its absence": {spec("host: {type: string}, port: {type: integer, default: 80}"), target, `[{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port, default: {hub: 80}}]`,
			"v1beta1 row 2 (.spec.port <-> .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 makes without it where default: {hub: 80} leaves it out for that value" + tail + "leave out that default, or compute both sides by cel, which writes the value out", ""},
		"the object itself, which the row leaves out": {need("host", "host: {type: string}"), need("target", "target: {type: object, properties: {host: {type: string}}}"), `[{spoke: .spec.host, hub: .spec.target.host, default: {hub: x}}]`,
			`v1beta1 row 1 (.spec.host <-> .spec.target.host): v1 requires .spec.target, and default: {hub: "x"} leaves it out for that value: an object without it converts all the same, but whoever changes it in v1 has to add it; leave out that default, or compute both sides by cel, which writes the value out`,
			`[{spoke: .spec.host, hub: .spec.target.host, cel: {toHub: self.spec.host, toSpoke: "self.spec.?target.?host.orValue('x')"}}]`},
		"written for true": {spec("secure: {type: boolean}"), target, `[{spoke: .spec.secure, hub: .spec.target, boolean: {presence: hub}}]`,
			"v1beta1 row 1 (.spec.secure <-> .spec.target): true: {} lacks .port, which v1 requires in .spec.target, so that no object with it can be written in v1; say it: true: {port: ...}",
			`[{spoke: .spec.secure, hub: .spec.target, boolean: {presence: hub, true: {port: 80}}}]`},
		"a constant": {spec(""), target, `[{hub: .spec.target, constant: {host: x}}]`,
			`v1beta1 row 1 (.spec.target): constant: {"host":"x"} lacks .port, which v1 requires in .spec.target, so that no object with it can be written in v1; say it: constant: {port: ...}`,
			`[{hub: .spec.target, constant: {host: x, port: 80}}]`},
		"an alternative": {spec("a: {type: object, properties: {" + parts + "}}, b: {type: object, properties: {" + parts + "}}"), spec("kind: {type: string}, value: {type: object, required: [port], properties: {" + parts + "}}"),
			`[{spoke: {A: .spec.a, B: .spec.b}, hub: {type: .spec.kind, value: .spec.value}, variant: {}}]`,
			"v1beta1 row 1 (.spec.a, .spec.b <-> .spec.kind, .spec.value): v1 requires .spec.value.port, and v1beta1 does not: an object without it converts all the same, but whoever changes it in v1 has to add it; give it a default in the v1beta1 schema, or say what absence stands for: write variant: {rows: [{spoke: .port, hub: .port, default: {spoke: ...}}]}",
			`[{spoke: {A: .spec.a, B: .spec.b}, hub: {type: .spec.kind, value: .spec.value}, variant: {rows: [{spoke: .port, hub: .port, default: {spoke: 80}}]}}]`},

		"required in both":              {need("port", parts), need("target", "target: {type: object, required: [port], properties: {"+parts+"}}"), `[` + moves + `]`, "", ""},
		"with a default":                {spec("host: {type: string}, port: {type: integer, default: 80}"), spec("target: {type: object, required: [port], properties: {host: {type: string}, port: {type: integer, default: 80}}}"), `[` + moves + `]`, "", ""},
		"required beside what makes it": {spec("o: {type: object, required: [port], properties: {" + parts + "}}"), target, `[{spoke: .spec.o.host, hub: .spec.target.host}, {spoke: .spec.o.port, hub: .spec.target.port}]`, "", ""},
		"one row alone":                 {spec("port: {type: integer}"), target, `[{spoke: .spec.port, hub: .spec.target.port}]`, "", ""},
		"a constant beside it":          {spec("host: {type: string}"), target, `[{spoke: .spec.host, hub: .spec.target.host}, {hub: .spec.target.port, constant: 80}]`, "", ""},
		"both holes of a template":      {spec("at: {type: string}"), target, `[{spoke: .spec.at, hub: {host: .spec.target.host, port: .spec.target.port}, template: "{host}:{port}"}]`, "", ""},
		"an expression":                 {spec(parts), target, `[{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port, cel: {toHub: "self.spec.?port.orValue(80)", toSpoke: self.spec.target.port}}]`, "", ""},
		"which alternative is there":    {spec("http: {type: object}, tcp: {type: object}"), spec("probe: {type: object, required: [type], properties: {type: {type: string}, http: {type: object}, tcp: {type: object}}}"), `[{spoke: .spec.http, hub: .spec.probe.http}, {spoke: .spec.tcp, hub: .spec.probe.tcp}, {spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.probe.type, variant: {}}]`, "", ""},
		"a key that is a constant": {spec("l: {type: array, items: {type: object, properties: {p: {type: string}}}}"), spec("l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, p: {type: string}}}}"),
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{hub: .name, constant: eth0}]}}]`,
			"v1beta1 row 1, each row 1 (.name): name tells the elements of the v1 list apart, and every one that comes from v1beta1 would have the same: the API server refuses a list with two such elements; tie it to something that differs in each element", ""},
		"objects that have nothing in common": {spec("meta: {type: object, properties: {transport: {type: string}}}"), spec("bootstrap: {type: object, properties: {cloudInit: {type: string}}}"),
			`[{spoke: .spec.meta, hub: .spec.bootstrap}]`,
			"v1beta1 row 1 (.spec.meta <-> .spec.bootstrap): the two objects have no field in common, so only that they are there is shown in the other version; tie what belongs together by rows of its own, for example {spoke: .spec.meta.transport, hub: .spec.bootstrap.cloudInit}, or remove the row",
			`[{spoke: .spec.meta.transport, hub: .spec.bootstrap.cloudInit}]`},
		"one of several that make it":     {spec(parts), need("target", "target: {type: object, properties: {"+parts+"}}"), `[` + moves + `]`, "", ""},
		"what a constant makes":           {spec("host: {type: string}"), need("target", "target: {type: object, properties: {"+parts+"}}"), `[{spoke: .spec.host, hub: .spec.target.host}, {hub: .spec.target.port, constant: 80}]`, "", ""},
		"an object that both may have":    {spec("target: {type: object, properties: {" + parts + "}}, p: {type: integer}"), target, `[{spoke: .spec.p, hub: .spec.target.port, default: {spoke: 80}}, {spoke: .spec.target.port}]`, "", ""},
		"a constant with a default in it": {spec(""), spec("target: {type: object, required: [port], properties: {host: {type: string}, port: {type: integer, default: 80}}}"), `[{hub: .spec.target, constant: {host: x}}]`, "", ""},
	})
}
