package policy

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation"
)

// A denial lists all mistakes, each with its field and the value there.
func TestEveryViolationAtOnce(t *testing.T) {
	p := compiled(t, `
validations:
- {expression: "object.spec.replicas <= 10", fieldPath: .spec.replicas, message: must be at most 10}
- {expression: "object.spec.host != 'localhost'", fieldPath: .spec.host, messageExpression: "'must not be ' + object.spec.host"}
- {expression: "has(object.spec.schedule)", fieldPath: .spec.schedule, message: say when}
- {expression: "object.spec.port != 80 || request.userInfo.username == 'root'", fieldPath: .spec.port, message: is for root, reason: Forbidden}
- {expression: "'team' in object.metadata.labels", message: has no label team}
- {expression: "object.spec.fine == true", fieldPath: .spec.fine, message: is fine}
- {expression: "size(object.spec.jobs) < 2", fieldPath: .spec.jobs}
`)
	verdict := review(t, Validations(Cluster{}, p), create(t, `
metadata: {labels: {}}
spec: {replicas: 20, host: localhost, port: 80, fine: true, jobs: [1, 2]}
`))
	want := `spec.replicas: Invalid value: 20: must be at most 10 (validationpolicy "schedules")
spec.host: Invalid value: "localhost": must not be localhost (validationpolicy "schedules")
spec.schedule: Required value: say when (validationpolicy "schedules")
spec.port: Forbidden: is for root (validationpolicy "schedules")
has no label team (validationpolicy "schedules")
spec.jobs: Invalid value: failed expression: size(object.spec.jobs) < 2 (validationpolicy "schedules")`
	if got := told(verdict); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A policy that cannot be evaluated says which expression failed and why.
func TestFailureSaysWhichExpressionAndWhy(t *testing.T) {
	spec := `
validations:
- {expression: object.spec.host == 'x', fieldPath: .spec.host, message: must be x}
- {expression: "object.spec.jobs[3].name == 'x'", message: third}
auditAnnotations: [{key: k, valueExpression: "object.spec.none + ''"}]
`
	object := "spec: {host: there, jobs: []}"
	want := `spec.host: Invalid value: "there": must be x
validationpolicy "schedules": spec.validations[1].expression "object.spec.jobs[3].name == 'x'" cannot be evaluated: index out of bounds: 3
validationpolicy "schedules": spec.auditAnnotations[0].valueExpression "object.spec.none + ''" cannot be evaluated: no such key: none`
	if got := causes(review(t, Validations(Cluster{}, compiled(t, spec)), create(t, object))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Ignored are failures alone.
	want = `spec.host: Invalid value: "there": must be x`
	if got := causes(review(t, Validations(Cluster{}, compiled(t, spec+"failurePolicy: Ignore")), create(t, object))); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for name, test := range map[string]struct{ spec, want string }{
		"an expression that does not compile": {
			`validations: [{expression: object.spec +}]`,
			`validationpolicy "schedules": spec.validations[0].expression does not compile: ERROR: <input>:1:14: Syntax error`,
		},
		"a variable": {
			"variables: [{name: v, expression: object.spec.none}]\nvalidations: [{expression: variables.v == 1}]",
			`validationpolicy "schedules": spec.validations[0].expression "variables.v == 1" cannot be evaluated: the variable v: no such key: none`,
		},
		"no namespaces": {
			`validations: [{expression: namespaceObject.metadata.name == 'x'}]`,
			`validationpolicy "schedules": spec.validations[0].expression "namespaceObject.metadata.name == 'x'" cannot be evaluated: namespaces cannot be read here`,
		},
		"no authorizer": {
			`validations: [{expression: "authorizer.path('/').check('get').allowed()"}]`,
			`validationpolicy "schedules": spec.validations[0].expression "authorizer.path('/').check('get').allowed()" cannot be evaluated: authorizer is not available here`,
		},
		"no objects": {
			"paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: a, parameterNotFoundAction: Deny}\nvalidations: [{expression: params == null}]",
			`validationpolicy "schedules" cannot be evaluated: params: objects cannot be read here`,
		},
		"no constraints": {
			"matchConstraints:\nvalidations: [{expression: 'true'}]",
			`validationpolicy "schedules" cannot be evaluated: it has no matchConstraints`,
		},
		"a condition": {
			"matchConditions: [{name: a, expression: object.spec.none == 1}]\nvalidations: [{expression: 'true'}]",
			`validationpolicy "schedules": spec.matchConditions[0].expression "object.spec.none == 1" cannot be evaluated: no such key: none`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := Compile(validationPolicy(t, test.spec))
			if got := causes(review(t, Validations(Cluster{}, p), create(t, object))); !strings.HasPrefix(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestParams(t *testing.T) {
	spec := `
paramKind: {apiVersion: v1, kind: ConfigMap}
paramRef: {selector: {matchLabels: {use: it}}, namespace: limits, parameterNotFoundAction: Deny}
validations: [{expression: object.spec.replicas <= int(params.data.max), fieldPath: .spec.replicas, messageExpression: "'must be at most ' + params.data.max"}]
`
	limit := func(name, max string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name, "namespace": "limits", "labels": map[string]any{"use": "it"}},
			"data": map[string]any{"max": max},
		}}
	}
	r := create(t, "spec: {replicas: 5}")
	got := causes(review(t, Validations(Cluster{Objects: NewGiven(limit("a", "3"), limit("b", "9"), limit("c", "4"))}, compiled(t, spec)), r))
	if want := "spec.replicas: Invalid value: 5: must be at most 3\nspec.replicas: Invalid value: 5: must be at most 4"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = causes(review(t, Validations(Cluster{Objects: NewGiven()}, compiled(t, spec)), r))
	if want := `validationpolicy "schedules" cannot be evaluated: params: no ConfigMap has the labels use=it in namespace limits`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestActions(t *testing.T) {
	spec := `
validations:
- {expression: "false", fieldPath: .spec.host, message: "no"}
- {expression: object.spec.none == 1, message: never}
validationActions: `
	r := create(t, "spec: {host: there}")
	verdict := review(t, Validations(Cluster{}, compiled(t, spec+"[Warn]")), r)
	want := []string{
		`spec.host: Invalid value: "there": no (validationpolicy "schedules")`,
		`validationpolicy "schedules": spec.validations[1].expression "object.spec.none == 1" cannot be evaluated: no such key: none`,
	}
	if !verdict.Allowed() || !slices.Equal(verdict.Warnings, want) {
		t.Errorf("%v %q", verdict.Allowed(), verdict.Warnings)
	}
	verdict = review(t, Validations(Cluster{}, compiled(t, spec+"[Audit]")), r)
	note := `[{"message":"Invalid value: \"there\": no","policy":"schedules","binding":"","expressionIndex":0,"validationActions":["Audit"]},` +
		`{"message":"spec.validations[1].expression \"object.spec.none == 1\" cannot be evaluated: no such key: none","policy":"schedules","binding":"","expressionIndex":1,"validationActions":["Audit"]}]`
	if got := verdict.AuditAnnotations["validation_failure"]; !verdict.Allowed() || len(verdict.Warnings) > 0 || got != note {
		t.Errorf("%v %q\n%s", verdict.Allowed(), verdict.Warnings, got)
	}
}

// Keys of annotations are such as the audit log takes, and those of two policies
// differ.
func TestAuditKeys(t *testing.T) {
	if got := auditKey("p", "k"); got != "p.k" {
		t.Error(got)
	}
	seen := map[string]bool{}
	for _, policy := range []string{"p", strings.Repeat("p", 60), strings.Repeat("p", 61), strings.Repeat("q", 253)} {
		for _, key := range []string{"k", "key", strings.Repeat("k", 63)} {
			got := auditKey(policy, key)
			if messages := validation.IsQualifiedName("webhook.example.com/" + got); len(messages) > 0 || seen[got] {
				t.Errorf("%s: %v", got, messages)
			}
			seen[got] = true
		}
	}
}

// Nothing of a Secret is shown, neither of one that is written nor of one that
// holds parameters.
func TestSecretsAreNotShown(t *testing.T) {
	spec := `
matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}
validations:
- {expression: object.data.password == 'x', fieldPath: .data.password, message: must be x, messageExpression: "'must not be ' + object.data.password"}
- {expression: int(object.data.password) == 1, message: number}
auditAnnotations: [{key: k, valueExpression: string(object.data.password)}]
`
	r := create(t, "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {password: hunter2}}")
	r.Kind, r.Resource = metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, metav1.GroupVersionResource{Version: "v1", Resource: "secrets"}
	verdict := review(t, Validations(Cluster{}, compiled(t, spec)), r)
	want := `data.password: Invalid value: must be x
validationpolicy "schedules": spec.validations[1].expression "int(object.data.password) == 1" cannot be evaluated: the reason is not shown, because it may hold something secret`
	if got := causes(verdict); got != want || verdict.AuditAnnotations != nil {
		t.Errorf("got\n%s %v\nwant\n%s", got, verdict.AuditAnnotations, want)
	}
	secret := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s", "namespace": "default"}, "data": map[string]any{"password": "hunter2"},
	}}
	verdict = review(t, Validations(Cluster{Objects: NewGiven(secret)}, compiled(t, `
paramKind: {apiVersion: v1, kind: Secret}
paramRef: {name: s, parameterNotFoundAction: Deny}
validations: [{expression: object.spec.host == params.data.password, message: is wrong, messageExpression: "'must be ' + params.data.password"}]
`)), create(t, "spec: {host: x}"))
	if got := causes(verdict); got != "is wrong" {
		t.Error(got)
	}
}

// Only what reads a Secret is silent about what it has found, whichever way it reads it.
func TestOnlyWhatReadsASecretIsSilent(t *testing.T) {
	objects := given(t,
		"{apiVersion: v1, kind: Secret, metadata: {name: key, namespace: default}, data: {password: hunter2}}",
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: hunter2, namespace: default}, data: {a: b}}",
		"{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: default}, data: {a: c}}")
	for expression, shown := range map[string]bool{
		"'constant'":                                              true,
		"'not ' + object.spec.host":                               true,
		"'not ' + variables.host":                                 true,
		"lookups.plain.data.a":                                    true,
		"request.userInfo.username":                               true,
		"lookups.key.data.password":                               false,
		"variables.password":                                      false,
		"variables.through":                                       false,
		"lookups.found.data.a":                                    false,
		"params.data.password":                                    false,
		"has(params.data.x) ? 'a' : 'b'":                          false,
		"dyn(lookups).key.data.password":                          false,
		"[lookups.key].map(k, k.data)[0].size() == 1 ? 'a' : 'b'": false,
	} {
		p := compiled(t, `
paramKind: {apiVersion: v1, kind: Secret}
paramRef: {name: key, parameterNotFoundAction: Deny}
lookups:
- {name: plain, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host}
- {name: key, apiVersion: v1, kind: Secret, nameExpression: "'key'"}
- {name: found, apiVersion: v1, kind: ConfigMap, nameExpression: lookups.key.data.password}
variables:
- {name: host, expression: object.spec.host}
- {name: password, expression: lookups.key.data.password}
- {name: through, expression: "{'a': variables.password}.a"}
validations:
- {expression: lookups.key.data.password == object.spec.host, message: is wrong, messageExpression: "string(`+expression+`)"}
- {expression: "[dyn(`+expression+`), object.spec.none].size() == 1"}
auditAnnotations: [{key: k, valueExpression: "string(`+expression+`)"}]
`)
		verdict := review(t, Validations(Cluster{Objects: objects}, p), create(t, "spec: {host: x}"))
		if len(verdict.Causes) != 2 {
			t.Fatalf("%s: %s", expression, causes(verdict))
		}
		failure := verdict.Causes[1].Message
		if hidden := strings.HasSuffix(failure, "the reason is not shown, because it may hold something secret"); hidden == shown {
			t.Errorf("%s: %s", expression, failure)
		}
		if got := verdict.Causes[0].Message; shown == strings.HasPrefix(got, "is wrong") {
			t.Errorf("%s: %s", expression, got)
		}
		if _, audited := verdict.AuditAnnotations["schedules.k"]; audited != shown {
			t.Errorf("%s: %v", expression, verdict.AuditAnnotations)
		}
	}
}

// What is no JSON is told, and nothing is judged by it.
func TestHostileObjects(t *testing.T) {
	p := compiled(t, `
validations: [{expression: "object.spec.host != 'x'"}]
matchConstraints: {objectSelector: {matchExpressions: [{key: a, operator: DoesNotExist}]}, resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}
`)
	for _, text := range []string{`{`, `{"spec":{"host":"y}}`, `{"spec":{"host":"y"},"spec":{}}`, `{"metadata":1,"spec":{"host":"y"`, "{\"spec\":{\"host\":\"\xff\"}}"} {
		r := create(t, "")
		r.Object.Raw = []byte(text)
		if got := causes(review(t, Validations(Cluster{}, p), r)); !strings.Contains(got, "the object is not valid JSON") {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{"", "null", "1", `"x"`, "[]", `{"spec":null}`, `{"spec":[]}`, strings.Repeat(`{"spec":`, 9000) + "1" + strings.Repeat("}", 9000)} {
		r := create(t, "")
		r.Object.Raw = []byte(text)
		if verdict := review(t, Validations(Cluster{}, p), r); len(text) > 0 && verdict.Allowed() && text[0] == '{' && len(text) < 100 {
			t.Errorf("%s passes", text)
		}
	}
}

// Policies are used by many at once, and leave requests as they are.
func TestConcurrentReviews(t *testing.T) {
	p := compiled(t, `
variables: [{name: host, expression: object.spec.host}]
validations: [{expression: "variables.host != 'x'", fieldPath: .spec.host, messageExpression: "'not ' + variables.host"}]
`)
	m, problems := CompileMutation(mutationPolicy(t, `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/host', value: object.spec.host + 'x'}]"}}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	validate, mutate := Validations(Cluster{}, p), Mutations(Cluster{}, m)
	r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {host: x}}")
	before := string(r.Object.Raw)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				verdict, err := validate.Review(t.Context(), r)
				if err != nil || causes(verdict) != `spec.host: Invalid value: "x": not x` {
					t.Error(causes(verdict), err)
				}
				verdict, err = mutate.Review(t.Context(), r)
				if want := strings.Replace(before, `"host":"x"`, `"host":"xx"`, 1); err != nil || string(verdict.Object) != want {
					t.Error(string(verdict.Object), err)
				}
			}
		})
	}
	group.Wait()
	if string(r.Object.Raw) != before {
		t.Error("the request has changed")
	}
}

// An evaluation ends when nobody waits for it any more.
func TestCancelled(t *testing.T) {
	p := compiled(t, `validations: [{expression: "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, a * b * c > 0)))"}]`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	verdict, err := Validations(Cluster{}, p).Review(ctx, create(t, "{}"))
	if err != nil || !strings.Contains(causes(verdict), "operation interrupted") {
		t.Error(causes(verdict), err)
	}
}
