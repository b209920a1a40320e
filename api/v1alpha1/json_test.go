package v1alpha1_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// everyField uses each field of the language once.
const everyField = `
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata:
  name: crontabs.stable.example.com
spec:
  hub: v1
  admission: None
  parameters: {className: standard}
  tables: {shared: [{spoke: .a, hub: .b}]}
  versions:
  - name: v1beta1
    tables:
      route:
      - {spoke: .to, hub: .receiver}
      - {spoke: .routes, hub: .children, each: {table: route}}
    rows:
    - {spoke: .spec.route, hub: .spec.tree, table: route}
    - {spoke: .spec.one, hub: .spec.many, single: {longer: none, table: route}}
    - {spoke: .spec.map, hub: .spec.list, keyed: {key: name, table: route}}
    - {spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
    - {spoke: .spec.policy, hub: .spec.concurrency, values: {Allow: Parallel, Forbid: 1}, inverse: {Serial: Forbid}, closed: true}
    - {spoke: .spec.old, drop: nobody reads it}
    - {spoke: .spec.timeoutSeconds, hub: .spec.timeout, scalar: {spoke: integer, hub: duration, unit: s, round: up}}
    - {spoke: .spec.delay, hub: .spec.delayMillis, scalar: {unit: {spoke: s, hub: ms}}}
    - {spoke: .spec.disabled, hub: .spec.enabled, boolean: {negate: true}}
    - {spoke: .spec.tls, hub: .spec.secure, boolean: {presence: spoke, true: {}, false: {}}}
    - {spoke: .spec.hosts, hub: .spec.hostList, join: {separator: ",", prefix: "[", suffix: "]", trim: true}}
    - {hub: .spec.replicas, constant: 3, sensitive: true}
    - {spoke: .spec.a, hub: .status.a, default: {spoke: 1, hub: {b: [true]}}, crosses: true}
    - {spoke: .spec.config, hub: .spec.settings, text: yaml}
    - {spoke: .spec.code, hub: .spec.decoded, func: decode}
    - {spoke: .spec.range, hub: {low: .spec.low, high: .spec.high}, cel: {toHub: {low: "int(self.spec.range)", high: "9"}, toSpoke: string(self.spec.low)}}
    - {spoke: {ConfigMap: .spec.cm, Secret: .spec.secret}, hub: {type: .spec.ref.kind, value: .spec.ref.name}, variant: {rows: [{spoke: .a, hub: .b}], alternatives: [{name: Secret, table: route}], elsewhere: [ConfigMap]}}
    - {spoke: .spec.backend, hub: .spec.backends, single: {rows: [{spoke: .a, hub: .b}]}}
    - {spoke: .spec.names, hub: .spec.users, wrap: name}
    - {spoke: .spec.env, hub: .spec.variables, keyed: {key: name, value: value, doubled: last, rows: [{spoke: .a, hub: .b}]}}
    - {spoke: {debug: .spec.debug}, hub: .spec.flags, entries: {name: name, value: value}}
    - spoke: {cpu: .spec.cpu, rest: .spec.others}
      hub: .spec.metrics
      where:
      - {place: cpu, match: {.type: Resource}, rows: [{spoke: ., hub: .target}]}
      - {place: rest, has: [.type], key: name, unique: true, table: route}
    - spoke: .spec.jobs
      hub: .spec.tasks
      each:
        key: name
        unique: true
        rows:
        - {spoke: .cmd, hub: .command.line}
        - spoke: .steps
          hub: .steps
          each: {key: [name, stage], rows: [{spoke: .a, hub: .b}]}
  - {name: v1alpha1, retired: nothing is stored in it}
`

// The sample above is complete: every field of every struct is set somewhere.
func TestEveryFieldIsComplete(t *testing.T) {
	text := decode(t)
	seen := map[string]bool{}
	visit(reflect.ValueOf(text.Spec), seen)
	for _, structType := range []reflect.Type{
		reflect.TypeFor[v1alpha1.CrosswalkSpec](), reflect.TypeFor[v1alpha1.VersionTable](),
		reflect.TypeFor[v1alpha1.Row](), reflect.TypeFor[v1alpha1.Each](), reflect.TypeFor[v1alpha1.Default](),
		reflect.TypeFor[v1alpha1.Scalar](), reflect.TypeFor[v1alpha1.Unit](), reflect.TypeFor[v1alpha1.Boolean](), reflect.TypeFor[v1alpha1.Join](),
		reflect.TypeFor[v1alpha1.Single](), reflect.TypeFor[v1alpha1.Keyed](),
		reflect.TypeFor[v1alpha1.CEL](), reflect.TypeFor[v1alpha1.Expressions](), reflect.TypeFor[v1alpha1.Part](), reflect.TypeFor[v1alpha1.Entries](),
	} {
		for i := range structType.NumField() {
			if name := structType.Name() + "." + structType.Field(i).Name; !seen[name] {
				t.Errorf("%s is not set", name)
			}
		}
	}
}

func visit(v reflect.Value, seen map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), seen)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			visit(v.MapIndex(key), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				seen[v.Type().Name()+"."+v.Type().Field(i).Name] = true
				visit(v.Field(i), seen)
			}
		}
	}
}

func decode(t *testing.T) *v1alpha1.Crosswalk {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(everyField))
	if err != nil {
		t.Fatal(err)
	}
	crosswalk := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(text, crosswalk); err != nil {
		t.Fatal(err)
	}
	return crosswalk
}

func TestRoundTripAndDeepCopy(t *testing.T) {
	crosswalk := decode(t)
	first, err := json.Marshal(crosswalk)
	if err != nil {
		t.Fatal(err)
	}
	again := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(first, again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(crosswalk, again) {
		t.Errorf("got\n%+v\nwant\n%+v", again, crosswalk)
	}
	if other := crosswalk.DeepCopy(); !reflect.DeepEqual(crosswalk, other) {
		t.Errorf("the copy differs: %+v", other)
	}
}

func TestPolymorphicValues(t *testing.T) {
	row := func(text string) (v1alpha1.Row, error) {
		var row v1alpha1.Row
		err := json.Unmarshal([]byte(text), &row)
		return row, err
	}
	good, err := row(`{"spoke":".a","hub":{"x":".b"},"constant":9007199254740993,"each":{"key":"k"}}`)
	if err != nil {
		t.Fatal(err)
	}
	if good.Spoke.Path != ".a" || good.Hub.Named["x"] != ".b" || string(good.Constant.JSON) != "9007199254740993" || good.Each.Key[0] != "k" {
		t.Errorf("got %+v", good)
	}
	for text, want := range map[string]string{
		`{"spoke":5}`:              "write a path or a map from names to paths, not 5",
		`{"spoke":{"x":5}}`:        "every value of the map must be a string",
		`{"each":{"key":{"a":1}}}`: `a key must be a field name, a path such as .metadata.name, or a list of these, not {"a":1}`,
	} {
		if _, err := row(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	empty, err := json.Marshal(v1alpha1.Row{Constant: &v1alpha1.Value{}})
	if err != nil || string(empty) != `{"constant":null}` {
		t.Errorf("got %s, %v", empty, err)
	}
}

func TestAddToScheme(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	kinds, _, err := scheme.ObjectKinds(&v1alpha1.Crosswalk{})
	if err != nil || len(kinds) != 1 || kinds[0].String() != "crosswalk.dev/v1alpha1, Kind=Crosswalk" {
		t.Errorf("got %v, %v", kinds, err)
	}
}
