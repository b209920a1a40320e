package conversion_test

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// versions makes a CRD things.example.com of kind Thing. Each schema is the
// YAML of the properties beside apiVersion, kind and metadata.
func versions(t testing.TB, schemas map[string]string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "things.example.com"
	crd.Spec.Group = "example.com"
	crd.Spec.Names.Kind = "Thing"
	for _, version := range []string{"v1alpha1", "v1beta1", "v1"} {
		text, ok := schemas[version]
		if !ok {
			continue
		}
		var root apiextensionsv1.JSONSchemaProps
		if err := yaml.UnmarshalStrict([]byte(text), &root.Properties); err != nil {
			t.Fatalf("schema of %s: %v", version, err)
		}
		root.Type = "object"
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: version, Served: true, Storage: version == "v1",
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
		})
	}
	return crd
}

// table makes the Crosswalk of things.example.com with hub v1 and the rows of
// v1beta1.
func table(t testing.TB, rows string) *v1alpha1.Crosswalk {
	t.Helper()
	c := &v1alpha1.Crosswalk{}
	c.Name = "things.example.com"
	c.Spec.Hub = "v1"
	v := v1alpha1.VersionTable{Name: "v1beta1"}
	if err := yaml.UnmarshalStrict([]byte(rows), &v.Rows); err != nil {
		t.Fatalf("rows: %v", err)
	}
	c.Spec.Versions = []v1alpha1.VersionTable{v}
	return c
}

func spec(properties string) string {
	return "spec: {type: object, properties: {" + properties + "}}"
}

// TestProblems holds the messages for wrong tables: an author should be able
// to mend the table from the message alone.
func TestProblems(t *testing.T) {
	const prefix = "crosswalk things.example.com: "
	for _, test := range []struct {
		name, beta, v1, rows string
		want                 []string
	}{
		{"unknown path", spec("a: {type: string}"), spec("host: {type: string}"), `[{spoke: .spec.a, hub: .spec.hots}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.hots): hub path .spec.hots is not in the v1 schema; did you mean .spec.host?"}},
		{"right name, wrong place", spec("a: {type: string}"), spec("net: {type: object, properties: {host: {type: string}}}"), `[{spoke: .spec.a, hub: .spec.host}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.host): hub path .spec.host is not in the v1 schema; did you mean .spec.net.host?"}},
		{"a place within another row's", spec("tls: {type: boolean}, ca: {type: string}"), spec("tls: {type: object, properties: {auth: {type: object, properties: {ca: {type: string}}}}}"),
			`[{spoke: .spec.tls, hub: .spec.tls, boolean: {presence: hub}}, {spoke: .spec.ca, hub: .spec.tls.auth.ca}]`,
			[]string{"v1beta1 row 1 (.spec.tls <-> .spec.tls): row 2 names a field inside of a field that this row maps; put every field into only one row"}},
		{"nothing like it", spec("a: {type: string}"), spec("b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}, f: {type: string}, g: {type: string}, h: {type: string}, i: {type: string}, j: {type: string}, k: {type: string}, l: {type: string}"),
			`[{spoke: .spec.a.length, hub: .spec.mode}, {spoke: .total, hub: .spec.b}]`,
			[]string{
				"v1beta1 row 1 (.spec.a.length <-> .spec.mode): spoke path .spec.a.length is not in the v1beta1 schema; .spec.a is of type string and has no fields",
				"v1beta1 row 1 (.spec.a.length <-> .spec.mode): hub path .spec.mode is not in the v1 schema; .spec has b, c, d, e, f, g, h, i, j, k and 1 more",
				"v1beta1 row 2 (.total <-> .spec.b): spoke path .total is not in the v1beta1 schema; there are metadata, spec",
			}},
		{"all at once", spec("a: {type: string}, b: {type: string}"), spec("c: {type: string}"),
			`[{spoke: .spec.x, hub: .spec.c}, {spoke: spec.a, hub: .spec.c}, {spoke: .spec.b}]`,
			[]string{
				"v1beta1 row 1 (.spec.x <-> .spec.c): spoke path .spec.x is not in the v1beta1 schema; .spec has a, b",
				"v1beta1 row 2 (spec.a <-> .spec.c): path spec.a: a path starts with a dot: did you mean .spec.a?",
			}},
		{"types", spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.b}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): the types do not fit: .spec.a is of type string in v1beta1, .spec.b is of type integer in v1; add a mapping that converts one into the other, for example scalar: {}; or map fields of the same type, or remove the row"}},
		{"text and a number of seconds", spec("timeout: {type: string}"), spec("timeoutSeconds: {type: integer}"), `[{spoke: .spec.timeout, hub: .spec.timeoutSeconds}]`,
			[]string{"v1beta1 row 1 (.spec.timeout <-> .spec.timeoutSeconds): the types do not fit: .spec.timeout is of type string in v1beta1, .spec.timeoutSeconds is of type integer in v1; add a mapping that converts one into the other, for example scalar: {spoke: duration, unit: s}; or map fields of the same type, or remove the row"}},
		{"same path, other type", spec("a: {type: string}"), spec("a: {type: integer}"), `[]`,
			[]string{"v1beta1: .spec.a is of type string in v1beta1, but of type integer in v1; add a mapping that converts one into the other, for example scalar: {}; or map it to another field with a row, or separate the two with a one-sided row for each version"}},
		{"map moved into an object", spec("a: {type: object, additionalProperties: {type: string}}"), spec("a: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}"), `[]`,
			[]string{"v1beta1: .spec.a is a map in v1beta1, but in v1 it is an object with the map labels; map the two maps with a row: {spoke: .spec.a, hub: .spec.a.labels}"}},
		{"claimed twice", spec("a: {type: string}, b: {type: string}"), spec("c: {type: string}"), `[{spoke: .spec.a, hub: .spec.c}, {spoke: .spec.b, hub: .spec.c}]`,
			[]string{"v1beta1 row 2 (.spec.b <-> .spec.c): hub path .spec.c is also in row 1; a field can be in only one row: remove one of the two, or compute all fields that depend on it in one row, with cel"}},
		{"enum", spec("a: {type: string, enum: [Allow, Forbid]}"), spec("b: {type: string, enum: [Parallel, Single]}"),
			`[{spoke: .spec.a, hub: .spec.b, values: {Allow: Paralel}}]`,
			[]string{
				`v1beta1 row 1 (.spec.a <-> .spec.b): values: hub value "Paralel" is not in the enum of the field, which is "Parallel", "Single"; did you mean Parallel?`,
				`v1beta1 row 1 (.spec.a <-> .spec.b): the spoke value "Forbid" is passed unchanged, but is not in the enum of the hub; add an entry for it, or write closed: true to keep it`,
				`v1beta1 row 1 (.spec.a <-> .spec.b): the hub value "Parallel" is passed unchanged, but is not in the enum of the spoke; add an entry for it, or write closed: true to keep it`,
				`v1beta1 row 1 (.spec.a <-> .spec.b): the hub value "Single" is passed unchanged, but is not in the enum of the spoke; add an entry for it, or write closed: true to keep it`,
			}},
		{"for want of a wrong row", spec("host: {type: string}, a: {type: string}, l: {type: array, items: {type: object, properties: {x: {type: string}}}}"),
			"spec: {type: object, required: [endpoint, port], properties: {endpoint: {type: object, required: [address], properties: {address: {type: string}}}, port: {type: integer}, a: {type: integer}, l: {type: object}, m: {type: array, items: {type: object, properties: {w: {type: string}}}}}}",
			`[{spoke: .spec.host, hub: .spec.endpoint.adress}, {hub: .spec.prot, constant: 80}, {spoke: .spec.a, hub: .spec.a, scalar: {}, join: {separator: ","}}]`,
			[]string{
				"v1beta1 row 1 (.spec.host <-> .spec.endpoint.adress): hub path .spec.endpoint.adress is not in the v1 schema; did you mean .spec.endpoint.address?",
				"v1beta1 row 2 (.spec.prot): hub path .spec.prot is not in the v1 schema; did you mean .spec.port?",
				"v1beta1 row 3 (.spec.a <-> .spec.a): scalar and join in one row: a row can have only one mapping; keep one of them, or compute both with cel",
				"v1beta1: .spec.l is of type list in v1beta1, but of type object in v1; add a mapping that converts one into the other, for example single: {}; or map it to another field with a row, or separate the two with a one-sided row for each version",
			}},
		{"a place twice, of another type", spec("a: {type: string}, b: {type: integer}"), spec("c: {type: string}"), `[{spoke: .spec.a, hub: .spec.c}, {spoke: .spec.b, hub: .spec.c}]`,
			[]string{"v1beta1 row 2 (.spec.b <-> .spec.c): hub path .spec.c is also in row 1; a field can be in only one row: remove one of the two, or compute all fields that depend on it in one row, with cel"}},
		{"two lists into one", spec("in: {type: array, items: {type: object, properties: {path: {type: string}}}}, out: {type: array, items: {type: object, properties: {path: {type: string}}}}"),
			spec("all: {type: array, items: {type: object, properties: {path: {type: string}, mode: {type: string}}}}"),
			`[{spoke: .spec.in, hub: .spec.all}, {spoke: .spec.out, hub: .spec.all, each: {}}]`,
			[]string{"v1beta1 row 2 (.spec.out <-> .spec.all): hub path .spec.all is also in row 1; a field can be in only one row: write one row for both, with the values that identify their elements: {spoke: {in: .spec.in, out: .spec.out}, hub: .spec.all, where: [{place: in, match: {.mode: ...}}, {place: out, match: {.mode: ...}}]}"}},
		{"outside of the element", spec("prefix: {type: string}, a: {type: array, items: {type: object, properties: {x: {type: string}}}}"), spec("a: {type: array, items: {type: object, properties: {x: {type: string}, full: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.a, each: {rows: [{spoke: .spec.prefix, hub: .full}]}}]`,
			[]string{"v1beta1 row 1, each row 1 (.spec.prefix <-> .full): spoke path .spec.prefix is not in the v1beta1 schema; the paths of these rows start at the element or value; only cel can read fields outside of it: object.spec.prefix"}},
		{"key that one version has", spec("a: {type: array, items: {type: object, properties: {id: {type: string}}}}"), spec("a: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}"),
			`[{spoke: .spec.a, hub: .spec.a, each: {key: id, unique: true}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.a): each: the key id is only in v1beta1, and no row maps it (only v1 has .name); map the key with a row without a mapping or with one-to-one values, choose another key, or none: without a key, elements are identified by their content"}},
		{"key as the hub has it", spec("a: {type: array, items: {type: object, properties: {id: {type: string}}}}"), spec("a: {type: array, items: {type: object, properties: {token: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.a, each: {key: token, unique: true, rows: [{spoke: .id, hub: .token}]}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.a): each: the key token is not in the spoke schema of an element; keys are fields of v1beta1: did you mean id, which row 1, each row 1 maps to token?"}},
		{"constant that YAML takes for a boolean", spec("a: {type: string}"), spec("a: {type: string}, b: {type: string}"), `[{hub: .spec.b, constant: y}]`,
			[]string{"v1beta1 row 1 (.spec.b): constant true is not of type string; put the value in quotes; without quotes, true, false, yes, no, on, off, y and n are booleans"}},
		{"objects taken for lists", spec("o: {type: object, properties: {x: {type: string}}}"), spec("o: {type: object, properties: {x: {type: string}}}"), `[{spoke: .spec.o, hub: .spec.o, each: {}}, {spoke: .spec.o.x, hub: .spec.o.x}]`,
			[]string{"v1beta1 row 1 (.spec.o <-> .spec.o): each is for two lists or two maps: .spec.o is of type object in v1beta1, .spec.o is of type object in v1; an object has fields, not elements: remove each, and map the fields with rows of their own; or use a table for the two: {spoke: .spec.o, hub: .spec.o, table: ...}"}},
		{"rows for the elements of objects", spec("o: {type: object, properties: {x: {type: string}}}"), spec("o: {type: object, properties: {z: {type: string}}}"), `[{spoke: .spec.o, hub: .spec.o, each: {rows: [{spoke: .x, hub: .z}]}}]`,
			[]string{"v1beta1 row 1 (.spec.o <-> .spec.o): each is for two lists or two maps: .spec.o is of type object in v1beta1, .spec.o is of type object in v1; an object has fields, not elements: remove each, and map the fields with rows of their own, for example {spoke: .spec.o.x, hub: .spec.o.z}; or use a table for the two: {spoke: .spec.o, hub: .spec.o, table: ...}"}},
		{"turned round", spec("a: {type: string}, l: {type: array, items: {type: object, properties: {x: {type: string}}}}"), spec("b: {type: string}, l: {type: array, items: {type: object, properties: {w: {type: string}}}}"),
			`[{spoke: .spec.b, hub: .spec.a}, {spoke: .spec.l, hub: .spec.l, each: {rows: [{spoke: .w, hub: .x}]}}]`,
			[]string{
				"v1beta1 row 1 (.spec.b <-> .spec.a): spoke path .spec.b is not in the v1beta1 schema; exchange the two: spoke is for fields of v1beta1, hub for fields of v1",
				"v1beta1 row 2, each row 1 (.w <-> .x): spoke path .w is not in the v1beta1 schema; exchange the two: spoke is for fields of v1beta1, hub for fields of v1",
			}},
		{"no key", spec("a: {type: array, items: {type: object, properties: {token: {type: string}}}}"), spec("b: {type: array, items: {type: object, properties: {token: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.b, each: {key: tokn}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): each: the key tokn is not in the spoke schema of an element (did you mean token?); map the key with a row without a mapping or with one-to-one values, choose another key, or none: without a key, elements are identified by their content"}},
		{"values turned round", spec("a: {type: string, enum: [fast, slow]}"), spec("b: {type: string, enum: [Fast, Slow]}"), `[{spoke: .spec.a, hub: .spec.b, values: {Fast: fast, Slow: slow}}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.b): values and inverse are exchanged: every key of values is in the enum of the hub, and every value is in the enum of the spoke; exchange the two: values: {VALUE OF v1beta1: VALUE OF v1}`}},
		{"two to one", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Forbid: Single, Reject: Single}}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.b): values: "Forbid" and "Reject" both become "Single"; write which of them it becomes on the way back: inverse: {Single: Forbid}`}},
		{"two to one, one of them unsaid", spec("a: {type: string, enum: [Borrow, Stop]}"), spec("b: {type: string, enum: [Stop]}"), `[{spoke: .spec.a, hub: .spec.b, values: {Borrow: Stop}}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.b): values: "Borrow" becomes "Stop", and "Stop" is passed unchanged; write which of them it becomes on the way back: inverse: {Stop: Stop}`}},
		{"inverse of nothing", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {Borrow: Stop, Wait: Next}, inverse: {Stop: Halt, Next: Borrow}}]`,
			[]string{
				`v1beta1 row 1 (.spec.a <-> .spec.b): inverse: "Next" becomes "Borrow", but values converts "Borrow" into another value; use one of the values that become "Next"`,
				`v1beta1 row 1 (.spec.a <-> .spec.b): inverse: "Stop" becomes "Halt", but values has no entry for "Halt"; use one of the values that become "Stop"`,
			}},
		{"required", spec("a: {type: string}"), "spec: {type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}", `[]`,
			[]string{"v1beta1: the v1 schema requires .spec.b, but objects of v1beta1 have no value for it; map it to the field that v1beta1 has for it: {hub: .spec.b, spoke: ...}; or, only if it is the same for every object of v1beta1, use a constant: {hub: .spec.b, constant: ...}"}},
		{"default", spec("a: {type: integer}"), spec("b: {type: integer, default: 3}"), `[{spoke: .spec.a, hub: .spec.b}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): .spec.b has the default 3 in v1, but .spec.a has no default; write the value that absence means there: default: {spoke: 3}"}},
		{"default of what is mapped", spec("a: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}"), spec("b: {type: integer, default: 3}, f: {type: string, enum: [X, Z], default: X}, g: {type: boolean, default: true}"),
			`[{spoke: .spec.a, hub: .spec.b, scalar: {spoke: duration, unit: s}}, {spoke: .spec.c, hub: .spec.f, values: {x: X, z: Z}}, {spoke: .spec.d, hub: .spec.g, boolean: {true: "On", false: "Off"}}]`,
			[]string{
				"v1beta1 row 1 (.spec.a <-> .spec.b): .spec.b has the default 3 in v1, but .spec.a has no default; write the value that absence means there: default: {spoke: \"3s\"}",
				"v1beta1 row 2 (.spec.c <-> .spec.f): .spec.f has the default \"X\" in v1, but .spec.c has no default; write the value that absence means there: default: {spoke: \"x\"}",
				"v1beta1 row 3 (.spec.d <-> .spec.g): .spec.g has the default true in v1, but .spec.d has no default; write the value that absence means there: default: {spoke: \"On\"}",
			}},
		{"list", spec("a: {type: array, items: {type: object, properties: {x: {type: string}}}}"), spec("b: {type: string}"), `[{spoke: .spec.a.x, hub: .spec.b}]`,
			[]string{"v1beta1 row 1 (.spec.a.x <-> .spec.b): spoke path .spec.a.x: .spec.a is a list; if .spec.b corresponds to the only or the first element, write {spoke: .spec.a, hub: .spec.b, single: {rows: [{spoke: .x, hub: .}]}}; if it corresponds to elements with a certain value, use where"}},
		{"list beside a member", spec("a: {type: array, items: {type: object, properties: {x: {type: string}}}}"), spec("b: {type: object, properties: {z: {type: string}}}"), `[{spoke: .spec.a.x, hub: .spec.b.z}]`,
			[]string{"v1beta1 row 1 (.spec.a.x <-> .spec.b.z): spoke path .spec.a.x: .spec.a is a list; if .spec.b corresponds to the only or the first element, write {spoke: .spec.a, hub: .spec.b, single: {rows: [{spoke: .x, hub: .z}]}}; if it corresponds to elements with a certain value, use where"}},
		{"object as a discriminator", spec("cm: {type: string}, sec: {type: string}"), spec("ref: {type: object, properties: {kind: {type: string}, name: {type: string}}}"), `[{spoke: {ConfigMap: .spec.cm, Secret: .spec.sec}, hub: .spec.ref, variant: {}}]`,
			[]string{"v1beta1 row 1 (.spec.cm, .spec.sec <-> .spec.ref): variant: \"ConfigMap\" as the discriminator .spec.ref is not valid there: it is of type object; name the field in it with the discriminator, and the field with the value, for example hub: {type: .spec.ref.kind, value: .spec.ref.name}"}},
		{"values of maps that do not fit", spec("a: {type: object, additionalProperties: {type: string}}"), spec("b: {type: object, additionalProperties: {type: object, properties: {n: {type: integer}, state: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.b}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): the types of the values of the maps do not fit: string in v1beta1, object in v1; map them, for example each: {rows: [{spoke: ., hub: .state}]} or wrap: state, or remove the row"}},
		{"elements of lists that do not fit", spec("a: {type: array, items: {type: object, properties: {n: {type: integer}}}}"), spec("b: {type: array, items: {type: string}}"),
			`[{spoke: .spec.a, hub: .spec.b, each: {}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): the types of the elements of the lists do not fit: object in v1beta1, string in v1; map them, for example each: {rows: [{spoke: ., hub: ., text: yaml}]}, or remove the row"}},
		{"values of maps that do not fit, without a row", spec("a: {type: object, additionalProperties: {type: string}}"), spec("a: {type: object, additionalProperties: {type: object, properties: {state: {type: string}}}}"),
			`[]`,
			[]string{"v1beta1: .spec.a: the types of the values of the maps do not fit: string in v1beta1, object in v1; write the row {spoke: .spec.a, hub: .spec.a, ...}, and map them, for example each: {rows: [{spoke: ., hub: .state}]} or wrap: state"}},
		{"several places", spec("a: {type: string}, c: {type: string}"), spec("b: {type: string}"), `[{spoke: {a: .spec.a, c: .spec.c}, hub: .spec.b, values: {x: y}}]`,
			[]string{"v1beta1 row 1 (.spec.a, .spec.c <-> .spec.b): several named fields on the spoke side need a template, variant, cel, func, where or entries; write one path"}},
		{"key", spec("a: {type: array, items: {type: object, properties: {name: {type: string}}}}"), spec("b: {type: array, items: {type: object, properties: {name: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.b, each: {key: name}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): each: neither schema guarantees that the key name is unique; set x-kubernetes-list-type: map with that key in the schema, or write unique: true if you know that the key is unique"}},
		{"nested row", spec("a: {type: array, items: {type: object, properties: {cmd: {type: string}}}}"), spec("b: {type: array, items: {type: object, properties: {command: {type: string}}}}"),
			`[{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .cmd, hub: .comand}]}}]`,
			[]string{"v1beta1 row 1, each row 1 (.cmd <-> .comand): hub path .comand is not in the v1 schema; did you mean .command?"}},
		{"crosses", spec("a: {type: string}"), "spec: {type: object}\nstatus: {type: object, properties: {a: {type: string}}}", `[{spoke: .spec.a, hub: .status.a}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .status.a): the row connects spec and status, so a client that may write one of them also writes the other; write crosses: true if that is intended"}},
		{"metadata", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, hub: .metadata.name}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .metadata.name): hub path .metadata.name: in metadata, a row can only name a single label or annotation; write it as .metadata.annotations['example.com/name']"}},
		{"template hole", spec("a: {type: string}"), spec("b: {type: string}, c: {type: string}"), `[{spoke: .spec.a, hub: {b: .spec.b, c: .spec.c}, template: "{b}:{d}"}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.b, .spec.c): template "{b}:{d}": the placeholder {d} is not among the named fields, which are b, c`}},
		{"sensitive", spec("token: {type: string}"), spec("secret: {type: string, nullable: true}"), `[{spoke: .spec.token, hub: .spec.secret, sensitive: true}]`,
			[]string{"v1beta1 row 1 (.spec.token <-> .spec.secret): a sensitive value can't be kept in an annotation, but the two fields differ in type, nullable, default or fields; make the two schemas equal there, or drop the field with a reason"}},
		{"sensitive alone", spec("token: {type: string}"), spec(""), `[{spoke: .spec.token, sensitive: true}]`,
			[]string{"v1beta1 row 1 (.spec.token): a sensitive field that only one version has would be kept in an annotation; map it to a field of the other version, or drop it with a reason"}},
		{"default of an object", spec("a: {type: object, properties: {x: {type: string}, p: {type: string}}}"), spec("b: {type: object, properties: {x: {type: string}}}"), `[{spoke: .spec.a, hub: .spec.b, default: {spoke: {}}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): the two fields are objects whose own fields are mapped one by one, so the row can't have a default; write the defaults in rows for the fields"}},
		{"row inside of what has no parts", spec("a: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}"), spec("b: {type: array, items: {type: string}}"), `[{spoke: .spec.a, hub: .spec.b, each: {rows: [{spoke: .x, drop: old}]}}]`,
			[]string{"v1beta1 row 1, each row 1 (.x): the field that contains it is of type any in v1beta1 and of type string in v1, so it has no fields to map or to drop; remove the row"}},
		{"values that become one, in enums", spec("a: {type: string, enum: [A, B]}"), spec("a: {type: string, enum: [X]}"), `[{spoke: .spec.a, hub: .spec.a, values: {A: X, B: X}}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.a): values: "A" and "B" both become "X"; write which of them it becomes on the way back: inverse: {X: A}`}},
		{"value that is none, in enums", spec("a: {type: string, enum: [A, B]}"), spec("a: {type: string, enum: [X, Z]}"), `[{spoke: .spec.a, hub: .spec.a, values: {A: X, B: Q}}]`,
			[]string{`v1beta1 row 1 (.spec.a <-> .spec.a): values: hub value "Q" is not in the enum of the field, which is "X", "Z"`,
				`v1beta1 row 1 (.spec.a <-> .spec.a): the hub value "Z" is passed unchanged, but is not in the enum of the spoke; add an entry for it, or write closed: true to keep it`}},
		{"place of one version, on both sides", spec("a: {type: string}"), spec("b: {type: integer}"), `[{spoke: .spec.a, hub: .spec.a}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.a): hub path .spec.a is not in the v1 schema; .spec has b; a field that only v1beta1 has needs no row"}},
		{"blank reason", spec("a: {type: string}"), spec(""), `[{spoke: .spec.a, drop: " "}]`,
			[]string{"v1beta1 row 1 (.spec.a): drop has no reason; write why the field may be lost"}},
		{"values without quotes", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {why: yes}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): values: hub value true: the field is of type string; put the value in quotes; without quotes, true, false, yes, no, on, off, y and n are booleans"}},
		{"empty mappings", spec("a: {type: string}, c: {type: string}"), spec("b: {type: string}, d: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, values: {}}, {spoke: .spec.c, hub: .spec.d, default: {}}]`,
			[]string{
				"v1beta1 row 1 (.spec.a <-> .spec.b): values is empty; add values, or remove it",
				"v1beta1 row 2 (.spec.c <-> .spec.d): default is empty; write the value that absence means: default: {spoke: ...} or {hub: ...}",
			}},
		{"two mappings", spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b, template: "x", values: {a: b}}]`,
			[]string{"v1beta1 row 1 (.spec.a <-> .spec.b): template and values in one row: a row can have only one mapping; keep one of them, or compute both with cel"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			crd := versions(t, map[string]string{"v1beta1": test.beta, "v1": test.v1})
			_, err := conversion.Compile(crd, table(t, test.rows))
			if err == nil {
				t.Fatal("it compiles")
			}
			got := strings.Split(err.Error(), "\n")
			for i := range got {
				got[i] = strings.TrimPrefix(got[i], prefix)
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestPlaceSharedBySpokesOnly(t *testing.T) {
	crd := versions(t, map[string]string{
		"v1alpha1": spec("old: {type: string}"), "v1beta1": spec("old: {type: string}"), "v1": spec("new: {type: string}"),
	})
	_, err := conversion.Compile(crd, table(t, `[]`))
	const want = "crosswalk things.example.com: v1beta1: .spec.old is in v1alpha1 and v1beta1, but not in the hub, so its value can't be copied between them; add it to the hub, or separate it with a row in either version: {spoke: .spec.old}"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if _, err := conversion.Compile(crd, table(t, `[{spoke: .spec.old}]`)); err != nil {
		t.Errorf("settled by a row: %v", err)
	}
}

func TestPlaceOfElementsSharedBySpokesOnly(t *testing.T) {
	with := spec("list: {type: array, items: {type: object, properties: {name: {type: string}, old: {type: string}}}}")
	crd := versions(t, map[string]string{
		"v1alpha1": with, "v1beta1": with,
		"v1": spec("list: {type: array, items: {type: object, required: [new], properties: {name: {type: string}, new: {type: string}}}}"),
	})
	_, err := conversion.Compile(crd, table(t, `[]`))
	for _, want := range []string{
		"crosswalk things.example.com: v1beta1: .spec.list.old is in v1alpha1 and v1beta1, but not in the hub, so its value can't be copied between them; add it to the hub, or separate it with a row in either version: {spoke: .spec.list, hub: .spec.list, each: {rows: [{spoke: .old}]}}",
		"crosswalk things.example.com: v1beta1: the v1 schema requires .spec.list.new, but objects of v1beta1 have no value for it; map it to the field that v1beta1 has for it: {spoke: .spec.list, hub: .spec.list, each: {rows: [{hub: .new, spoke: ...}]}} (only v1beta1 has .old); or, only if it is the same for every object of v1beta1, use a constant: {spoke: .spec.list, hub: .spec.list, each: {rows: [{hub: .new, constant: ...}]}}",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	elements := `{hub: .new, constant: x}, {spoke: .old}`
	settled := table(t, `[{spoke: .spec.list, hub: .spec.list, each: {key: name, unique: true, rows: [`+elements+`]}}]`)
	settled.Spec.Versions = append(settled.Spec.Versions, *settled.Spec.Versions[0].DeepCopy())
	settled.Spec.Versions[1].Name = "v1alpha1"
	if _, err := conversion.Compile(crd, settled); err != nil {
		t.Errorf("settled by rows: %v", err)
	}
}

func TestTableAgainstCRD(t *testing.T) {
	crd := versions(t, map[string]string{"v1beta1": spec(""), "v1": spec("")})
	wrong := table(t, `[]`)
	wrong.Name = "things.example.org"
	wrong.Spec.Versions = append(wrong.Spec.Versions, v1alpha1.VersionTable{Name: "v1"}, v1alpha1.VersionTable{Name: "v2"}, v1alpha1.VersionTable{Name: "v1beta1"})
	_, err := conversion.Compile(crd, wrong)
	want := strings.Join([]string{
		"crosswalk things.example.org: the CRD is things.example.com; give the Crosswalk the name of its CRD",
		"crosswalk things.example.org: v1: v1 is the hub and has no rows of its own; remove it: rows map the other versions to the hub",
		"crosswalk things.example.org: v2: this is not a version of the CRD, which has v1beta1, v1; remove the entry",
		"crosswalk things.example.org: v1beta1: v1beta1 occurs twice; put all rows of a version into one entry",
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	wrong = table(t, `[]`)
	wrong.Spec.Hub = "v3"
	_, err = conversion.Compile(crd, wrong)
	if err == nil || !strings.Contains(err.Error(), "hub v3 is not a version of the CRD, which has v1beta1, v1; did you mean v1?") {
		t.Errorf("got %v", err)
	}
}

// A wrong name is one mistake: what is wrong with the version that is now without
// rows says nothing.
func TestMisnamedVersion(t *testing.T) {
	crd := versions(t, map[string]string{
		"v1alpha1": spec("a: {type: string}"), "v1beta1": spec("a: {type: integer}"), "v1": spec("a: {type: string}, b: {type: string}"),
	})
	for name, remedy := range map[string]string{"v1bta1": "did you mean v1beta1? If not, remove the entry", "beta": "remove the entry if the version has been removed from the CRD, or name the version that it is for, v1alpha1 or v1beta1"} {
		wrong := table(t, `[{spoke: .spec.a, hub: .spec.b, scalar: {}}]`)
		wrong.Spec.Versions[0].Name = name
		_, err := conversion.Compile(crd, wrong)
		want := "crosswalk things.example.com: " + name + ": this is not a version of the CRD, which has v1alpha1, v1beta1, v1; " + remedy
		if err == nil || err.Error() != want {
			t.Errorf("got\n%v\nwant\n%s", err, want)
		}
	}
}

// Who opts out of admission, or back in, must not make the API server rebuild what
// it has converted.
func TestAdmissionIsNotInTheFingerprint(t *testing.T) {
	crd := versions(t, map[string]string{"v1beta1": spec(""), "v1": spec("")})
	guarded, without := table(t, `[]`), table(t, `[]`)
	without.Spec.Admission = v1alpha1.AdmissionNone
	a, err := conversion.Compile(crd, guarded)
	if err != nil {
		t.Fatal(err)
	}
	b, err := conversion.Compile(crd, without)
	if err != nil {
		t.Fatal(err)
	}
	if a.Fingerprint() != b.Fingerprint() {
		t.Errorf("%s and %s", a.Fingerprint(), b.Fingerprint())
	}
}
