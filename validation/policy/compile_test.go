package policy

import (
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Everything that is wrong is told at once, each with its place and what to do.
func TestProblems(t *testing.T) {
	_, problems := Compile(validationPolicy(t, `
matchConstraints:
  matchPolicy: Near
  objectSelector: {matchExpressions: [{key: a, operator: Around, values: [b]}]}
  resourceRules:
  - {apiGroups: ['*', x], apiVersions: [], operations: [CREATE, PATCH], resources: [''], scope: World}
failurePolicy: Perhaps
matchConditions:
- {name: a b, expression: object.spec.host}
variables:
- {name: namespace, expression: variables.later}
- {name: later, expression: object.spec +}
validations:
- {expression: object.spec.flag, message: "one\ntwo", reason: Gone}
- {expression: self.spec.host != '', fieldPath: spec.host}
- {expression: params.max > 1, fieldPath: '.spec.jobs[0]', messageExpression: "authorizer.path('/').check('get').reason()"}
auditAnnotations:
- {key: a/b, valueExpression: object.spec.host}
- {key: a/b, valueExpression: "1"}
validationActions: [Deny, Warn, Warn, Shout]
paramRef: {name: a, selector: {}}
`))
	want := strings.TrimPrefix(`
spec.matchConstraints.matchPolicy: "Near" is unknown: use one of [Exact Equivalent]
spec.matchConstraints.resourceRules[0].operations[1]: "PATCH" is unknown: use one of [CREATE UPDATE DELETE CONNECT *]
spec.matchConstraints.resourceRules[0].apiGroups: it contains *, so remove the others
spec.matchConstraints.resourceRules[0].apiVersions: it is empty, so the rule matches nothing
spec.matchConstraints.resourceRules[0].resources[0]: it is empty
spec.matchConstraints.resourceRules[0].scope: "World" is unknown: use one of [Cluster Namespaced *]
spec.failurePolicy: "Perhaps" is unknown: use one of [Fail Ignore]
spec.matchConditions[0].name: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
spec.variables[0].name: "namespace" is not a valid name for a variable: use a letter or _ first, then letters, digits and _, but not a word of CEL
spec.validations[0].message: it must have one line
spec.validations[0].reason: "Gone" is unknown: use one of [Unauthorized Forbidden Invalid RequestEntityTooLarge]
spec.auditAnnotations[0].key: "a/b" has a prefix: remove it, because the name of the policy becomes the prefix
spec.auditAnnotations[1].key: "a/b" has a prefix: remove it, because the name of the policy becomes the prefix
spec.auditAnnotations[1].key: "a/b" occurs twice
spec.validationActions[2]: Warn occurs twice
spec.validationActions[3]: "Shout" is unknown: use one of [Deny Warn Audit]
spec.validationActions: Deny and Warn exclude each other: a denial contains everything that a warning would
spec.paramRef: the kind of the parameters is missing: set spec.paramKind
spec.paramRef: set either name or selector
spec.paramRef.parameterNotFoundAction: it is missing: with Allow, requests without parameters pass; with Deny, they follow the failurePolicy
spec.matchConstraints.objectSelector: "Around" is not a valid label selector operator
spec.variables[0].expression: ERROR: <input>:1:10: undefined field 'later'
 | variables.later
 | .........^
(variables and lookups may only use earlier ones, by their names)
spec.variables[1].expression: ERROR: <input>:1:14: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
 | object.spec +
 | .............^
spec.matchConditions[0].expression: must evaluate to bool but got dyn
(compare it with a value, for example == true)
spec.validations[0].expression: must evaluate to bool but got dyn
(compare it with a value, for example == true)
spec.validations[1].expression: ERROR: <input>:1:1: undeclared reference to 'self' (in container '')
 | self.spec.host != ''
 | ^
(use object instead)
spec.validations[1].fieldPath: write it with a dot before each name, as in .spec.host
spec.validations[2].expression: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')
 | params.max > 1
 | ^
(set spec.paramKind to use params)
spec.validations[2].messageExpression: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')
 | authorizer.path('/').check('get').reason()
 | ^
(a messageExpression cannot use authorizer)
spec.validations[2].fieldPath: [0]: write names as ['name']; one element of a list cannot be named
spec.auditAnnotations[0].valueExpression: must evaluate to one of [string null_type] but got dyn
(convert it with string())
spec.auditAnnotations[1].valueExpression: must evaluate to one of [string null_type] but got int
`, "\n")
	if got := problems.Error() + "\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, problems = Compile(validationPolicy(t, `matchConstraints: {}`))
	want = `spec.matchConstraints.resourceRules: there are none: add a rule for what the policy matches
spec.validations: there is nothing to evaluate: add a validation, or an audit annotation`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Expressions have the functions of the API server, and no other: none sends anything, and
// none reads what the policy does not declare.
func TestExpressionsHaveTheFunctionsOfTheAPIServer(t *testing.T) {
	theirs := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv().Functions()
	for _, kind := range []environmentKind{{}, {authorizer: true}, {patches: true}} {
		c := newCompiler(true, true, new(Problems))
		made, err := c.environments(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range []*cel.Env{made.counting, made.free} {
			for name := range env.Functions() {
				if theirs[name] == nil && name != "jsonpatch.escapeKey" { // that is of its MutatingAdmissionPolicies
					t.Errorf("%+v has %s", kind, name)
				}
			}
		}
	}
	for _, expression := range []string{"http.Get('http://10.0.0.1/').ok", "resource.Get('v1', 'secrets', 'a', 'b') != null", "globalContext.Get('a', '') != null"} {
		_, problems := Compile(validationPolicy(t, `
matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
validations: [{expression: "`+expression+`"}]
`))
		if problems == nil || !strings.Contains(problems.Error(), "undeclared reference") {
			t.Errorf("%s: %v", expression, problems)
		}
	}
}

// What is wrong with a binding is told as what is wrong with the policy, and some is wrong
// with a policy of Kubernetes alone.
func TestProblemsOfBindings(t *testing.T) {
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "b"}}
	if err := yaml.Unmarshal([]byte(`
matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
validations: [{expression: "true", reason: Unauthorized}]
`), &policy.Spec); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(`
policyName: p
paramRef: {parameterNotFoundAction: Perhaps}
matchResources: {matchPolicy: Near}
validationActions: [Shout]
`), &binding.Spec); err != nil {
		t.Fatal(err)
	}
	_, problems := CompileNative(policy, binding)
	want := `spec.validations[0].reason: "Unauthorized" is unknown: use one of [Forbidden Invalid RequestEntityTooLarge]
binding b: spec.matchResources.matchPolicy: "Near" is unknown: use one of [Exact Equivalent]
binding b: spec.validationActions[0]: "Shout" is unknown: use one of [Deny Warn Audit]
binding b: spec.paramRef: set either name or selector
binding b: spec.paramRef.parameterNotFoundAction: "Perhaps" is unknown: use one of [Allow Deny]`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestProblemsOfMutations(t *testing.T) {
	p := &v1alpha1.MutationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	if err := yaml.UnmarshalStrict([]byte(`
matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE, DELETE], resources: [pods]}]}
reinvocationPolicy: Often
mutations:
- patchType: JSONPatch
- patchType: ApplyConfiguration
  applyConfiguration: {expression: "1"}
  jsonPatch: {expression: "[]"}
- patchType: Merge
- patchType: JSONPatch
  jsonPatch: {expression: "[JSONPatch{op: 1}]"}
`), &p.Spec); err != nil {
		t.Fatal(err)
	}
	_, problems := CompileMutation(p)
	want := `spec.matchConstraints.resourceRules[0].operations[1]: a deleted object cannot be changed
spec.reinvocationPolicy: "Often" is unknown: use one of [Never IfNeeded]
spec.mutations[0].jsonPatch: it is missing: patchType requires it
spec.mutations[1].jsonPatch: patchType excludes it: move it to another mutation
spec.mutations[2].patchType: "Merge" is unknown: use one of [ApplyConfiguration JSONPatch]
spec.mutations[1].applyConfiguration.expression: must evaluate to Object but got int
spec.mutations[3].jsonPatch.expression: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'
 | [JSONPatch{op: 1}]
 | .............^`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.Spec = v1alpha1.MutationPolicySpec{}
	_, problems = CompileMutation(p)
	want = `spec.matchConstraints: it is missing: select with resourceRules what the policy matches
spec.mutations: there is nothing to change: add a mutation`
	if got := problems.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
