package policy

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
)

const legacy = `
metadata: {name: nightly, labels: {team: a}, finalizers: [x], deletionTimestamp: "2024-01-01T00:00:00Z"}
spec: {replicas: 20, host: localhost, jobs: [{name: a}, {name: ""}], weird-name: 1, limits: {low: 9, high: 1}}
`

const legacyRules = `
variables:
- {name: limits, expression: object.spec.limits}
- {name: low, expression: variables.limits.low}
- {name: spec, expression: object.spec}
- {name: maybe, expression: "object.?spec.orValue({})"}
validations:
- {expression: variables.spec.replicas <= 10, message: replicas}
- {expression: "object.spec['host'] != 'localhost'", message: host}
- {expression: "object.spec.jobs.all(j, j.name != '')", message: jobs}
- {expression: variables.low <= variables.limits.high, message: limits}
- {expression: "variables.maybe.?missing.hasValue()", message: missing}
- {expression: "object.spec.gone == 1", message: gone}
`

// An update is judged for what it changes.
func TestRatcheting(t *testing.T) {
	p := compiled(t, legacyRules)
	for _, test := range []struct{ name, from, to, want string }{
		{"nothing", "", "", ""},
		{"a finalizer", "finalizers: [x]", "finalizers: []", ""},
		{"a label", "team: a", "team: b", ""},
		{"another mistake in the same place", "replicas: 20", "replicas: 30", "replicas"},
		{"the mistake is mended", "replicas: 20", "replicas: 5", ""},
		{"a host", "host: localhost", "host: localhost, x: 1", ""},
		{"an element", "{name: a}", "{name: b}", "jobs"},
		{"what a variable of a variable reads", "high: 1", "high: 2", "limits"},
		{"what is missing becomes null", "host: localhost", "host: localhost, missing: null", ""},
		{"what a failing rule reads", "host: localhost", "host: localhost, gone: x", "gone"},
		{"spec of what is being deleted", "host: localhost", "host: localhost, replicas: 40", "replicas"},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := strings.Replace(legacy, test.from, test.to, 1)
			if test.name == "spec of what is being deleted" {
				changed = strings.Replace(legacy, "replicas: 20", "replicas: 40", 1)
			}
			verdict := review(t, Validations(Cluster{}, p), request(t, admissionv1.Update, changed, legacy))
			if got := causes(verdict); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	// On create, the whole object is validated.
	verdict := review(t, Validations(Cluster{}, p), create(t, legacy))
	if got := len(verdict.Causes); got != 6 {
		t.Errorf("%d causes: %s", got, causes(verdict))
	}
}

// A rule about the request is judged, whatever has changed.
func TestRatchetingSparesNoRuleAboutTheRequest(t *testing.T) {
	for rule, judged := range map[string]bool{
		"object.spec.host == 'x'":                                                    false,
		"request.operation == 'DELETE' || object.spec.host == 'x'":                   false,
		"request.userInfo.username == object.spec.host":                              true,
		"object.spec.host == 'x' || request.dryRun":                                  true,
		"oldObject.spec.host == 'x' || object.spec.host == 'x'":                      true,
		"has(request.options) && object.spec.host == 'x'":                            true,
		"authorizer.path('/').check('get').allowed() || object.spec.host == 'x'":     true,
		"authorizer.requestResource.check('x').allowed() || object.spec.host == 'x'": true,
		"request.operation == 'DELETE'":                                              true,
		"dyn(request).operation == 'DELETE' || object.spec.host == 'x'":              false,
		"dyn(request).userInfo.username == object.spec.host":                         true,
		"variables.who == object.spec.host":                                          true,
		"variables.where == 'x'":                                                     false,
		"namespaceObject.metadata.name == object.spec.host":                          false,
		"object == oldObject && false":                                               true,
		"object.metadata.labels.exists(l, object.metadata.labels[l] == 'x')":         false,
		"[1].exists(object, object == 2) || false":                                   true,
		"[object.spec.host].exists(h, h == 'x')":                                     false,
		"{'a': object.spec.host}['a'] == 'x'":                                        false,
		"object[object.spec.host] == 1":                                              false,
		"object == null || object.spec.host == 'x'":                                  false,
		"null != object && object.spec.host == 'x'":                                  false,
		"object != oldObject && object.spec.host == 'x'":                             true,
	} {
		p := compiled(t, `
variables: [{name: who, expression: request.userInfo.username}, {name: where, expression: object.spec.host}]
validations: [{expression: "`+rule+`", message: judged}]
`)
		given := NewGiven()
		labelled := legacy
		if strings.Contains(rule, "null") {
			labelled = strings.Replace(legacy, "team: a", "team: b", 1)
		}
		verdict := review(t, Validations(Cluster{Namespaces: given}, p), request(t, admissionv1.Update, labelled, legacy))
		if !verdict.Allowed() != judged {
			t.Errorf("%s: %q", rule, causes(verdict))
		}
	}
}

func TestRatchetingSwitchedOff(t *testing.T) {
	p := compiled(t, legacyRules+"ratcheting: false")
	verdict := review(t, Validations(Cluster{}, p), request(t, admissionv1.Update, legacy, legacy))
	if len(verdict.Causes) != 6 {
		t.Error(causes(verdict))
	}
}

// A write that makes a policy match an object has the whole object validated: no rule has
// checked it before.
func TestRatchetingSparesNothingThatWasNotValidated(t *testing.T) {
	about := "matchConstraints: {objectSelector: {matchLabels: {team: a}}, resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n"
	rules := "validations: [{expression: object.spec.host != 'localhost', message: judged}]\n"
	for _, test := range []struct{ name, spec, from, to, want string }{
		{"a condition begins to hold", "matchConditions: [{name: many, expression: object.spec.replicas > 20}]\n" + rules, "replicas: 20", "replicas: 21", "judged"},
		{"a condition of a variable", "variables: [{name: count, expression: object.spec.replicas}]\nmatchConditions: [{name: many, expression: variables.count > 20}]\n" + rules, "replicas: 20", "replicas: 21", "judged"},
		{"a condition held before", "matchConditions: [{name: many, expression: object.spec.replicas >= 20}]\n" + rules, "team: a", "team: b", ""},
		{"a condition about who writes", "matchConditions: [{name: ann, expression: request.userInfo.username == 'ann'}]\n" + rules, "team: a", "team: b", ""},
		{"a label by which the object is chosen", about + rules, "team: b", "team: a", "judged"},
		{"a label by which it was chosen", about + rules, "team: a", "team: b", ""},
		{"another label", about + rules, "team: a", "team: a, x: y", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			old := legacy
			if test.from == "team: b" {
				old = strings.Replace(legacy, "team: a", test.from, 1)
			}
			r := request(t, admissionv1.Update, strings.Replace(old, test.from, test.to, 1), old)
			if got := causes(review(t, Validations(Cluster{}, compiled(t, test.spec)), r)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
