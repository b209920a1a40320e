package verify

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// many is a table with rows at all depths.
func many(t *testing.T) *Subject {
	t.Helper()
	s, _, err := Load([]byte(`
crd: things.example.com
kind: Thing
law: L1
from: v1
through: [v2]
object: "{}"
schemas:
  v1:
    type: object
    properties:
      spec:
        type: object
        properties:
          hostPort: {type: string}
          policy: {type: string}
          jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}, mounts: {type: array, items: {type: object, properties: {dir: {type: string}}}}}}}
          quotas: {type: object, additionalProperties: {type: object, properties: {max: {type: integer}}}}
          route: {type: object, properties: {to: {type: string}, routes: {type: array, items: {type: object, properties: {to: {type: string}, routes: {type: array, items: {type: object, properties: {to: {type: string}}}}}}}}}
  v2:
    type: object
    properties:
      spec:
        type: object
        properties:
          host: {type: string}
          port: {type: string}
          concurrency: {type: object, properties: {mode: {type: string}}}
          tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: object, properties: {line: {type: string}}}, volumes: {type: array, items: {type: object, properties: {path: {type: string}}}}}}}
          limits: {type: object, additionalProperties: {type: object, properties: {hard: {type: integer}}}}
          tree: {type: object, properties: {receiver: {type: string}, children: {type: array, items: {type: object, properties: {receiver: {type: string}, children: {type: array, items: {type: object, properties: {receiver: {type: string}}}}}}}}}
  v3:
    type: object
    properties:
      spec:
        type: object
        properties:
          dotted.name: {type: string}
          steps: {type: array, items: {type: object, properties: {id: {type: string}}}}
table:
  hub: v2
  versions:
  - name: v1
    tables:
      route:
      - {spoke: .to, hub: .receiver}
      - {spoke: .routes, hub: .children, each: {table: route}}
    rows:
    - {spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
    - {spoke: .spec.policy, hub: .spec.concurrency.mode}
    - spoke: .spec.jobs
      hub: .spec.tasks
      each:
        key: name
        unique: true
        rows:
        - {spoke: .cmd, hub: .command.line}
        - {spoke: .mounts, hub: .volumes, each: {rows: [{spoke: .dir, hub: .path}]}}
    - {spoke: .spec.quotas, hub: .spec.limits, each: {rows: [{spoke: .max, hub: .hard}]}}
    - {spoke: .spec.route, hub: .spec.tree, table: route}
  - name: v3
    rows:
    - {spoke: ".spec['dotted.name']", hub: .spec.host}
    - {spoke: .spec.steps, hub: .spec.tasks, each: {rows: [{spoke: .id, hub: .name}]}}
`), Compile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRowsToBlame(t *testing.T) {
	t.Parallel()
	s := many(t)
	for _, test := range []struct{ from, to, place, want string }{
		{"v1", "v2", ".spec.policy", "v1 row 2"},
		{"v2", "v1", ".spec.concurrency.mode", "v1 row 2"},
		{"v2", "v1", ".spec.port", "v1 row 1"},
		{"v1", "v2", ".spec.jobs[2].cmd", "v1 row 3, each row 1"},
		{"v1", "v2", ".spec.jobs[0].mounts[1].dir", "v1 row 3, each row 2, each row 1"},
		{"v1", "v2", ".spec.jobs[2].name", "v1 row 3"},
		{"v1", "v2", ".spec.jobs", "v1 row 3"},
		{"v1", "v2", ".spec.quotas.cpu.max", "v1 row 4, each row 1"},
		{"v1", "v2", ".spec.route.routes[0].routes[1].to", "v1 table route row 1"},
		{"v2", "v1", ".spec.tree.children[0].receiver", "v1 table route row 1"},
		{"v3", "v2", ".spec.steps[0].id", "v3 row 2, each row 1"},
		// The hub's place is one of another spoke, too.
		{"v3", "v1", ".spec['dotted.name']", "v3 row 1, v1 row 1"},
		{"v3", "v1", ".spec.steps[0].id", "v3 row 2, each row 1, v1 row 3"},
		// What holds the places of rows.
		{"v2", "v1", ".spec.unknown", ""},
		{"v2", "v1", ".spec.concurrency", "v1 row 2"},
		{"v1", "v2", ".spec.unknown", ""},
	} {
		path, ok := places.Parse(test.place)
		if !ok {
			t.Fatal(test.place)
		}
		c := Counterexample{Case: Case{Law: RoundTrip, From: test.from, Through: []string{test.to}}, Subject: s, Diff: []tree.Difference{{Path: path}}}
		var got []string
		for _, r := range c.Rows() {
			got = append(got, r.Version+" "+r.Title)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s of %s on the way to %s: got %q, want %s", test.place, test.from, test.to, got, test.want)
		}
	}
}

func TestUses(t *testing.T) {
	t.Parallel()
	s := many(t)
	u := newUses(s.Table)
	for from, object := range map[string]string{
		"v1": `{"spec":{"policy":"a","jobs":[{"cmd":"x"},{"cmd":"y","mounts":[{}]}],"quotas":{"cpu":{"max":1}},"route":{"to":"a","routes":[{"to":"b"},{"to":"c"}]}}}`,
		"v3": `{"spec":{"dotted.name":"a"}}`,
	} {
		u.see(Case{Law: Native, From: from, Object: []byte(object)})
		u.see(Case{Law: RoundTrip, From: from, Object: []byte(object)})
	}
	got := map[string]int{}
	for _, use := range u.All() {
		got[use.Version+" "+use.Title] = use.Times
	}
	for title, want := range map[string]int{
		"v1 row 2": 1, "v1 row 3": 1, "v1 row 3, each row 1": 2, "v1 row 3, each row 2": 1, "v1 row 3, each row 2, each row 1": 0,
		"v1 row 4, each row 1": 1, "v1 table route row 1": 3, "v1 table route row 2": 1, "v3 row 1": 1, "v3 row 2": 0, "v1 row 5": 1,
	} {
		if times, ok := got[title]; !ok || times != want {
			t.Errorf("%s: got %d, %v, want %d", title, times, ok, want)
		}
	}
}
