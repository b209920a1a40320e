package config

import (
	"reflect"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	admissionregistrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

const crontabPolicy = `apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: crontabs}
spec:
  hub: true
  matchConstraints:
    resourceRules:
    - {apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}
  validations:
  - expression: object.spec.host != 'localhost'
    fieldPath: .spec.host
    message: must not be localhost
`

const crontabMutation = `apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: crontabs}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE], resources: [crontabs]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{metadata: Object.metadata{labels: {'team': 'x'}}}"
`

// nativePolicies are a policy of each kind of Kubernetes with its binding.
const nativePolicies = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: pods}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}
  validations: [{expression: 'true'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: pods}
spec:
  policyName: pods
  validationActions: [Deny]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: pods}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  reinvocationPolicy: Never
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'remove', path: '/metadata/labels'}]"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: pods}
spec: {policyName: pods}
`

func TestPolicies(t *testing.T) {
	config, err := Load([]string{write(t, "all.yaml", crontabCRD+"---\n"+crontabTable+"---\n"+crontabPolicy+"---\n"+crontabMutation+"---\n"+nativePolicies)})
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := config.CompilePolicies()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range append(compiled.Validations, compiled.Mutations...) {
		got = append(got, p.String())
	}
	want := []string{"ValidationPolicy crontabs", "ValidatingAdmissionPolicy pods", "MutationPolicy crontabs", "MutatingAdmissionPolicy pods"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, p := range config.Policies {
		if p.Unbound() || p.Constraints() == nil || p.Hub() != (p.Kind == v1alpha1.KindValidationPolicy) {
			t.Errorf("%v: unbound %v, constraints %v, hub %v", p, p.Unbound(), p.Constraints(), p.Hub())
		}
	}
	if len(config.CRDs) != 1 || config.NeedTables() != nil {
		t.Errorf("got %d CRDs, %v", len(config.CRDs), config.NeedTables())
	}
}

// A policy for the hub may be about several resources of several groups, of which
// every resource is in one.
func TestHubOfSeveral(t *testing.T) {
	all := crontabCRD + "---\n" + crontabTable + "---\n"
	for _, change := range []string{"apiGroups: [example.com, stable.example.com]", "apiGroups: ['*']"} {
		if _, err := Load([]string{write(t, "a.yaml", all+strings.Replace(crontabPolicy, "apiGroups: [stable.example.com]", change, 1))}); err != nil {
			t.Error(err)
		}
	}
}

// Policies need no table and no CRD, in v1beta1 neither, nor in a list.
func TestPoliciesAlone(t *testing.T) {
	beta := strings.ReplaceAll(nativePolicies, "admissionregistration.k8s.io/v1", "admissionregistration.k8s.io/v1beta1")
	folder := write(t, "a.yaml", beta)
	config, err := Load([]string{folder})
	if err != nil || len(config.Policies) != 2 {
		t.Fatalf("got %+v, %v", config, err)
	}
	if _, err := config.CompilePolicies(); err != nil {
		t.Error(err)
	}
	if err := config.NeedTables(); err == nil || err.Error() != "no Crosswalk (crosswalk.dev/v1alpha1) in "+folder {
		t.Errorf("got %v", err)
	}
	unbound, _, _ := strings.Cut(nativePolicies, "---")
	config, err = Load([]string{write(t, "a.yaml", "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyList\nitems:\n- "+
		strings.TrimRight(strings.ReplaceAll(unbound, "\n", "\n  "), " "))})
	if err != nil || len(config.Policies) != 1 || !config.Policies[0].Unbound() {
		t.Errorf("got %+v, %v", config, err)
	}
}

// v1beta1 of Kubernetes' policies is read as v1, because it has the same fields.
func TestNativeVersionsAreAlike(t *testing.T) {
	for _, pair := range [][2]reflect.Type{
		{reflect.TypeFor[admissionregistrationv1beta1.ValidatingAdmissionPolicySpec](), reflect.TypeFor[admissionregistrationv1.ValidatingAdmissionPolicySpec]()},
		{reflect.TypeFor[admissionregistrationv1beta1.ValidatingAdmissionPolicyBindingSpec](), reflect.TypeFor[admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec]()},
		{reflect.TypeFor[admissionregistrationv1beta1.MutatingAdmissionPolicySpec](), reflect.TypeFor[admissionregistrationv1.MutatingAdmissionPolicySpec]()},
		{reflect.TypeFor[admissionregistrationv1beta1.MutatingAdmissionPolicyBindingSpec](), reflect.TypeFor[admissionregistrationv1.MutatingAdmissionPolicyBindingSpec]()},
	} {
		alike(t, pair[0].Name(), pair[0], pair[1])
	}
}

func alike(t *testing.T, path string, a, b reflect.Type) {
	t.Helper()
	if a.Kind() != b.Kind() {
		t.Errorf("%s: %v and %v", path, a, b)
		return
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice:
		alike(t, path, a.Elem(), b.Elem())
	case reflect.Struct:
		as, bs := fieldTypes(a), fieldTypes(b)
		for name := range bs {
			if as[name] == nil {
				t.Errorf("%s has no %s", path, name)
			}
		}
		for name, field := range as {
			if bs[name] == nil {
				t.Errorf("%s has no %s any more", path, name)
				continue
			}
			alike(t, path+"."+name, field, bs[name])
		}
	}
}

func TestWrongPolicies(t *testing.T) {
	all := crontabCRD + "---\n" + crontabTable + "---\n"
	tests := []struct{ name, text, want string }{
		{"unknown fields", strings.NewReplacer("fieldPath", "fieldpath", "hub: true", "failurepolicy: Fail").Replace(crontabPolicy),
			`FILE: document 1, line 5: ValidationPolicy crontabs: .spec.failurepolicy: unknown field; did you mean failurePolicy?
FILE: document 1, line 11: ValidationPolicy crontabs: .spec.validations[0].fieldpath: unknown field; did you mean fieldPath?`},
		{"nothing", "apiVersion: crosswalk.dev/v1alpha1\nkind: MutationPolicy\nmetadata: {}\n",
			`FILE: document 1, line 1: MutationPolicy without a name: .metadata.name is missing
FILE: document 1, line 1: MutationPolicy without a name: .spec is missing`},
		{"a name that is none", all + strings.Replace(crontabPolicy, "name: crontabs", "name: Cron_Tabs", 1),
			`FILE: document 3, line 32: ValidationPolicy "Cron_Tabs": .metadata.name: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ` +
				`'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		{"twice", all + crontabPolicy + "---\n" + crontabPolicy,
			`FILE: document 4, line 43: ValidationPolicy crontabs is there twice: first in FILE, line 30`},
		{"one name, two kinds", nativePolicies + "---\n" + strings.Replace(strings.Replace(crontabPolicy, "name: crontabs", "name: pods", 1), "  hub: true\n", "", 1),
			`FILE: document 5, line 32: ValidationPolicy pods has the same name as ValidatingAdmissionPolicy pods in FILE, line 1; names must be unique among policies of one phase: rename one of them`},
		{"a binding of nothing", strings.Replace(nativePolicies, "policyName: pods\n", "policyName: pod\n", 1),
			`FILE: document 2, line 14: ValidatingAdmissionPolicyBinding pods: .spec.policyName: there is no ValidatingAdmissionPolicy "pod"; did you mean pods?`},
		{"a binding that binds nothing", strings.Replace(nativePolicies, "spec: {policyName: pods}", "spec: {}", 1),
			`FILE: document 4, line 30: MutatingAdmissionPolicyBinding pods: .spec.policyName is missing: name the MutatingAdmissionPolicy that it binds`},
		{"a binding of a kind that is not there", "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: a}\nspec: {policyName: pods}\n",
			`FILE: document 1, line 4: MutatingAdmissionPolicyBinding a: .spec.policyName: there is no MutatingAdmissionPolicy "pods"; add its file to --config`},
		{"two bindings of one name", nativePolicies + "---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: pods}\nspec: {policyName: pods}\n",
			`FILE: document 5, line 32: MutatingAdmissionPolicyBinding pods is there twice: first in FILE, line 27`},
		{"versions that are not read", "apiVersion: admissionregistration.k8s.io/v1alpha1\nkind: MutatingAdmissionPolicy\n---\napiVersion: crosswalk.dev/v1\nkind: ValidationPolicy\n",
			`FILE: document 1, line 1: unknown version: MutatingAdmissionPolicy of admissionregistration.k8s.io/v1alpha1; use admissionregistration.k8s.io/v1
FILE: document 2, line 4: unknown version: ValidationPolicy of crosswalk.dev/v1; this release reads crosswalk.dev/v1alpha1`},
		{"no hub", crontabPolicy,
			`FILE: document 1, line 5: ValidationPolicy crontabs: .spec.hub: there is no Crosswalk for crontabs.stable.example.com, so it has no hub version; add its file to --config`},
		{"the hub of something else", all + strings.Replace(crontabPolicy, "resources: [crontabs]", "resources: [crontab/status]", 1),
			`FILE: document 3, line 34: ValidationPolicy crontabs: .spec.hub: there is no Crosswalk for crontab.stable.example.com, so it has no hub version; did you mean crontabs.stable.example.com?`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			folder := write(t, "all.yaml", test.text)
			_, err := Load([]string{folder})
			if err == nil {
				t.Fatal("no error")
			}
			if got := strings.ReplaceAll(err.Error(), folder+"/all.yaml", "FILE"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Every mistake of every policy is told with its line, those of bindings too.
func TestCompilePoliciesReportsEverything(t *testing.T) {
	native := strings.NewReplacer("[{expression: 'true'}]", "\n  - expression: 'true'\n  - expression: |\n      object.spec.\n", "[Deny]", "[Deny, Warn]").Replace(nativePolicies)
	mutation := strings.Replace(crontabMutation, "operations: [CREATE]", "operations: [DELETE]", 1)
	folder := write(t, "all.yaml", native+"---\n"+mutation)
	config, err := Load([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	_, err = config.CompilePolicies()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"/all.yaml: document 5, line 42: MutationPolicy crontabs: .spec.matchConstraints.resourceRules[0].operations[0]: a deleted object cannot be changed",
		"/all.yaml: document 1, line 10: ValidatingAdmissionPolicy pods: .spec.validations[1].expression: ERROR: <input>:2:1: Syntax error",
		"/all.yaml: document 2, line 19: ValidatingAdmissionPolicyBinding pods: .spec.validationActions: Deny and Warn exclude each other",
	} {
		if !strings.Contains(err.Error(), folder+want) {
			t.Errorf("%s is missing in\n%v", want, err)
		}
	}
}
