package policy

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// The API server asks the conditions that it is given with a webhook, and so before
// anybody looks for params. Those that it is not given, as one that is written through a
// variable, must come to the same.
func TestConditionsAreAskedBeforeParams(t *testing.T) {
	const missing = `cannot be evaluated: params: no ConfigMap is named limits in namespace default`
	for name, test := range map[string]struct {
		conditions []string
		want       string // part of what is denied; empty where nothing is
		ignored    string // the same with failurePolicy Ignore
	}{
		"one that holds":                       {[]string{"object.spec.host == 'there'"}, missing, ""},
		"one that does not":                    {[]string{"object.spec.host == 'here'"}, "", ""},
		"one that fails":                       {[]string{"object.spec.none == 1"}, "no such key: none", ""},
		"one that fails and one that does not": {[]string{"object.spec.none == 1", "object.spec.host == 'here'"}, "", ""},
		"with params":                          {[]string{"params != null"}, missing, ""},
		"with params, and one that does not":   {[]string{"params != null", "object.spec.host == 'here'"}, "", ""},
		"with params, and one that fails":      {[]string{"params != null", "object.spec.none == 1"}, missing, ""},
	} {
		for _, through := range []bool{false, true} {
			spec := "paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: limits, parameterNotFoundAction: Deny}\n"
			variables, conditions := "variables:\n", "matchConditions:\n"
			for i, text := range test.conditions {
				n := string(rune('a' + i))
				if through {
					variables += `- {name: ` + n + `, expression: "` + text + "\"}\n"
					text = "variables." + n
				}
				conditions += `- {name: ` + n + `, expression: "` + text + "\"}\n"
			}
			if through {
				spec += variables
			}
			spec += conditions
			for _, ignore := range []bool{false, true} {
				spec, want := spec, test.want
				if ignore {
					spec, want = spec+"failurePolicy: Ignore\n", test.ignored
				}
				cluster := Cluster{Objects: NewGiven()}
				mutation, problems := CompileMutation(mutationPolicy(t, spec+"mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/image', value: 'x'}]\"}}]\n"))
				if err := problems.Err(); err != nil {
					t.Fatal(err)
				}
				for _, reviewer := range []validation.Reviewer{
					Validations(cluster, compiled(t, spec+"validations: [{expression: 'true'}]\n")),
					Mutations(cluster, mutation),
				} {
					r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {host: there}}")
					if got := causes(review(t, reviewer, r)); (want == "") != (got == "") || !strings.Contains(got, want) || strings.Contains(got, "\n") {
						t.Errorf("%s, %s\ngot  %s\nwant %s", name, spec, got, want)
					}
				}
			}
		}
	}
}

// A mutation is asked about the object as those before it have left it, and so are its
// conditions.
func TestConditionsOfMutationsSeeWhatIsThere(t *testing.T) {
	cluster := Cluster{Objects: NewGiven()}
	first, problems := CompileMutation(mutationPolicy(t, `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'replace', path: '/spec/host', value: 'here'}]"}}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{"there": "", "here": "no ConfigMap is named limits"} {
		second, problems := CompileMutation(mutationPolicy(t, `
paramKind: {apiVersion: v1, kind: ConfigMap}
paramRef: {name: limits, parameterNotFoundAction: Deny}
matchConditions: [{name: a, expression: "object.spec.host == '`+host+`'"}]
mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/image', value: 'x'}]"}}]`))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {host: there}}")
		if got := causes(review(t, Mutations(cluster, first, second), r)); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", host, got, want)
		}
	}
}
