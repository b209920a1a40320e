package complement_test

// These are lists of every kind.
var (
	// keyed has a key whose name differs between the versions.
	keyed = tables{
		beta: "jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}, only: {type: string}}}}",
		v1:   "tasks: {type: array, items: {type: object, properties: {id: {type: string}, line: {type: string}, more: {type: string}}}}",
		rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .name, hub: .id}, {spoke: .cmd, hub: .line}]}}]",
	}
	// translated has a key whose values differ between the versions.
	translated = tables{
		beta: keyed.beta,
		v1:   keyed.v1,
		rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .name, hub: .id, values: {a: A, b: B}}, {spoke: .cmd, hub: .line}]}}]",
	}
	// plain has no key.
	plain = tables{
		beta: keyed.beta,
		v1:   keyed.v1,
		rows: "[{spoke: .spec.jobs, hub: .spec.tasks, each: {rows: [{spoke: .name, hub: .id}, {spoke: .cmd, hub: .line}]}}]",
	}
	// single is a value that is a list in the other version.
	single = tables{
		beta: "backend: {type: object, properties: {service: {type: string}, only: {type: string}}}",
		v1:   "backends: {type: array, items: {type: object, properties: {name: {type: string}, more: {type: string}}}}",
		rows: "[{spoke: .spec.backend, hub: .spec.backends, single: {rows: [{spoke: .service, hub: .name}]}}]",
	}
	// parted are two lists that are parts of one.
	parted = tables{
		beta: "http: {type: array, items: {type: object, properties: {host: {type: string}, only: {type: string}}}}, tcp: {type: array, items: {type: object, properties: {port: {type: integer}}}}",
		v1:   "rules: {type: array, items: {type: object, properties: {type: {type: string}, host: {type: string}, port: {type: integer}, more: {type: string}}}}",
		rows: "[{spoke: {http: .spec.http, tcp: .spec.tcp}, hub: .spec.rules, where: [{place: http, match: {.type: HTTP}, rows: [{spoke: .host, hub: .host}]}, {place: tcp, match: {.type: TCP}}]}]",
	}
	// named is a list that is a map in the other version.
	named = tables{
		beta: "env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, only: {type: string}}}}",
		v1:   "env: {type: object, additionalProperties: {type: string}}",
		rows: "[{spoke: .spec.env, hub: .spec.env, keyed: {key: name, value: value}}]",
	}
)
