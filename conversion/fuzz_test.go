package conversion_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// richTables have all mappings, and schemas in which the versions differ in
// every way.
var richTables = []struct{ beta, v1, rows string }{
	{
		`spec: {type: object, properties: {a: {type: string}, hp: {type: string}, e: {type: string}, num: {type: integer, default: 3}, p: {x-kubernetes-preserve-unknown-fields: true},
o: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {x: {type: string}}}, d: {type: object, default: {}, properties: {x: {type: string, default: q}, z: {type: string}}},
l: {type: array, items: {type: object, properties: {id: {type: string}, c: {type: string}, p: {type: string}, in: {type: array, items: {type: object, properties: {p: {type: integer}, q: {type: integer}}}}}}},
m: {type: object, additionalProperties: {type: object, nullable: true, properties: {p: {type: integer}, c: {type: string}}}}}}
status: {type: object, properties: {s: {type: string}, t: {x-kubernetes-int-or-string: true}}}`,
		`spec: {type: object, properties: {b: {type: object, properties: {a: {type: string, nullable: true}}}, host: {type: string}, port: {type: integer}, e: {type: string}, k: {type: string}, num: {type: string},
o: {type: object, properties: {x: {type: string}}}, d: {type: object, properties: {x: {type: string}}},
l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, d: {type: object, properties: {c: {type: string}}}, in: {type: array, items: {type: object, properties: {q: {type: integer}}}}}}},
m: {type: object, additionalProperties: {type: object, properties: {d: {type: string}}}}}}
status: {type: object, properties: {u: {type: string}, t: {type: string}}}`,
		`[{spoke: .spec.a, hub: .spec.b.a}, {spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}, {spoke: .spec.e, hub: .spec.e, values: {A: B, C: B}, inverse: {B: A}},
{spoke: .spec.num}, {hub: .spec.num, constant: c}, {spoke: .spec.p, hub: ".metadata.annotations['e.com/p']", crosses: true}, {spoke: .status.s, hub: .status.u, default: {spoke: none}},
{hub: .spec.k, spoke: ".metadata.annotations['e.com/k']", crosses: true},
{spoke: .spec.l, hub: .spec.l, each: {key: id, unique: true, rows: [{spoke: .id, hub: .name}, {spoke: .c, hub: .d.c}]}},
{spoke: .spec.m, hub: .spec.m, each: {rows: [{spoke: .c, hub: .d}]}}]`,
	},
	{
		`spec: {type: object, properties: {one: {type: object, properties: {h: {type: string}, p: {type: string}}}, env: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}, p: {type: string}}}}, m: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}, w: {type: array, items: {type: string, nullable: true}}, j: {type: string}, s: {type: integer}, f: {type: object, properties: {a: {type: string}, b: {type: string}}}, t: {type: boolean}}}`,
		`spec: {type: object, properties: {list: {type: array, items: {type: object, properties: {h: {type: string}, q: {type: string}}}}, env: {type: object, additionalProperties: {type: string}}, m: {type: array, items: {type: object, properties: {k: {type: string}, z: {type: string}, q: {type: string}}}}, w: {type: array, items: {type: object, properties: {v: {type: string}, q: {type: string}}}}, j: {type: array, items: {type: string}}, s: {type: string}, f: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}, t: {type: object}}}`,
		`[{spoke: .spec.one, hub: .spec.list, single: {}}, {spoke: .spec.env, hub: .spec.env, keyed: {key: name, value: value}}, {spoke: .spec.m, hub: .spec.m, keyed: {key: k, rows: [{spoke: .x, hub: .z}]}},
{spoke: .spec.w, hub: .spec.w, wrap: v}, {spoke: .spec.j, hub: .spec.j, join: {separator: ","}}, {spoke: .spec.s, hub: .spec.s, scalar: {hub: duration, unit: s}}, {spoke: .spec.f, hub: .spec.f, keyed: {key: name, value: value}}, {spoke: .spec.t, hub: .spec.t, boolean: {presence: hub}}]`,
	},
	{
		`spec: {type: object, properties: {one: {type: integer}, l: {type: array, items: {type: object, properties: {h: {type: string}, p: {type: string}}}}, all: {type: array, items: {type: object, properties: {t: {type: string}, q: {type: string}}}}, d: {type: boolean}}}`,
		`spec: {type: object, properties: {list: {type: array, items: {type: object, properties: {t: {type: string}, r: {type: object, properties: {of: {type: string}, v: {type: integer}}}, host: {type: string}}}}, a: {type: array, items: {type: object, properties: {t: {type: string}}}}, b: {type: array, items: {type: object, properties: {t: {type: string}}}}, s: {type: array, items: {type: object, properties: {name: {type: string}, value: {type: string}}}}}}`,
		`[{spoke: {one: .spec.one, l: .spec.l}, hub: .spec.list, where: [{place: one, match: {.t: R, .r.of: c}, rows: [{spoke: ., hub: .r.v}]}, {place: l, has: [.host], rows: [{spoke: .h, hub: .host}]}]},
{spoke: .spec.all, hub: {a: .spec.a, b: .spec.b}, where: [{place: a, match: {.t: [x, z]}}, {place: b}]}, {spoke: {d: .spec.d}, hub: .spec.s, entries: {name: name, value: value}}]`,
	},
	{
		`spec: {x-kubernetes-preserve-unknown-fields: true}`,
		`spec: {type: object, properties: {l: {type: array, items: {type: array, items: {type: object, properties: {p: {type: integer}}}}}, m: {type: object, additionalProperties: {type: string}}, x: {type: object, default: {w: 1}, properties: {w: {type: integer}, z: {type: integer, default: 2}}}}}`,
		`[{spoke: .spec.m.k, hub: .spec.x.w}, {spoke: .spec.m.dropped, drop: nobody reads it}]`,
	},
}

// allowed reports whether a conversion of object may fail: only what is no
// Kubernetes object may.
func allowed(object []byte) bool {
	var scan jsontext.Scanner
	scan.Reset(object)
	if _, err := scan.Document(); err != nil {
		return true
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return true
	}
	var apiVersion, kind string
	var metadata struct{ Labels, Annotations map[string]string }
	return json.Unmarshal(members["apiVersion"], &apiVersion) != nil || json.Unmarshal(members["kind"], &kind) != nil ||
		kind != "Thing" || apiVersion != "example.com/v1" && apiVersion != "example.com/v1beta1" ||
		members["metadata"] != nil && json.Unmarshal(members["metadata"], &metadata) != nil
}

// FuzzConvert converts an object with a stash there, back and there again.
// Nothing panics, all output is I-JSON, only what is no Kubernetes object
// fails, and what was converted once goes on to be convertible.
func FuzzConvert(f *testing.F) {
	var converters []*conversion.Converter
	for _, r := range richTables {
		converters = append(converters, compiled(f, r.beta, r.v1, r.rows))
	}
	f.Add([]byte(`{"apiVersion":"example.com/v1beta1","kind":"Thing","metadata":{"labels":null,"annotations":{"a":"b"}},"spec":{"a":"x","hp":"h:80","e":"C","num":3,"p":{"q":[1.50]},"o":{"x":"1","u":2},"d":{"x":"q"},"l":[{"id":"a","c":"1","p":"2","in":[{"p":1,"q":2},{"p":2,"q":2}]},{"id":"a"},null,5],"m":{"k":{"p":1,"c":"2"},"n":null}},"status":{"s":"none","t":5}}`), "")
	f.Add([]byte(`{"apiVersion":"example.com/v1","kind":"Thing","spec":{"b":{"a":null},"host":"h","port":1,"e":"B","k":"7","num":"c","o":{},"d":null,"l":[{"name":"a","d":{"c":"1"},"in":[{"q":2},{"q":2}]},{"name":"a"}],"m":{"k":{"d":"x"}},"x":{"w":1}},"status":{"u":"y","t":"5"}}`),
		`{"format":1,"entries":[{"at":["spec","a"],"guard":"AAAAAAAAAAAAAAAA"},{"at":["spec","l",{"key":{"id":"a"}},"p"],"value":"p"},{"at":["spec","l",{"content":"AAAAAAAAAAAAAAAA","nth":1},"in",{"content":"A","nth":99999999999},"p"],"value":[1]},{"at":["spec","m","n"],"value":null},{"at":["spec","o","u"],"value":{}},{"at":["spec"],"guard":"x"},{"at":["metadata","annotations","e.com/k"],"value":5},{"at":["kind"],"value":"x"}]}`)
	f.Add([]byte(`{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"l":[[{"p":1,"q":2}],5],"m":{"k":4,"dropped":1,"s":"t"},"u":1}}`), `{"format":1,"entries":[]}`)
	f.Add([]byte(`{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"one":{"h":"x","p":1},"env":[{"name":"B","value":"2"},{"name":"A"},{"name":"B","value":"3"},null,{"name":"A","value":"1"}],"m":{"z":{"x":"1"},"a":null,"b":5},"w":["x",null,"y",5],"j":"a,b","s":90,"f":{"b":"1"},"t":true}}`), `{"format":1,"entries":[{"at":["spec","env"],"order":["B","A",{"value":{"name":"A"}},{"value":{"name":"C","value":"forged"}},{"value":null}]},{"at":["spec","m","a"],"value":{"forged":1}},{"at":["spec","one"],"order":[{"value":1}]}]}`)
	f.Add([]byte(`{"apiVersion":"example.com/v1","kind":"Thing","spec":{"list":[{"h":"x"},{"h":"y"},null],"env":{"B":"2","a":5},"m":[{"k":"z","z":"1","q":"2"},{"k":"z"},{"z":"3"},[]],"w":[{"v":"x","q":"1"},{"q":"2"},{"v":"x"}],"j":["a,b",""],"s":"1m30s","f":[{"name":"b","value":"1"},{"name":"c","value":"2"}],"t":{}}}`), `{"format":1,"entries":[{"at":["spec","list"],"order":[{"value":{"h":"forged"}},"",{"value":{"h":"y"}}]},{"at":["spec","w"],"order":[{"value":{"q":"2"}},{"content":"AAAAAAAAAAAAAAAA","nth":0},{"value":{"v":"forged"}}]},{"at":["spec","m",{"key":{"k":"z"}},"q"],"value":"2"},{"at":["spec","w",{"content":"x","nth":0}],"value":{},"guard":"x"},{"at":["spec","list",""],"value":5},{"at":["spec","env",{"key":{"name":"B"}}],"value":null}]}`)
	f.Fuzz(func(t *testing.T, object []byte, stash string) {
		if json.Valid([]byte(stash)) && bytes.HasSuffix(object, []byte("}")) && takesMetadata(object) {
			// The stash of either version, whether or not it is valid.
			object = append(object[:len(object)-1:len(object)-1], `,"metadata":{"annotations":{"stash.crosswalk.dev/v1":`...)
			quoted := jsontext.Quote(nil, bytes.ToValidUTF8([]byte(stash), nil))
			object = append(append(append(append(object, quoted...), `,"stash.crosswalk.dev/v1beta1":`...), quoted...), `}}}`...)
		}
		before := bytes.Clone(object)
		for i, c := range converters {
			for _, to := range [...]string{"v1", "v1beta1"} {
				out, err := c.Convert([]byte("before"), object, to)
				var e *conversion.Error
				if err != nil {
					if !errors.As(err, &e) || !allowed(object) || string(out) != "before" {
						t.Fatalf("table %d to %s: %v\n%s", i, to, err, object)
					}
					continue
				}
				out = out[len("before"):]
				for _, next := range [...]string{"v1", "v1beta1", "v1"} {
					var scan jsontext.Scanner
					scan.Reset(out)
					if _, err := scan.Document(); err != nil || !json.Valid(out) {
						t.Fatalf("table %d: %v\n%s\nof %s", i, err, out, object)
					}
					again, err := c.Convert(nil, out, next)
					if err != nil {
						t.Fatalf("table %d: what was converted does not convert to %s: %v\n%s\nof %s", i, next, err, out, object)
					}
					out = again
				}
			}
		}
		if !bytes.Equal(object, before) {
			t.Fatal("the input was changed")
		}
	})
}

// takesMetadata reports whether metadata may be added to an object.
func takesMetadata(object []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) == nil && len(members) > 0 && members["metadata"] == nil
}
