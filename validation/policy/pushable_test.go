package policy

import "testing"

func TestPushable(t *testing.T) {
	for name, test := range map[string]struct {
		conditions string
		want       bool
	}{
		"none":               {"[]", false},
		"object":             {"[{name: a, expression: object.spec.a == 'x'}]", true},
		"oldObject":          {"[{name: a, expression: oldObject == null || oldObject.spec.a == 'x'}]", true},
		"request":            {"[{name: a, expression: request.userInfo.username != 'x'}]", true},
		"authorizer":         {"[{name: a, expression: \"authorizer.requestResource.check('get').allowed()\"}]", true},
		"a macro":            {"[{name: a, expression: \"object.spec.items.all(i, i > 1)\"}]", true},
		"a type":             {"[{name: a, expression: type(object.spec.a) == string}]", true},
		"params":             {"[{name: a, expression: params.a == 'x'}]", false},
		"variables":          {"[{name: a, expression: variables.a}]", false},
		"lookups":            {"[{name: a, expression: lookups.a != null}]", false},
		"namespaceObject":    {"[{name: a, expression: \"has(namespaceObject.metadata.name)\"}]", false},
		"inside of a macro":  {"[{name: a, expression: \"object.spec.items.all(i, i != params.a)\"}]", false},
		"one of two":         {"[{name: a, expression: 'true'}, {name: b, expression: variables.a}]", false},
		"what is broken":     {"[{name: a, expression: object.}]", false},
		"in the hub version": {"[{name: a, expression: 'true'}]\nhub: true", false},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := Compile(validationPolicy(t, `
variables: [{name: a, expression: 'true'}]
lookups: [{name: a, apiVersion: v1, kind: Pod, nameExpression: "'a'"}]
paramKind: {apiVersion: v1, kind: ConfigMap}
paramRef: {name: a, parameterNotFoundAction: Deny}
validations: [{expression: 'true'}]
matchConditions: `+test.conditions+"\n"))
			if got := p.Pushable(); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
