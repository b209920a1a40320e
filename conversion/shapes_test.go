package conversion_test

import "testing"

// TestShapes writes tables for changes that well-known public APIs have made
// between their versions. The objects are seen as their users see them, and
// come back as they were.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		name, beta, v1, rows string
		// old is an object of v1beta1, and new its view in v1; more is what
		// only the new version can say, and less its view in v1beta1.
		old, new, more, less string
	}{
		{
			// HorizontalPodAutoscaler: a percentage of its own becomes one of
			// many metrics. A table without where can keep the list only.
			name: "autoscaler",
			beta: spec(`scaleTargetRef: {type: object, properties: {kind: {type: string}, name: {type: string}}}, minReplicas: {type: integer}, maxReplicas: {type: integer}, targetCPUUtilizationPercentage: {type: integer}`) +
				"\nstatus: {type: object, properties: {currentReplicas: {type: integer}, currentCPUUtilizationPercentage: {type: integer}}}",
			v1: spec(`scaleTargetRef: {type: object, properties: {apiVersion: {type: string}, kind: {type: string}, name: {type: string}}}, minReplicas: {type: integer, default: 1}, maxReplicas: {type: integer},
resource: {type: object, properties: {name: {type: string, default: cpu}, target: {type: object, properties: {type: {type: string}, averageUtilization: {type: integer}}}}}, behavior: {type: object, properties: {stabilizationWindowSeconds: {type: integer}}}`) +
				"\nstatus: {type: object, properties: {currentReplicas: {type: integer}, conditions: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}}}}}}",
			rows: `[{spoke: .spec.minReplicas, hub: .spec.minReplicas, default: {spoke: 1}}, {spoke: .spec.targetCPUUtilizationPercentage, hub: .spec.resource.target.averageUtilization}]`,
			old:  `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"},"maxReplicas":10,"targetCPUUtilizationPercentage":80},"status":{"currentReplicas":3,"currentCPUUtilizationPercentage":55}`,
			new:  `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"},"minReplicas":1,"maxReplicas":10,"resource":{"name":"cpu","target":{"averageUtilization":80}}},"status":{"currentReplicas":3}`,
			more: `"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":0,"maxReplicas":10,"resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":80}},"behavior":{"stabilizationWindowSeconds":0}},"status":{"conditions":[{"type":"AbleToScale","status":"True"}]}`,
			less: `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web"},"minReplicas":0,"maxReplicas":10,"targetCPUUtilizationPercentage":80},"status":{}`,
		},
		{
			// VirtualService: routes inside routes, and filters that nobody
			// has given a schema.
			name: "routes",
			beta: spec(`hosts: {type: array, items: {type: string}}, http: {type: array, items: {type: object, properties: {name: {type: string}, timeout: {type: string}, filters: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}},
route: {type: array, items: {type: object, properties: {destination: {type: object, properties: {host: {type: string}, port: {type: object, properties: {number: {type: integer}}}}}, weight: {type: integer}}}}}}}, extra: {x-kubernetes-preserve-unknown-fields: true}`),
			v1: spec(`hosts: {type: array, items: {type: string}}, rules: {type: array, items: {type: object, properties: {name: {type: string}, timeouts: {type: object, properties: {request: {type: string}}}, filters: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}},
backends: {type: array, items: {type: object, properties: {address: {type: string}, weight: {type: integer, default: 1}}}}}}}`),
			rows: `[{spoke: .spec.http, hub: .spec.rules, each: {rows: [{spoke: .timeout, hub: .timeouts.request},
{spoke: .route, hub: .backends, each: {rows: [{spoke: {host: .destination.host, port: .destination.port.number}, hub: .address, template: "{host}:{port}"}, {spoke: .weight, hub: .weight, default: {spoke: 1}}]}}]}}]`,
			old:  `"spec":{"hosts":["*"],"http":[{"name":"a","timeout":"5s","filters":[{"any":[1.50,null]},"x"],"route":[{"destination":{"host":"h","port":{"number":80}},"weight":0},{"destination":{"host":"h"}}]},{}],"extra":{"deep":[{"er":1000}]}}`,
			new:  `"spec":{"hosts":["*"],"rules":[{"name":"a","timeouts":{"request":"5s"},"filters":[{"any":[1.50,null]},"x"],"backends":[{"address":"h:80","weight":0},{"weight":1}]},{}]}`,
			more: `"spec":{"rules":[{"timeouts":{},"backends":[{"address":"no port","weight":1},{"address":"::1:8080","weight":1}]}]}`,
			less: `"spec":{"http":[{"route":[{},{"destination":{"host":"::1","port":{"number":8080}}}]}]}`,
		},
		{
			// Certificate: fields gathered under a new parent, renamed, and an
			// enum spelt another way.
			name: "certificate",
			beta: spec(`secretName: {type: string}, organization: {type: array, items: {type: string}}, keyAlgorithm: {type: string, enum: [rsa, ecdsa]}, keyEncoding: {type: string, enum: [pkcs1, pkcs8]}, keySize: {type: integer}, emailSANs: {type: array, items: {type: string}}, acme: {type: object, properties: {config: {type: string}}}`),
			v1:   spec(`secretName: {type: string}, subject: {type: object, properties: {organizations: {type: array, items: {type: string}}, countries: {type: array, items: {type: string}}}}, privateKey: {type: object, properties: {algorithm: {type: string, enum: [RSA, ECDSA, Ed25519]}, encoding: {type: string, enum: [PKCS1, PKCS8]}, size: {type: integer}, rotationPolicy: {type: string}}}, emailAddresses: {type: array, items: {type: string}}`),
			rows: `[{spoke: .spec.organization, hub: .spec.subject.organizations}, {spoke: .spec.keyAlgorithm, hub: .spec.privateKey.algorithm, values: {rsa: RSA, ecdsa: ECDSA}, closed: true},
{spoke: .spec.keyEncoding, hub: .spec.privateKey.encoding, values: {pkcs1: PKCS1, pkcs8: PKCS8}}, {spoke: .spec.keySize, hub: .spec.privateKey.size}, {spoke: .spec.emailSANs, hub: .spec.emailAddresses}, {spoke: .spec.acme}]`,
			old:  `"spec":{"secretName":"s","organization":["o"],"keyAlgorithm":"rsa","keyEncoding":"pkcs8","keySize":2048,"emailSANs":[],"acme":{"config":"c"}}`,
			new:  `"spec":{"secretName":"s","subject":{"organizations":["o"]},"privateKey":{"algorithm":"RSA","encoding":"PKCS8","size":2048},"emailAddresses":[]}`,
			more: `"spec":{"subject":{"countries":["DE"]},"privateKey":{"algorithm":"Ed25519","rotationPolicy":"Always"}}`,
			less: `"spec":{}`,
		},
		{
			// Task: inputs.params is hoisted, steps are known by their names,
			// and a step's resources have a new name.
			name: "task",
			beta: spec(`inputs: {type: object, properties: {params: {type: array, items: {type: object, properties: {name: {type: string}, default: {type: string}}}}, resources: {type: array, items: {type: string}}}},
steps: {type: array, items: {type: object, properties: {name: {type: string}, image: {type: string}, resources: {type: object, properties: {cpu: {x-kubernetes-int-or-string: true}}}, tty: {type: boolean}}}}`),
			v1: spec(`params: {type: array, items: {type: object, properties: {name: {type: string}, default: {x-kubernetes-preserve-unknown-fields: true}, type: {type: string}}}},
steps: {type: array, items: {type: object, properties: {name: {type: string}, image: {type: string}, computeResources: {type: object, properties: {cpu: {x-kubernetes-int-or-string: true}}}, onError: {type: string}}}}`),
			rows: `[{spoke: .spec.inputs.params, hub: .spec.params}, {spoke: .spec.steps, hub: .spec.steps, each: {key: name, unique: true, rows: [{spoke: .resources, hub: .computeResources}]}}]`,
			old:  `"spec":{"inputs":{"params":[{"name":"p","default":"d"}],"resources":["git"]},"steps":[{"name":"s","image":"i","resources":{"cpu":1},"tty":false},{"image":"nameless","tty":true}]}`,
			new:  `"spec":{"params":[{"name":"p","default":"d"}],"steps":[{"name":"s","image":"i","computeResources":{"cpu":1}},{"image":"nameless"}]}`,
			more: `"spec":{"params":[{"name":"p","type":"array","default":["a","b"]}],"steps":[{"name":"s","computeResources":{"cpu":"100m"},"onError":"continue"},{"name":"s","onError":"stop"}]}`,
			less: `"spec":{"inputs":{"params":[{"name":"p"}]},"steps":[{"name":"s","resources":{"cpu":"100m"}},{"name":"s"}]}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compiled(t, test.beta, test.v1, test.rows)
			for _, trip := range [...]struct{ from, to, body, want string }{
				{"v1beta1", "v1", test.old, test.new}, {"v1", "v1beta1", test.more, test.less},
			} {
				source := thing(trip.from, trip.body)
				there := convert(t, c, source, trip.to)
				if got, want := strip(t, there), thing(trip.to, trip.want); !sameJSON(t, got, want) {
					t.Errorf("the %s view\ngot  %s\nwant %s", trip.to, got, want)
				}
				back := convert(t, c, there, trip.from)
				if !sameJSON(t, strip(t, back), source) {
					t.Errorf("back in %s\ngot  %s\nwant %s", trip.from, back, source)
				}
				if again := convert(t, c, back, trip.to); !sameJSON(t, again, there) {
					t.Errorf("there once more\ngot  %s\nwant %s", again, there)
				}
			}
		})
	}
}
