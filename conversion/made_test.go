package conversion_test

import "testing"

// What a version requires in objects that rows make, and that a row may have nothing to
// fill with, is warned of, with what mends it; what is surely there is not.
func TestRequiredInWhatRowsMake(t *testing.T) {
	const parts = "host: {type: string}, port: {type: integer}"
	const tail = ": such an object still converts, but a client that changes it in v1 has to add the field; "
	const moves = `{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port}`
	need := func(names, members string) string {
		return "spec: {type: object, required: [" + names + "], properties: {" + members + "}}"
	}
	target := spec("target: {type: object, required: [port], properties: {" + parts + "}}")
	checkWarnings(t, map[string]warning{
		"an object": {spec(parts), target, `[` + moves + `]`,
			"v1beta1 row 2 (.spec.port <-> .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 creates without it if an object has no .spec.port" + tail + "add a default to .spec.port in the v1beta1 schema, or write the value that its absence means: default: {spoke: ...}",
			`[{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port, default: {spoke: 80}}]`},
		"in elements": {spec("l: {type: array, items: {type: object, properties: {" + parts + "}}}"), spec("l: {type: array, items: {type: object, properties: {target: {type: object, required: [port], properties: {" + parts + "}}}}}"),
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .host, hub: .target.host}, {spoke: .port, hub: .target.port}]}}]`,
			"v1beta1 row 1, each row 2 (.port <-> .target.port): v1 requires .spec.l.target.port in .spec.l.target, which row 1, each row 1 creates without it if an object has no .port" + tail + "add a default to .port in the v1beta1 schema, or write the value that its absence means: default: {spoke: ...}",
			`[{spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .host, hub: .target.host}, {spoke: .port, hub: .target.port, default: {spoke: 80}}]}}]`},
		"what is in brackets": {spec("at: {type: string}"), target, `[{spoke: .spec.at, hub: {host: .spec.target.host, port: .spec.target.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.target.host, .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 creates without it if the part in brackets is missing" + tail + "add a default to it in the v1 schema, or remove the brackets around it in the template",
			`[{spoke: .spec.at, hub: {host: .spec.target.host, port: .spec.target.port}, template: "{host}:{port}"}]`},
		"a hole in brackets": {need("at", "at: {type: string}"), need("host, port", parts), `[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.host, .spec.port): v1 requires .spec.port, but the template may omit it: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to it in the v1 schema, or remove the brackets around it in the template",
			`[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}]`},
		"the text of a template": {need("at", "at: {type: string}"), spec(parts), `[{spoke: .spec.at, hub: {host: .spec.host, port: .spec.port}, template: "{host}[:{port}]"}]`,
			"v1beta1 row 1 (.spec.at <-> .spec.host, .spec.port): v1beta1 requires .spec.at, but v1 does not require .spec.host, .spec.port: an object without it still converts, but a client that changes it in v1beta1 has to add the field; add a default to .spec.host, .spec.port in the v1 schema", ""},
		"the object itself": {spec("host: {type: string}"), need("target", "target: {type: object, properties: {host: {type: string}}}"), `[{spoke: .spec.host, hub: .spec.target.host}]`,
			"v1beta1 row 1 (.spec.host <-> .spec.target.host): v1 requires .spec.target, but v1beta1 does not require .spec.host, from which it is made: an object without it still converts, but a client that changes it in v1 has to add the field; add a default to .spec.host in the v1beta1 schema, or write the value that its absence means: default: {spoke: ...}",
			`[{spoke: .spec.host, hub: .spec.target.host, default: {spoke: x}}]`},
		"what the row takes for its absence": {spec("host: {type: string}, port: {type: integer, default: 80}"), target, `[{spoke: .spec.host, hub: .spec.target.host}, {spoke: .spec.port, hub: .spec.target.port, default: {hub: 80}}]`,
			"v1beta1 row 2 (.spec.port <-> .spec.target.port): v1 requires .spec.target.port in .spec.target, which row 1 creates without it if default: {hub: 80} omits the field for that value" + tail + "remove that default, or compute both sides with cel, which always writes the value", ""},
		"the object itself, which the row leaves out": {need("host", "host: {type: string}"), need("target", "target: {type: object, properties: {host: {type: string}}}"), `[{spoke: .spec.host, hub: .spec.target.host, default: {hub: x}}]`,
			`v1beta1 row 1 (.spec.host <-> .spec.target.host): v1 requires .spec.target, but default: {hub: "x"} omits the field for that value: an object without it still converts, but a client that changes it in v1 has to add the field; remove that default, or compute both sides with cel, which always writes the value`,
			`[{spoke: .spec.host, hub: .spec.target.host, cel: {toHub: self.spec.host, toSpoke: "self.spec.?target.?host.orValue('x')"}}]`},
		"written for true": {spec("secure: {type: boolean}"), target, `[{spoke: .spec.secure, hub: .spec.target, boolean: {presence: hub}}]`,
			"v1beta1 row 1 (.spec.secure <-> .spec.target): true: {} lacks .port, which v1 requires in .spec.target, so an object with it can't be written in v1; add it: true: {port: ...}",
			`[{spoke: .spec.secure, hub: .spec.target, boolean: {presence: hub, true: {port: 80}}}]`},
		"a constant": {spec(""), target, `[{hub: .spec.target, constant: {host: x}}]`,
			`v1beta1 row 1 (.spec.target): constant: {"host":"x"} lacks .port, which v1 requires in .spec.target, so an object with it can't be written in v1; add it: constant: {port: ...}`,
			`[{hub: .spec.target, constant: {host: x, port: 80}}]`},
		"an alternative": {spec("a: {type: object, properties: {" + parts + "}}, b: {type: object, properties: {" + parts + "}}"), spec("kind: {type: string}, value: {type: object, required: [port], properties: {" + parts + "}}"),
			`[{spoke: {A: .spec.a, B: .spec.b}, hub: {type: .spec.kind, value: .spec.value}, variant: {}}]`,
			"v1beta1 row 1 (.spec.a, .spec.b <-> .spec.kind, .spec.value): v1 requires .spec.value.port, but v1beta1 does not: an object without it still converts, but a client that changes it in v1 has to add it; add a default to it in the v1beta1 schema, or write the value that absence means: write variant: {rows: [{spoke: .port, hub: .port, default: {spoke: ...}}]}",
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
			"v1beta1 row 1, each row 1 (.name): name identifies the elements of the v1 list, but every element from v1beta1 would have the same value: the API server rejects a list with two such elements; map it to a field that is different in each element", ""},
		"objects that have nothing in common": {spec("meta: {type: object, properties: {transport: {type: string}}}"), spec("bootstrap: {type: object, properties: {cloudInit: {type: string}}}"),
			`[{spoke: .spec.meta, hub: .spec.bootstrap}]`,
			"v1beta1 row 1 (.spec.meta <-> .spec.bootstrap): the two objects have no field in common, so the other version only shows whether they exist; map the fields that correspond with rows of their own, for example {spoke: .spec.meta.transport, hub: .spec.bootstrap.cloudInit}, or remove the row",
			`[{spoke: .spec.meta.transport, hub: .spec.bootstrap.cloudInit}]`},
		"one of several that make it":     {spec(parts), need("target", "target: {type: object, properties: {"+parts+"}}"), `[` + moves + `]`, "", ""},
		"what a constant makes":           {spec("host: {type: string}"), need("target", "target: {type: object, properties: {"+parts+"}}"), `[{spoke: .spec.host, hub: .spec.target.host}, {hub: .spec.target.port, constant: 80}]`, "", ""},
		"an object that both may have":    {spec("target: {type: object, properties: {" + parts + "}}, p: {type: integer}"), target, `[{spoke: .spec.p, hub: .spec.target.port, default: {spoke: 80}}, {spoke: .spec.target.port}]`, "", ""},
		"a constant with a default in it": {spec(""), spec("target: {type: object, required: [port], properties: {host: {type: string}, port: {type: integer, default: 80}}}"), `[{hub: .spec.target, constant: {host: x}}]`, "", ""},
	})
}
