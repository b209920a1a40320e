package complement_test

import "testing"

func TestReads(t *testing.T) {
	union := tables{
		beta: "http: {type: object, properties: {path: {type: string}}}, tcp: {type: object, properties: {port: {type: integer}}}",
		v1:   "probe: {type: object, properties: {type: {type: string}, http: {type: object, properties: {path: {type: string}}}, tcp: {type: object, properties: {port: {type: integer}}}}}",
		rows: "[{spoke: .spec.http, hub: .spec.probe.http}, {spoke: .spec.tcp, hub: .spec.probe.tcp}, {spoke: {HTTP: .spec.http, TCP: .spec.tcp}, hub: .spec.probe.type, variant: {}}]",
	}
	tell(t, []story{
		// Both edits make of the port what was made before.
		{name: "an edit that makes the same again of a template counts", tables: join, object: `{address: "h:080"}`, there: "{host: h, port: 80}",
			kept: []string{`.spec.address "h:080" IF`}, edited: "{host: i, port: 80}", back: `{address: "i:80"}`},
		{name: "an edit of a place that a template reads and does not write counts", tables: join, from: "v1", object: "{port: 80}", there: "{}",
			edited: `{address: "h"}`, back: "{}"},
		{name: "values that become one are told apart by what was read", tables: levels, object: "{level: warn}", edited: "{severity: warning}", back: "{level: warning}"},
		{name: "another alternative ends that which was kept", tables: union, object: "{http: {path: /}, tcp: {port: 1}}", back: "{http: {path: /}, tcp: {port: 1}}"},
	})
}
