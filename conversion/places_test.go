package conversion_test

import (
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	c := compiled(t,
		`spec: {type: object, properties: {hostPort: {type: string},
schedule: {type: string},
shell: {type: string},
image: {type: string},
old: {type: object, properties: {deep: {type: object, properties: {name: {type: string}}}}},
jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}}}}}}`,
		`spec: {type: object, properties: {host: {type: string},
port: {type: integer},
cron: {type: object, properties: {expression: {type: string}, zone: {type: string}}},
image: {type: string},
new: {type: object, properties: {name: {type: string}}},
tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: string}}}}}}`,
		`- {spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
- {spoke: .spec.schedule, hub: .spec.cron.expression}
- {spoke: .spec.old.deep, hub: .spec.new}
- {spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command}]}}`)
	for _, test := range []struct{ place, from, to, want string }{
		{"spec.host", "v1", "v1beta1", "spec.hostPort"},
		{"spec.port", "v1", "v1beta1", "spec.hostPort"},
		{"spec.hostPort", "v1beta1", "v1", "spec.host spec.port"},
		{"spec.cron.expression", "v1", "v1beta1", "spec.schedule"},
		{"spec.cron", "v1", "v1beta1", "spec.schedule"},
		{"spec.cron.zone", "v1", "v1beta1", ""},
		{"spec.shell", "v1beta1", "v1", ""},
		{"spec.image", "v1", "v1beta1", "spec.image"},
		{"metadata.labels.a", "v1", "v1beta1", "metadata.labels.a"},
		{"spec", "v1", "v1beta1", "spec"},
		{"spec.new.name", "v1", "v1beta1", "spec.old.deep.name"},
		{"spec.new", "v1", "v1beta1", "spec.old.deep"},
		{"spec.tasks", "v1", "v1beta1", "spec.jobs"},
		{"spec.host", "v1", "v1", "spec.host"},
		{"spec.host", "v1", "v9", ""},
		{"spec.host", "v9", "v1", ""},
	} {
		var got []string
		for _, place := range c.Places(strings.Split(test.place, "."), test.from, test.to) {
			got = append(got, strings.Join(place, "."))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s of %s in %s: %q, want %q", test.place, test.from, test.to, got, test.want)
		}
	}
}
