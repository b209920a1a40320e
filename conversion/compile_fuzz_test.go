package conversion_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// FuzzCompile compiles rows of any text. Whatever they say, the compiler gives the
// same answer twice: problems, each a line that names the row, or a converter that
// converts. Whether the laws hold for what compiles is FuzzTables' concern.
func FuzzCompile(f *testing.F) {
	const list = "type: array, items: {type: object, properties: {name: {type: string}, n: {type: integer}, host: {type: string}, t: {type: object, properties: {x: {type: string}}}}}"
	const schema = "s: {type: string}, e: {type: string, enum: [A, B]}, i: {type: integer}, d: {type: number, default: 1}, b: {type: boolean}, o: {type: object, properties: {x: {type: string}, y: {type: string, nullable: true}}}, " +
		"l: {" + list + "}, k: {" + list + ", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]}, w: {type: array, items: {type: string}}, m: {type: object, additionalProperties: {type: string}}, any: {x-kubernetes-preserve-unknown-fields: true}"
	crd := versions(f, map[string]string{"v1beta1": spec(schema), "v1": spec(schema + ", p: {type: string}")})
	for _, row := range []string{
		`{spoke: .spec.s, hub: .spec.p}`, `{spoke: .spec.e, hub: .spec.e, values: {A: B, B: A}, closed: true}`, `{spoke: .spec.s, hub: {a: .spec.s, b: .spec.p}, template: "{a}:{b}"}`,
		`{spoke: .spec.i, hub: .spec.s, scalar: {hub: duration, unit: s}}`, `{spoke: .spec.b, hub: .spec.o, boolean: {presence: hub}, default: {spoke: true}}`, `{spoke: .spec.s, hub: .spec.w, join: {separator: ",", trim: true}}`,
		`{spoke: .spec.s, hub: .spec.any, text: yaml}`, `{spoke: {A: .spec.s, B: .spec.i}, hub: .spec.e, variant: {}}`, `{spoke: .spec.l, hub: .spec.k, each: {key: name, unique: true, rows: [{spoke: .host, hub: .t.x}]}}`,
		`{spoke: .spec.o, hub: .spec.l, single: {longer: none}}`, `{spoke: .spec.w, hub: .spec.l, wrap: name}`, `{spoke: .spec.l, hub: .spec.m, keyed: {key: name, value: host}}`, `{spoke: .spec.m, hub: .spec.l, entries: {name: name, value: host}}`,
		`{spoke: .spec.l, hub: .spec.m, keyed: {key: "[{name}/]{n}", value: host}}`, `{spoke: .spec.s, hub: {a: .spec.s, b: .spec.p}, template: "[{a!/}/]{b}"}`,
		`{spoke: {a: .spec.l, c: .spec.k}, hub: .spec.l, where: [{place: a, match: {.name: x}}, {place: c, has: [.t], rows: [{spoke: .host, hub: .t.x}]}]}`,
		`{hub: .spec.p, cel: {toHub: "self.spec.?s.orValue('') + 'x'"}}`, `{spoke: .spec.s, hub: .spec.s, cel: {toHub: "self.spec.s.lowerAscii()", toSpoke: "self.spec.s"}}`, `{spoke: .spec.s, hub: .spec.p, func: f}`,
		`{hub: .spec.p, constant: c}`, `{spoke: .spec.any, drop: nobody reads it}`, `{spoke: .spec.s, hub: ".metadata.annotations['e.com/s']", crosses: true}`, `{spoke: .spec.s, sensitive: true}`, `{spoke: .spec.o, hub: .spec.o, table: t}`,
	} {
		f.Add("[" + row + "]")
		f.Add("[{spoke: .spec.d, hub: .spec.d, default: {spoke: 1}}, " + row + "]")
	}
	objects := []string{`"spec":{"s":"a:b","e":"A","i":60,"d":1.5,"b":true,"o":{"x":"1","y":null},"l":[{"name":"x","n":1,"host":"h","t":{"x":"1"}},{"name":"x"},{}],"k":[{"name":"a"}],"w":["a","b,c"],"m":{"a":"1"},"any":{"a":[null]},"p":"q"}`, `"spec":null`, ``}
	f.Fuzz(func(t *testing.T, rows string) {
		cw := table(t, "[]")
		if len(rows) > 1<<12 || yaml.UnmarshalStrict([]byte(rows), &cw.Spec.Versions[0].Rows) != nil {
			return
		}
		cw.Spec.Versions[0].Tables = map[string][]v1alpha1.Row{"t": {{Spoke: &v1alpha1.Place{Path: ".x"}, Hub: &v1alpha1.Place{Path: ".y"}}}}
		before, _ := json.Marshal(cw)
		c, err := conversion.Compile(crd, cw)
		again, errAgain := conversion.Compile(crd, cw)
		if after, _ := json.Marshal(cw); string(after) != string(before) {
			t.Fatalf("the table was changed to %s", after)
		}
		if err != nil {
			var problems conversion.Problems
			if !errors.As(err, &problems) || len(problems) == 0 || errAgain == nil || errAgain.Error() != err.Error() {
				t.Fatalf("%v, and then %v", err, errAgain)
			}
			for _, p := range problems {
				if !strings.HasPrefix(p.Error(), "crosswalk things.example.com: v1beta1") || p.Message == "" || strings.Contains(p.Error(), "%!") {
					t.Errorf("a problem that says too little: %v", p)
				}
			}
			return
		}
		if errAgain != nil || c.Fingerprint() != again.Fingerprint() {
			t.Fatalf("%s, and then %s, %v", c.Fingerprint(), again.Fingerprint(), errAgain)
		}
		for _, object := range objects {
			for from, to := range map[string]string{"v1": "v1beta1", "v1beta1": "v1"} {
				there := convert(t, c, thing(from, object), to)
				convert(t, c, there, from)
			}
		}
	})
}
