package conversion_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestVariantProblems is TestMappingProblems for a row with several places.
func TestVariantProblems(t *testing.T) {
	lists := "l: {type: array, items: {type: object, properties: {x: {type: string}}}}"
	beta, v1 := spec("cm: {type: string}, sec: {type: string}, d: {type: string, default: x}, o: {type: object, properties: {x: {type: string}, p: {type: string}}}, "+lists+", "+strings.Replace(lists, "l", "m", 1)),
		spec("kind: {type: string, enum: [ConfigMap, Secret]}, name: {type: string}, any: {x-kubernetes-preserve-unknown-fields: true}, num: {type: integer}, o: {type: object, properties: {x: {type: string}}}, "+strings.Replace(lists, "x:", "y:", 1))
	for _, test := range []struct{ row, want string }{
		{`{spoke: .spec.cm, hub: .spec.kind, variant: {}}`, `a variant maps the alternatives on one side, each under its value of the discriminator, to the discriminator on the other: one path, or {type: ..., value: ...}; for example spoke: {ConfigMap: .spec.configMapName, Secret: .spec.secretName}, hub: {type: .spec.ref.kind, value: .spec.ref.name}, variant: {}`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}}`, `the row names several fields of a side, but has no mapping for them; add one, for example variant: {}`},
		{`{spoke: {a: .spec.cm, b: .spec.sec}, hub: .spec.name}`, `the row names several fields of a side, but has no mapping for them; add one: template: "{a}:{b}" for a text, where: [...] for a list, variant: {} for a discriminator, or cel: {toHub: ..., toSpoke: ...}; or write a row for each`},
		{`{spoke: {ConfigMap: .spec.l, Secret: .spec.m}, hub: {type: .spec.o.x, value: .spec.o}, variant: {}}`, `variant: the discriminator is in .spec.o, so this field can't be the value of the alternatives; name only the discriminator, hub: .spec.o.x, and map the fields beside it with rows of their own`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.o}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}, {spoke: .spec.o.x, hub: .spec.o.x}`, `row 2 names a field inside of a field that this row maps; put every field into only one row: move row 2 into this one, variant: {rows: [...]}, with paths that start at the value`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {kind: .spec.kind, name: .spec.name}, variant: {}}`, `variant: the names of the discriminator and the value must be type and value, but the hub has kind, name; write hub: {type: .spec.kind, value: .spec.name}, or the other way round`},
		{`{spoke: {ConfigMap: .spec.o, Secret: .spec.cm}, hub: {type: .spec.kind, value: .spec.any}, variant: {}}`, `variant: .spec.o is of type object, but the value .spec.any is of type any; add rows that convert one into the other: variant: {alternatives: [{name: ConfigMap, rows: [{spoke: .p, hub: .p}]}, ...]}; or, if the union has a field for every alternative, map these with rows of their own, and name only the discriminator here`},
		{`{spoke: {ConfigMap: .spec.cm}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}`, `variant: there is only one alternative; name them all`},
		{`{spoke: {ConfigMap: .spec.cm, Sekret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}`, `variant: "Sekret" as the discriminator .spec.kind is not in the enum of the field, which is "ConfigMap", "Secret"; did you mean Secret?; name the alternatives by the values of the discriminator`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: .spec.num, variant: {}}`, `variant: "ConfigMap" as the discriminator .spec.num is not valid there: it is of type integer; name the alternatives by the values of the discriminator`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.o}, hub: {type: .spec.kind, value: .spec.o}, variant: {}}`, `variant: .spec.cm is of type string, but the value .spec.o is of type object; add rows that convert one into the other: variant: {alternatives: [{name: ConfigMap, rows: [{spoke: ., hub: .x}]}]}; or, if the union has a field for every alternative, map these with rows of their own, and name only the discriminator here`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {}, default: {spoke: x}}`, `the row of a variant can't have a default: the discriminator is absent if every alternative is; remove default`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: .spec.kind, variant: {rows: [{spoke: .a, hub: .b}]}}`, `variant: rows, table, alternatives and elsewhere are for the value, but the row has no field for it; add the field of the value, hub: {type: ..., value: ...}; or map the alternatives with rows of their own, and write variant: {}`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Sekret]}}`, `variant: there is no alternative Sekret; use one of ConfigMap, Secret`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Secret], alternatives: [{name: Secret}]}}`, `variant: the alternative Secret is named twice; name it once, in alternatives or in elsewhere`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [ConfigMap, Secret]}}`, `variant: every alternative is elsewhere, so none is left for the value; name only the discriminator, and write variant: {}`},
		{`{spoke: {ConfigMap: .spec.o, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.o}, variant: {rows: [{spoke: .x, hub: .x}]}}`, `variant: .spec.sec is of type string, but the value .spec.o is of type object; add rows that convert one into the other: variant: {alternatives: [{name: Secret, rows: [{spoke: ., hub: .x}]}]}`},
		{`{spoke: {ConfigMap: .spec.d, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {alternatives: [{name: Secret}]}}`, `variant: .spec.d has a default, but it is not known which alternative the default is for; remove the default from the schema`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Secret]}}`, `variant: .spec.sec is in elsewhere, but no row maps it to the other version; map it with a row of its own`},
		{`{spoke: {ConfigMap: .spec.l, Secret: .spec.m}, hub: {type: .spec.kind, value: .spec.l}, variant: {}}`, `variant: .spec.l is of type list, but the value .spec.l is of type list; add rows that convert one into the other: variant: {rows: [...]}; or, if the union has a field for every alternative, map these with rows of their own, and name only the discriminator here`},
	} {
		crd := versions(t, map[string]string{"v1beta1": beta, "v1": v1})
		_, err := conversion.Compile(crd, table(t, `[`+test.row+`]`))
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

// TestMappingProblems holds the messages for mappings that do not fit: each says
// how to mend it.
func TestMappingProblems(t *testing.T) {
	any, text, number, truth, list := "{x-kubernetes-preserve-unknown-fields: true}", "{type: string}", "{type: integer}", "{type: boolean}", "{type: array, items: {type: string}}"
	objects := "{type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, port: {type: integer}, tls: {type: boolean}}}}"
	for _, test := range []struct{ a, b, mapping, want string }{
		{number, text, `scalar: {hub: duration}`, `scalar: the unit of the number .spec.a is missing, which is mapped to a duration; add it, for example unit: s`},
		{number, text, `scalar: {hub: duration, unit: Mi}`, `scalar: "Mi" is not a unit of time; use one of ns, us, ms, s, m, h, d`},
		{number, text, `scalar: {hub: quantity, unit: s}`, `scalar: "s" is not a unit of quantities; use one of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei`},
		{number, text, `scalar: {hub: duration, unit: {hub: s}}`, `scalar: unit: hub is a duration; remove it: a duration has its own unit`},
		{text, text, `scalar: {spoke: quantity, hub: duration}`, `scalar: a quantity can't be converted into a duration; map it to a number, or to another field`},
		{text, text, `scalar: {}`, `scalar: both sides are a string; remove scalar, or write the units of both sides: scalar: {unit: {spoke: s, hub: ms}}`},
		{text, number, `scalar: {unit: s}`, `scalar: .spec.a is text, but the row does not say that it is a duration; write the notation: scalar: {spoke: duration, unit: s}`},
		{text, number, `scalar: {unit: seconds}`, `scalar: "seconds" is not a unit; write the notation of the text .spec.a and the unit of the number: scalar: {spoke: duration, unit: s}; units of time are ns, us, ms, s, m, h, d`},
		{number, text, `scalar: {unit: Mi}`, `scalar: .spec.b is text, but the row does not say that it is a quantity; write the notation: scalar: {hub: quantity, unit: Mi}`},
		{number, number, `scalar: {unit: s}`, `scalar: both sides are plain numbers, which need two units; write the unit of each side: unit: {spoke: s, hub: ms}`},
		{number, number, `scalar: {unit: {spoke: s, hub: Mi}}`, `scalar: "s" and "Mi" are not units of the same kind; use two units of time (ns, us, ms, s, m, h, d), two suffixes of quantities (1 for none), or % and 1`},
		{text, text, `scalar: {unit: s}`, `scalar: both sides are text, but unit is for a number; remove it, or map the text to a number`},
		{number, truth, `scalar: {}`, `scalar: a boolean can only be mapped to a string, but .spec.a is an integer`},
		{number, text, `scalar: {spoke: duration}`, `scalar: spoke: .spec.a is of type integer, which cannot hold a duration; .spec.b can hold one: write hub: duration, not spoke: duration`},
		{number, number, `scalar: {spoke: duration}`, `scalar: spoke: .spec.a is of type integer, which cannot hold a duration; name a field of that type, or another notation`},
		{list, text, `scalar: {}`, `scalar is for single values, but .spec.a is of type list; write the notation: scalar: {spoke: ...}, one of string, integer, number, boolean, int-or-string, quantity, duration, percentage`},
		{text, number, `scalar: {spoke: time}`, `scalar: spoke: "time" is not a notation; choose one of string, integer, number, boolean, int-or-string, quantity, duration, percentage`},
		{truth, text, `scalar: {round: up}`, `scalar: a boolean has no unit; remove unit and round`},

		{truth, text, `boolean: {}`, `boolean is empty; write negate: true, or presence: hub (or spoke), or the two values: {true: Enabled, false: Disabled}`},
		{truth, text, `boolean: {negate: true}`, `boolean: negate maps a boolean to a boolean, but .spec.b is of type string; name a boolean`},
		{truth, text, `boolean: {true: Enabled}`, `boolean: one of true and false is missing; give both: boolean: {true: ..., false: ...}`},
		{truth, text, `boolean: {true: x, false: x}`, `boolean: true and false are both "x"; give two values`},
		{truth, "{type: string, enum: [Some, None]}", `boolean: {true: Some, false: Non}`, `boolean: false "Non": is not in the enum of the field, which is "Some", "None"; did you mean None?`},
		{truth, text, `boolean: {true: on, false: off}`, `boolean: true true: the field is of type string; put the value in quotes; without quotes, true, false, yes, no, on, off, y and n are booleans`},
		{any, any, `boolean: {true: Strict, false: Loose}`, `boolean: .spec.a and .spec.b allow any type, so it is not known which of them is the boolean; if the spoke has the boolean, use values: values: {"true": Strict, "false": Loose}, closed: true`},
		{text, text, `boolean: {true: x, false: z}`, `boolean: .spec.a is of type string, .spec.b is of type string; name a boolean on one side`},
		{truth, text, `boolean: {presence: hub}`, `boolean: .spec.b is of type string, and there is no value to write for true; add the value for true: boolean: {presence: hub, true: ...}`},
		{text, "{type: object}", `boolean: {presence: hub}`, `boolean: the side that presence does not name must be the boolean, but .spec.a is of type string; name a boolean`},
		{truth, "{type: object}", `boolean: {presence: hub, negate: true}`, `boolean: negate maps a boolean to a boolean, but presence, true and false map a boolean to another type; keep one of them`},

		{text, list, `join: {}`, `join has no separator; write the text between two elements: join: {separator: ","}`},
		{text, text, `join: {separator: ","}`, `join maps a string to a list: .spec.a is of type string, .spec.b is of type string; name a string on one side and a list on the other`},
		{text, "{type: array, items: {type: object}}", `join: {separator: ","}`, `join: the elements of .spec.b are not strings or integers; name a list of strings or integers`},

		{text, text, `text: yaml`, `text maps a string to the data in it, but both fields are strings, which need no mapping; remove text, or add the schema of the data to one of them`},
		{text, number, `text: yaml`, `text maps a string to the data in it: .spec.a is of type string, .spec.b is of type integer; name a string on one side, and an object or a list on the other`},
		{text, objects, `text: toml`, `text: "toml" is not a format; use json or yaml`},
		{text, text, `single: {}`, `single maps a field to a list whose only element it is: .spec.a is of type string, .spec.b is of type string; name a list on one side only`},
		{text, objects, `single: {}`, `single: .spec.a is of type string, but the elements of .spec.b are of type object; add rows that convert one into the other, for example single: {rows: [{spoke: ., hub: .name}]} (value also fits)`},
		{text, list, `single: {}, default: {spoke: x}`, `a row for lists or maps can't have a default; remove default`},
		{list, list, `wrap: name`, `wrap maps single values to objects: the elements of .spec.a are of type string, the elements of .spec.b are of type string; use each, with a row for every field`},
		{list, "{type: array, items: {type: object, properties: {name: {type: string}}}}", `wrap: nam`, `wrap: nam is not a field of the elements of .spec.b; did you mean name?`},
		{text, list, `wrap: name`, `wrap is for two lists or two maps: .spec.a is of type string in v1beta1, .spec.b is of type list in v1; add a mapping that converts one into the other, for example join: {separator: ","} or single: {}; or name two lists or two maps`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {}`, `keyed has no key; name the field of the list's elements that is the key in the map: keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: nam, value: value}`, `keyed: nam is not a field of the elements of .spec.a; did you mean name?`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: tls, value: value}`, `keyed: the key tls is of type boolean, but the keys of a map are strings; use a key of type string or integer`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed: the values of .spec.b are of type string, and not objects; name the field of the list's elements that has the values: keyed: {key: name, value: ...}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: value, doubled: all}`, `keyed: doubled is "all", but must be first or last; use first or last`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: value, rows: [{spoke: .value, hub: ., values: {a: b}}]}`, `keyed: value value maps the values of the map to that field, but a row also maps them; remove value`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: tls}`, `keyed: the types do not fit: .spec.a.tls is of type boolean, .spec.b is of type string; replace keyed with keyed: {key: name, rows: [{spoke: .tls, hub: ., boolean: {true: Enabled, false: Disabled}}]}`},
		{list, objects, `each: {}`, `the types of the elements of the lists do not fit: string in v1beta1, object in v1; map them, for example each: {rows: [{spoke: ., hub: .name}]} or wrap: name (value also fits), or remove the row`},
		{"{type: array, items: {type: object, properties: {a: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}, f: {type: integer}}}}", list, `each: {}`, `the types of the elements of the lists do not fit: object in v1beta1, string in v1; map them, for example each: {rows: [{spoke: .a, hub: .}]} or wrap: a (c, d and 1 more also fit), or remove the row`},
		{"{type: array, items: {type: integer}}", list, `each: {}`, `the types of the elements of the lists do not fit: integer in v1beta1, string in v1; map them, for example each: {rows: [{spoke: ., hub: ., scalar: {}}]}, or remove the row`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {value: {type: string}}}}", `keyed: {key: name, value: value}`, `keyed: value value is of type string, but the values of .spec.b are objects; remove value, because each value of the map is an element without its key: keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {num: {type: integer}, text: {type: string}}}}", `keyed: {key: name, value: value}`, `keyed: value value is of type string, but the values of .spec.b are objects; remove value, because each value of the map is an element without its key: keyed: {key: name, rows: [{spoke: .value, hub: .text}]}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: .name, value: value}`, `keyed: the key must be the name of a field, but .name is a path; write keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {name: {type: string}, value: {type: string}}}}", `keyed: {key: name, rows: [{spoke: .name, hub: .name}]}`, `crosswalk things.example.com: v1beta1 row 1, keyed row 1 (.name <-> .name): keyed: name is part of the key in the map, but this row maps it to another field; if the values of the map also have it, replace the row with {hub: .name, cel: {toHub: self.name}}`},
		{number, number, `scalar: {unit: {spoke: ms, hub: sec}}`, `scalar: "ms" and "sec" are not units of time; did you mean unit: {spoke: ms, hub: s}?`},
		{number, "{type: number}", `scalar: {unit: {spoke: percent, hub: fraction}}`, `scalar: "percent" and "fraction" are not units of percentages; did you mean unit: {spoke: "%", hub: "1"}?`},
		{number, number, `scalar: {unit: {spoke: ms, hub: beats}}`, `scalar: "beats" is not a unit; units of time are ns, us, ms, s, m, h, d; those of quantities n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, and 1; those of percentages % and 1`},
		{number, "{type: number}", `scalar: {hub: percentage}`, `scalar: hub: .spec.b is of type number, which cannot hold a percentage; if both are plain numbers, write their units: scalar: {unit: {spoke: "%", hub: "1"}}`},
		{"{type: number}", "{type: number}", `scalar: {hub: percentage}`, `scalar: hub: .spec.b is of type number, which cannot hold a percentage; if both are plain numbers, write their units: scalar: {unit: {spoke: "1", hub: "%"}}`},
		{objects, objects, `each: {rows: [{spoke: .spec.a.name, hub: .value}, {spoke: .value, hub: .name}]}`, `spoke path .spec.a.name is not in the v1beta1 schema; the paths of these rows start at the element or value: did you mean .name?`},
		{"{type: array, items: {type: object, properties: {meta: {type: object, properties: {name: {type: string}}}, value: {type: string}}}}", "{type: object, additionalProperties: {type: string}}", `keyed: {key: meta.name, value: value}`, `keyed: the key in the map can only have fields of the element itself, but .meta.name is in an object in the element; compute both fields with cel, with toHub: self.spec.a.transformMapEntry(i, e, {e.meta.name: e.value})`},
		{number, text, `scalar: {hub: quantity, unit: MiB}`, `scalar: "MiB" is not a unit of quantities; did you mean Mi?`},
		{number, text, `scalar: {hub: duration, unit: seconds}`, `scalar: "seconds" is not a unit of time; did you mean s?`},
		{"{type: array, items: {type: object, properties: {c: {type: string}}}}", objects, `each: {rows: [{spoke: .c, hub: .name, cel: {toHub: self.spec.a.c, toSpoke: self.name}}]}`, "cel: toHub: at character 5: undefined field 'spec'; self is the element here, or the object that the table is used for; the whole object is object"},
		{text, text, `cel: {toHub: self.a, toSpoke: self.spec.b}`, "cel: toHub: at character 5: undefined field 'a'; did you mean self.spec.a?"},
		{text, text, `template: "v{tag}"`, `the template has the placeholder {tag}, but neither side has named fields; name the field of the placeholder, for example hub: {tag: .spec.b}`},
		{"{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed maps a list to a map, but both fields are maps; map two maps with each: {rows: [...]}`},
		{list, objects, `wrap: port`, `wrap: the types do not fit: .spec.a is of type string, .spec.b.port is of type integer; replace wrap with each: {rows: [{spoke: ., hub: .port, scalar: {}}]}`},
		{objects, list, `keyed: {key: name}`, `keyed maps a list to a map, but both fields are lists; map two lists with each: {key: name, unique: true}, or without unique if a schema has that key as x-kubernetes-list-map-keys`},
		{objects, "{type: object, properties: {x: {type: string}, z: {type: integer}}}", `keyed: {key: name, value: value}`, `keyed maps a list to a map, or to an object whose fields have all the same type, but the types of the fields of .spec.b differ; map them with entries: {hub: {x: .spec.b.x, z: .spec.b.z}, spoke: .spec.a, entries: {name: name, value: value}}`},
		{list, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed: the elements of .spec.a are not objects, so they have no key; name a list of objects`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {p: {type: integer}}}}", `keyed: {key: name, rows: [{spoke: .port, hub: .p}, {spoke: .value, drop: old, sensitive: true}]}`, `an element that the other version can't represent is kept whole, but a field in it is sensitive; map the lists with each, or drop the field with a reason`},
		{text, list, `single: {longer: last}`, `single: longer is "last", but must be first or none; use first or none`},
		{list, list, `each: {rows: [{spoke: ., hub: .}]}`, `the elements of the two sides correspond without this row; remove the row`},
		{text, "{type: boolean}", `boolean: {true: "on", false: "off"}, default: {spoke: true}`, `default spoke: true is not of type string; write the value that an absent .spec.a means, as v1beta1 writes it`},
		{text, text, `default: {hub: on}`, `default hub: true is not of type string; put the value in quotes; without quotes, true, false, yes, no, on, off, y and n are booleans`},
		{list, objects, `each: {rows: [{spoke: ., hub: .name, default: {spoke: x}}]}`, `default spoke: the path . is the element itself, which can't be absent; remove it`},
		{list, list, `each: {rows: [{spoke: ., drop: x}]}`, `the path . is the element itself, which the row of the list or map handles; remove the row`},
		{objects, "{type: array, items: {type: object, properties: {x: {type: object, properties: {name: {type: string}}}}}}", `each: {rows: [{spoke: ., hub: .x}]}`, `the element itself and .x are objects with different fields; map their fields with rows of their own, for example {spoke: .name, hub: .x.name}`},

		{truth, truth, `boolean: {negate: true}, sensitive: true`, `a sensitive value can't be kept in an annotation, so its row must be exact; use a row without a mapping for it`},
		{number, text, `scalar: {}, join: {separator: ","}`, `scalar and join in one row: a row can have only one mapping; keep one of them, or compute both with cel`},
		{number, text, `scalar: {}, constant: 1`, `scalar and constant in one row: a row can have only one mapping; keep one of them`},
	} {
		t.Run(test.mapping, func(t *testing.T) {
			crd := versions(t, map[string]string{"v1beta1": spec("a: " + test.a), "v1": spec("b: " + test.b)})
			_, err := conversion.Compile(crd, table(t, `[{spoke: .spec.a, hub: .spec.b, `+test.mapping+`}]`))
			if err == nil {
				t.Fatal("it compiles")
			}
			const prefix = "crosswalk things.example.com: v1beta1 row 1 (.spec.a <-> .spec.b): "
			got := strings.TrimPrefix(err.Error(), prefix)
			if inner := "crosswalk things.example.com: v1beta1 row 1, each row 1 "; strings.HasPrefix(got, inner) {
				_, got, _ = strings.Cut(got, "): ")
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
