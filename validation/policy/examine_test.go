package policy

import (
	"github.com/crosswalk-dev/crosswalk/validation"
	"testing"
)

func TestExamine(t *testing.T) {
	const rule = "validations: [{expression: object.spec.jobs < 3, message: too many jobs, fieldPath: .spec.jobs}]\n"
	tests := map[string]struct {
		policy, object string
		matches        bool
		failed         bool
		want           string // the cause
	}{
		"fits":                     {rule, `{"spec":{"jobs":2}}`, true, false, ""},
		"denied":                   {rule, `{"spec":{"jobs":4}}`, true, false, `spec.jobs: Invalid value: 4: too many jobs (validationpolicy "schedules")`},
		"warned of":                {rule + "validationActions: [Warn]", `{"spec":{"jobs":4}}`, true, false, `spec.jobs: Invalid value: 4: too many jobs (validationpolicy "schedules")`},
		"audited":                  {rule + "validationActions: [Audit]", `{"spec":{"jobs":4}}`, true, false, `spec.jobs: Invalid value: 4: too many jobs (validationpolicy "schedules")`},
		"fails":                    {rule + "failurePolicy: Ignore", `{"spec":{}}`, true, true, `validationpolicy "schedules": spec.validations[0].expression "object.spec.jobs < 3" cannot be evaluated: no such key: jobs`},
		"no match, by a condition": {"matchConditions: [{name: other, expression: object.metadata.name == 'other'}]\n" + rule, `{"metadata":{"name":"x"},"spec":{"jobs":4}}`, true, false, ""},
		"other kind":               {"matchConstraints: {resourceRules: [{apiGroups: [x], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n" + rule, `{"spec":{"jobs":4}}`, false, false, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := compiled(t, test.policy)
			found, err := p.Examine(t.Context(), Cluster{}, create(t, test.object))
			if err != nil {
				t.Fatal(err)
			}
			got := told(&validation.Verdict{Causes: found.Causes})
			if found.Matches != test.matches || found.Failed != test.failed || got != test.want {
				t.Errorf("matches %t, failed %t, %q; want %t, %t, %q", found.Matches, found.Failed, got, test.matches, test.failed, test.want)
			}
		})
	}
}

func TestReadsWriter(t *testing.T) {
	const rule = "validations: [{expression: "
	tests := map[string]struct {
		policy string
		want   bool
	}{
		"the object":                 {rule + "object.spec.jobs < 3}]", false},
		"the old object":             {rule + "oldObject == null || oldObject.spec == object.spec}]", false},
		"the operation":              {rule + "request.operation == 'CREATE'}]", false},
		"the user":                   {rule + "request.userInfo.username != 'x'}]", true},
		"the user, in a condition":   {"matchConditions: [{name: people, expression: \"request.userInfo.username != 'x'\"}]\n" + rule + "object.spec.jobs < 3}]", true},
		"the user, through variable": {"variables: [{name: groups, expression: request.userInfo.groups}]\n" + rule + "size(variables.groups) > 0}]", true},
		"a variable that is unused":  {"variables: [{name: groups, expression: request.userInfo.groups}]\n" + rule + "object.spec.jobs < 3}]", false},
		"rights":                     {rule + "authorizer.path('/x').check('get').allowed()}]", true},
		"the options":                {rule + "request.options == null}]", true},
		"the whole request":          {rule + "request != null}]", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := compiled(t, test.policy).ReadsWriter(); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}
