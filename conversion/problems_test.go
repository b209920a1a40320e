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
		{`{spoke: .spec.cm, hub: .spec.kind, variant: {}}`, `a variant ties the alternatives on one side, named as the discriminator calls them, to the discriminator on the other: one path, or {type: ..., value: ...}; for example spoke: {ConfigMap: .spec.configMapName, Secret: .spec.secretName}, hub: {type: .spec.ref.kind, value: .spec.ref.name}, variant: {}`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}}`, `the row names several places of a side, and no mapping says how they are tied; add one, as variant: {}`},
		{`{spoke: {a: .spec.cm, b: .spec.sec}, hub: .spec.name}`, `the row names several places of a side, and no mapping says how they are tied; add one, as template: "{a}:{b}" beside a text, where: [...] beside a list, variant: {} beside what says which is there, or cel: {toHub: ..., toSpoke: ...}; or write a row for each`},
		{`{spoke: {ConfigMap: .spec.l, Secret: .spec.m}, hub: {type: .spec.o.x, value: .spec.o}, variant: {}}`, `variant: the discriminator is in .spec.o, so that this is no value of the alternatives; name the discriminator alone, hub: .spec.o.x, and tie what is beside it by rows of their own`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.o}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}, {spoke: .spec.o.x, hub: .spec.o.x}`, `row 2 reaches into a place that this row maps; let every place belong to one row: write row 2 within this one, variant: {rows: [...]}, with paths that start at the value`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {kind: .spec.kind, name: .spec.name}, variant: {}}`, `variant: the place of the discriminator is named type, and that of the value value, and the hub has kind, name; write hub: {type: .spec.kind, value: .spec.name}, or the other way round`},
		{`{spoke: {ConfigMap: .spec.o, Secret: .spec.cm}, hub: {type: .spec.kind, value: .spec.any}, variant: {}}`, `variant: .spec.o is of type object, and the value .spec.any of type any; say by rows how one becomes the other: variant: {alternatives: [{name: ConfigMap, rows: [{spoke: .p, hub: .p}]}, ...]}; or, where the union has a place for every alternative, tie these by rows of their own, and name the discriminator alone here`},
		{`{spoke: {ConfigMap: .spec.cm}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}`, `variant: there is one alternative only; name them all`},
		{`{spoke: {ConfigMap: .spec.cm, Sekret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {}}`, `variant: "Sekret" as the discriminator .spec.kind is not in the enum of the place, which is "ConfigMap", "Secret"; did you mean Secret?; name the alternatives as the discriminator calls them`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: .spec.num, variant: {}}`, `variant: "ConfigMap" as the discriminator .spec.num cannot stand there: it is of type integer; name the alternatives as the discriminator calls them`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.o}, hub: {type: .spec.kind, value: .spec.o}, variant: {}}`, `variant: .spec.cm is of type string, and the value .spec.o of type object; say by rows how one becomes the other: variant: {alternatives: [{name: ConfigMap, rows: [{spoke: ., hub: .x}]}]}; or, where the union has a place for every alternative, tie these by rows of their own, and name the discriminator alone here`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {}, default: {spoke: x}}`, `a variant says itself what absence means: the discriminator is absent where no alternative is there; remove default`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: .spec.kind, variant: {rows: [{spoke: .a, hub: .b}]}}`, `variant: rows, table, alternatives and elsewhere are about the value, and the row names no place for it; name the place of the value, hub: {type: ..., value: ...}; or tie the alternatives by rows of their own, and say variant: {}`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Sekret]}}`, `variant: no alternative is named Sekret; take one of ConfigMap, Secret`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Secret], alternatives: [{name: Secret}]}}`, `variant: the alternative Secret is named twice; name it once, in alternatives or in elsewhere`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [ConfigMap, Secret]}}`, `variant: every alternative is elsewhere, so that the value is for none; name the discriminator alone, and say variant: {}`},
		{`{spoke: {ConfigMap: .spec.o, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.o}, variant: {rows: [{spoke: .x, hub: .x}]}}`, `variant: .spec.sec is of type string, and the value .spec.o of type object; say how one becomes the other, for example variant: {rows: [{spoke: ., hub: ., single: {}}]}, or by rows for Secret among its alternatives`},
		{`{spoke: {ConfigMap: .spec.d, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {alternatives: [{name: Secret}]}}`, `variant: .spec.d has a default, and nothing says which alternative it stands for; remove the default from the schema`},
		{`{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: {type: .spec.kind, value: .spec.name}, variant: {elsewhere: [Secret]}}`, `variant: .spec.sec is elsewhere, and the other version has nothing of it; tie it by a row of its own`},
		{`{spoke: {ConfigMap: .spec.l, Secret: .spec.m}, hub: {type: .spec.kind, value: .spec.l}, variant: {}}`, `variant: .spec.l is of type list, and the value .spec.l of type list; say by rows how one becomes the other: variant: {rows: [...]}; or, where the union has a place for every alternative, tie these by rows of their own, and name the discriminator alone here`},
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
		{number, text, `scalar: {hub: duration}`, `scalar: nothing says what the number .spec.a counts beside a duration; say it, for example unit: s`},
		{number, text, `scalar: {hub: duration, unit: Mi}`, `scalar: "Mi" is no unit of time; take one of ns, us, ms, s, m, h, d`},
		{number, text, `scalar: {hub: quantity, unit: s}`, `scalar: "s" is no unit of quantities; take one of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei`},
		{number, text, `scalar: {hub: duration, unit: {hub: s}}`, `scalar: unit: hub is a duration; remove it: a duration carries its unit itself`},
		{text, text, `scalar: {spoke: quantity, hub: duration}`, `scalar: a quantity is never a duration; tie it to a number, or to another place`},
		{text, text, `scalar: {}`, `scalar: both sides are a string; remove scalar, or say in which units the two count: scalar: {unit: {spoke: s, hub: ms}}`},
		{text, number, `scalar: {unit: s}`, `scalar: .spec.a is text, and nothing says that it is written as a duration; say so: scalar: {spoke: duration, unit: s}`},
		{text, number, `scalar: {unit: seconds}`, `scalar: there is no unit "seconds"; say how the text of .spec.a is written, and what the number counts: scalar: {spoke: duration, unit: s}; units of time are ns, us, ms, s, m, h, d`},
		{number, text, `scalar: {unit: Mi}`, `scalar: .spec.b is text, and nothing says that it is written as a quantity; say so: scalar: {hub: quantity, unit: Mi}`},
		{number, number, `scalar: {unit: s}`, `scalar: both sides are plain numbers, and one unit says nothing; give the unit of either side: unit: {spoke: s, hub: ms}`},
		{number, number, `scalar: {unit: {spoke: s, hub: Mi}}`, `scalar: "s" and "Mi" do not count the same; take two units of time (ns, us, ms, s, m, h, d), two suffixes of quantities (1 where there is none), or % and 1`},
		{text, text, `scalar: {unit: s}`, `scalar: both sides are text, of which unit says nothing; remove it, or tie the text to a number`},
		{number, truth, `scalar: {}`, `scalar: a boolean is tied to a string, and .spec.a is an integer`},
		{number, text, `scalar: {spoke: duration}`, `scalar: spoke: .spec.a is of type integer, which cannot hold a duration; it is .spec.b that can hold one: write hub: duration, not spoke: duration`},
		{number, number, `scalar: {spoke: duration}`, `scalar: spoke: .spec.a is of type integer, which cannot hold a duration; name a place of that type, or another notation`},
		{list, text, `scalar: {}`, `scalar ties single values, and .spec.a is of type list; say which it is: scalar: {spoke: ...}, one of string, integer, number, boolean, int-or-string, quantity, duration, percentage`},
		{text, number, `scalar: {spoke: time}`, `scalar: spoke: there is no notation "time"; choose one of string, integer, number, boolean, int-or-string, quantity, duration, percentage`},
		{truth, text, `scalar: {round: up}`, `scalar: a boolean has no unit; remove unit and round`},

		{truth, text, `boolean: {}`, `boolean is empty; say negate: true, or presence: hub (or spoke), or the two values: {true: Enabled, false: Disabled}`},
		{truth, text, `boolean: {negate: true}`, `boolean: negate ties two booleans, and .spec.b is of type string; name a boolean`},
		{truth, text, `boolean: {true: Enabled}`, `boolean: one of true and false is missing; give both: boolean: {true: ..., false: ...}`},
		{truth, text, `boolean: {true: x, false: x}`, `boolean: true and false are both "x"; give two values`},
		{truth, "{type: string, enum: [Some, None]}", `boolean: {true: Some, false: Non}`, `boolean: false "Non": is not in the enum of the place, which is "Some", "None"; did you mean None?`},
		{truth, text, `boolean: {true: on, false: off}`, `boolean: true true: the place is of type string; put the value in quotes, as it is a boolean without: true, false, yes, no, on, off, y and n are`},
		{any, any, `boolean: {true: Strict, false: Loose}`, `boolean: anything may stand at .spec.a and .spec.b, so that neither is known to be the boolean; say it by values, the spoke's first: values: {"true": Strict, "false": Loose}, closed: true, if the spoke has the boolean`},
		{text, text, `boolean: {true: x, false: z}`, `boolean: .spec.a is of type string, .spec.b is of type string; name a boolean on one side`},
		{truth, text, `boolean: {presence: hub}`, `boolean: .spec.b is of type string, and nothing says what to write for true; say what is written there for true: boolean: {presence: hub, true: ...}`},
		{text, "{type: object}", `boolean: {presence: hub}`, `boolean: the side that presence does not name is the boolean, and .spec.a is of type string; name a boolean`},
		{truth, "{type: object}", `boolean: {presence: hub, negate: true}`, `boolean: negate ties two booleans, presence and true, false tie a boolean to something else; keep one of them`},

		{text, list, `join: {}`, `join has no separator; say what stands between two parts: join: {separator: ","}`},
		{text, text, `join: {separator: ","}`, `join ties a string to a list: .spec.a is of type string, .spec.b is of type string; name a string on one side and a list on the other`},
		{text, "{type: array, items: {type: object}}", `join: {separator: ","}`, `join: the elements of .spec.b are no strings or integers; name a list of strings or integers`},

		{text, text, `text: yaml`, `text ties a string to the data that it holds, and both places are strings, which pass as they are; remove text, or give one of them the schema of the data`},
		{text, number, `text: yaml`, `text ties a string to the data that it holds: .spec.a is of type string, .spec.b is of type integer; name a string on one side, and an object or a list on the other`},
		{text, objects, `text: toml`, `text: there is no format "toml"; say json or yaml`},
		{text, text, `single: {}`, `single ties a place to the list of which it is the element: .spec.a is of type string, .spec.b is of type string; name a list on one side only`},
		{text, objects, `single: {}`, `single: .spec.a is of type string, and the elements of .spec.b are of type object; say how one becomes the other, for example single: {rows: [{spoke: ., hub: .name}]} (value fits, too)`},
		{text, list, `single: {}, default: {spoke: x}`, `lists and maps have no default of their own; remove default`},
		{list, list, `wrap: name`, `wrap ties single values to objects: the elements of .spec.a are of type string, those of .spec.b of type string; use each, with a row for every part`},
		{list, "{type: array, items: {type: object, properties: {name: {type: string}}}}", `wrap: nam`, `wrap: nam is no field of the elements of .spec.b; did you mean name?`},
		{text, list, `wrap: name`, `wrap ties the elements of two lists or the values of two maps: .spec.a is of type string in v1beta1, .spec.b is of type list in v1; say in a row how one becomes the other, for example by join: {separator: ","} or single: {}; or name two lists or two maps`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {}`, `keyed has no key; say which field of the list's elements is the name in the map: keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: nam, value: value}`, `keyed: nam is no field of the elements of .spec.a; did you mean name?`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: tls, value: value}`, `keyed: the key tls is of type boolean, and the names of a map are strings; choose a key of type string or integer`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed: the values of .spec.b are of type string, and no objects; say which field of the list's elements they are: keyed: {key: name, value: ...}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: value, doubled: all}`, `keyed: of elements with one key the map cannot show "all"; say first or last`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: value, rows: [{spoke: .value, hub: ., values: {a: b}}]}`, `keyed: value value says that the values of the map are those of that field, and a row ties them, too; remove value`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name, value: tls}`, `keyed: the types do not fit: .spec.a.tls is of type boolean, .spec.b is of type string; write instead of its value: keyed: {key: name, rows: [{spoke: .tls, hub: ., boolean: {true: Enabled, false: Disabled}}]}`},
		{list, objects, `each: {}`, `the elements of the lists do not fit: string in v1beta1, object in v1; tie them, for example each: {rows: [{spoke: ., hub: .name}]} or wrap: name (value fits, too), or remove the row`},
		{"{type: array, items: {type: object, properties: {a: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}, f: {type: integer}}}}", list, `each: {}`, `the elements of the lists do not fit: object in v1beta1, string in v1; tie them, for example each: {rows: [{spoke: .a, hub: .}]} or wrap: a (c, d and 1 more fit, too), or remove the row`},
		{"{type: array, items: {type: integer}}", list, `each: {}`, `the elements of the lists do not fit: integer in v1beta1, string in v1; tie them, for example each: {rows: [{spoke: ., hub: ., scalar: {}}]}, or remove the row`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {value: {type: string}}}}", `keyed: {key: name, value: value}`, `keyed: value value is of type string, and the values of .spec.b are objects; leave value out, as each value of the map is an element without its key: keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {num: {type: integer}, text: {type: string}}}}", `keyed: {key: name, value: value}`, `keyed: value value is of type string, and the values of .spec.b are objects; leave value out, as each value of the map is an element without its key: keyed: {key: name, rows: [{spoke: .value, hub: .text}]}`},
		{objects, "{type: object, additionalProperties: {type: string}}", `keyed: {key: .name, value: value}`, `keyed: the key is the name of a field, and .name is a path; write keyed: {key: name}`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {name: {type: string}, value: {type: string}}}}", `keyed: {key: name, rows: [{spoke: .name, hub: .name}]}`, `crosswalk things.example.com: v1beta1 row 1, keyed row 1 (.name <-> .name): keyed: name makes the name in the map, and this row ties it to another place; the values of the map may hold it, too: write {hub: .name, cel: {toHub: self.name}} instead`},
		{number, number, `scalar: {unit: {spoke: ms, hub: sec}}`, `scalar: "ms" and "sec" are no units of time; did you mean unit: {spoke: ms, hub: s}?`},
		{number, "{type: number}", `scalar: {unit: {spoke: percent, hub: fraction}}`, `scalar: "percent" and "fraction" are no units of percentages; did you mean unit: {spoke: "%", hub: "1"}?`},
		{number, number, `scalar: {unit: {spoke: ms, hub: beats}}`, `scalar: there is no unit "beats"; units of time are ns, us, ms, s, m, h, d; those of quantities n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, and 1; those of percentages % and 1`},
		{number, "{type: number}", `scalar: {hub: percentage}`, `scalar: hub: .spec.b is of type number, which cannot hold a percentage; if both are plain numbers, say what they count: scalar: {unit: {spoke: "%", hub: "1"}}`},
		{"{type: number}", "{type: number}", `scalar: {hub: percentage}`, `scalar: hub: .spec.b is of type number, which cannot hold a percentage; if both are plain numbers, say what they count: scalar: {unit: {spoke: "1", hub: "%"}}`},
		{objects, objects, `each: {rows: [{spoke: .spec.a.name, hub: .value}, {spoke: .value, hub: .name}]}`, `spoke path .spec.a.name is not in the v1beta1 schema; the paths of these rows start at the element, or the value, itself: did you mean .name?`},
		{"{type: array, items: {type: object, properties: {meta: {type: object, properties: {name: {type: string}}}, value: {type: string}}}}", "{type: object, additionalProperties: {type: string}}", `keyed: {key: meta.name, value: value}`, `keyed: the name in the map is made of fields of the element, and .meta.name is further in; compute the two by cel, with toHub: self.spec.a.transformMapEntry(i, e, {e.meta.name: e.value})`},
		{number, text, `scalar: {hub: quantity, unit: MiB}`, `scalar: "MiB" is no unit of quantities; did you mean Mi?`},
		{number, text, `scalar: {hub: duration, unit: seconds}`, `scalar: "seconds" is no unit of time; did you mean s?`},
		{"{type: array, items: {type: object, properties: {c: {type: string}}}}", objects, `each: {rows: [{spoke: .c, hub: .name, cel: {toHub: self.spec.a.c, toSpoke: self.name}}]}`, "cel: toHub: at character 5: undefined field 'spec'; self is the element here, or the object that the table is for; the whole object is object"},
		{text, text, `cel: {toHub: self.a, toSpoke: self.spec.b}`, "cel: toHub: at character 5: undefined field 'a'; did you mean self.spec.a?"},
		{text, text, `template: "v{tag}"`, `the template has the hole {tag}, and neither side names places; name the place of the hole, as in hub: {tag: .spec.b}`},
		{"{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed ties a list to a map, and both places are maps; tie two maps with each: {rows: [...]}`},
		{list, objects, `wrap: port`, `wrap: the types do not fit: .spec.a is of type string, .spec.b.port is of type integer; write instead of wrap: each: {rows: [{spoke: ., hub: .port, scalar: {}}]}`},
		{objects, list, `keyed: {key: name}`, `keyed ties a list to a map, and both places are lists; tie two lists with each: {key: name}`},
		{objects, "{type: object, properties: {x: {type: string}, z: {type: integer}}}", `keyed: {key: name, value: value}`, `keyed ties a list to a map, or to an object whose fields are all of one type, and those of .spec.b differ; tie them by entries: {hub: {x: .spec.b.x, z: .spec.b.z}, spoke: .spec.a, entries: {name: name, value: value}}`},
		{list, "{type: object, additionalProperties: {type: string}}", `keyed: {key: name}`, `keyed: the elements of .spec.a are no objects, and have no key; name a list of objects`},
		{objects, "{type: object, additionalProperties: {type: object, properties: {p: {type: integer}}}}", `keyed: {key: name, rows: [{spoke: .port, hub: .p}, {spoke: .value, drop: old, sensitive: true}]}`, `an element that the other version cannot show is kept as a whole, and a place in it is sensitive; tie the lists with each, or drop the place with a reason`},
		{text, list, `single: {longer: last}`, `single: longer lists cannot show "last"; say first or none`},
		{list, list, `each: {rows: [{spoke: ., hub: .}]}`, `the elements of the two sides correspond anyway; remove the row`},
		{text, "{type: boolean}", `boolean: {true: "on", false: "off"}, default: {spoke: true}`, `default spoke: true is not of type string; give the value that an absent .spec.a stands for, as v1beta1 writes it`},
		{text, text, `default: {hub: on}`, `default hub: true is not of type string; put the value in quotes, as it is a boolean without: true, false, yes, no, on, off, y and n are`},
		{list, objects, `each: {rows: [{spoke: ., hub: .name, default: {spoke: x}}]}`, `default spoke: the path . is the element itself, which is there or is no element; remove it`},
		{list, list, `each: {rows: [{spoke: ., drop: x}]}`, `the path . is the element itself, which the list or map decides on; remove the row`},
		{objects, "{type: array, items: {type: object, properties: {x: {type: object, properties: {name: {type: string}}}}}}", `each: {rows: [{spoke: ., hub: .x}]}`, `the element itself and .x are objects whose parts differ; tie the parts by rows of their own, for example {spoke: .name, hub: .x.name}`},

		{truth, truth, `boolean: {negate: true}, sensitive: true`, `a sensitive place may never be kept in an annotation, so its row must be exact; tie it by a plain row, without a mapping`},
		{number, text, `scalar: {}, join: {separator: ","}`, `scalar and join in one row: a row has one mapping; keep one of them, or compute what they do together by cel`},
		{number, text, `scalar: {}, constant: 1`, `scalar and constant in one row: a row has one mapping; keep one of them`},
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
