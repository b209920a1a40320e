package policy

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// typedCRD is a CRD of CronTabs in which elements have keys.
const typedCRD = `
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              port: {type: string, pattern: '^[0-9]+$'}
              replicas: {type: integer, maximum: 9}
              jobs:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, shell: {type: string}}}
          status: {type: object, properties: {replicas: {type: integer}}}
`

// changedBy is what policies make of a request, their failures and how many of them were
// asked and failed.
func changedBy(t *testing.T, cluster Cluster, r *admissionv1.AdmissionRequest, policies ...*Policy) (object, failures string, asked, failed int) {
	t.Helper()
	observe := func(_ *Policy, o Opinion) {
		asked++
		if o.Failed {
			failed++
		}
	}
	verdict := review(t, mutations(cluster, observe, policies), r)
	return string(verdict.Object), told(verdict), asked, failed
}

// What the API server refuses for its types is left alone, and no policy fails because
// of it; what a mutation may mend is not.
func TestMistypedIsLeftAlone(t *testing.T) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal([]byte(typedCRD), crd); err != nil {
		t.Fatal(err)
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	cluster := Cluster{Types: types, Schemas: types}
	compile := func(expressions string) *Policy {
		p := mutationPolicy(t, expressions)
		p.Spec.MatchConstraints.ResourceRules[0].Resources = []string{"crontabs", "crontabs/status", "crontabs/scale"}
		compiled, problems := CompileMutation(p)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return compiled
	}
	merge := compile(`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{port: '80'}}"}}]`)
	patch := compile(`mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/replicas', value: int(object.spec.?replicas.orValue(1)) + 1}]"}}]`)
	fails := compile(`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{port: object.spec.none}}"}}]`)
	if _, says, _, failed := changedBy(t, cluster, create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, spec: {jobs: [{shell: sh}]}}"), fails); failed != 1 {
		t.Errorf("an expression that fails is the policy's mistake, whatever the object: %q", says)
	}
	for name, test := range map[string]struct {
		spec, old  string
		change     func(*admissionv1.AdmissionRequest)
		want, says string // parts of the object and of the failures
		asked      int
	}{
		"right":                       {spec: "{replicas: 2}", want: `"port":"80","replicas":3`, asked: 2},
		"missing, short and too much": {spec: "{port: x, replicas: 99}", want: `"port":"80","replicas":100`, asked: 2},
		"another type":                {spec: "{port: 8080}"},
		"another type elsewhere":      {spec: "{image: [x]}"},
		"no whole number":             {spec: "{replicas: 1.5}"},
		"over what is right":          {spec: "{port: 8080}", old: "{port: '8080'}"},
		"as it was before":            {spec: "{port: 8080}", old: "{port: 8080}", want: `"replicas":2`, says: `mutationpolicy "defaults": spec.mutations[0].applyConfiguration.expression`, asked: 2},
		"without a key":               {spec: "{jobs: [{shell: sh}]}", want: `"jobs":[{"shell":"sh"}],"replicas":2`, asked: 2},
		"without a key as before":     {spec: "{jobs: [{shell: sh}]}", old: "{jobs: [{shell: sh}]}", want: `"replicas":2`, says: `an element that omits all key fields ["name"]`, asked: 2},
		"the status": {spec: "{port: 8080}", change: func(r *admissionv1.AdmissionRequest) {
			r.SubResource = "status"
		}},
		"a Scale": {spec: "{port: 8080}", want: `"replicas":2`, says: ".spec.port: expected string", asked: 2, change: func(r *admissionv1.AdmissionRequest) {
			r.SubResource = "scale"
		}},
		"written in a version that nobody knows": {spec: "{port: 8080}", want: `"replicas":2`, says: ".spec.port: expected string", asked: 2, change: func(r *admissionv1.AdmissionRequest) {
			r.RequestKind = &metav1.GroupVersionKind{Group: r.Kind.Group, Version: "v7", Kind: r.Kind.Kind}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			object := func(spec string) string {
				if spec == "" {
					return ""
				}
				return "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: nightly}, spec: " + spec + "}"
			}
			operation := admissionv1.Create
			if test.old != "" {
				operation = admissionv1.Update
			}
			r := request(t, operation, object(test.spec), object(test.old))
			if test.change != nil {
				test.change(r)
			}
			got, failures, asked, failed := changedBy(t, cluster, r, merge, patch)
			if !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if !strings.Contains(failures, test.says) || (test.says == "") != (failures == "") || (failures == "") != (failed == 0) {
				t.Errorf("says %s, want %s; %d failed", failures, test.says, failed)
			}
			if asked != test.asked {
				t.Errorf("%d were asked, want %d", asked, test.asked)
			}
		})
	}
}

// A policy of Kubernetes does with it what the API server does.
func TestMistypedForPoliciesOfKubernetes(t *testing.T) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal([]byte(typedCRD), crd); err != nil {
		t.Fatal(err)
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	ours := mutationPolicy(t, `mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{port: '80'}}"}}]`)
	native := &admissionregistrationv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "native"}, Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
		MatchConstraints: ours.Spec.MatchConstraints, Mutations: ours.Spec.Mutations,
	}}
	binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "native"}, Spec: admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: "native"}}
	p, problems := CompileNativeMutation(native, binding)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"{port: 8080}", "{jobs: [{shell: sh}]}"} {
		r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: nightly}, spec: "+spec+"}")
		if _, failures, _, failed := changedBy(t, Cluster{Types: types, Schemas: types}, r, p); failed != 1 || failures == "" {
			t.Errorf("%s: it does not fail", spec)
		}
	}
}

// Where the API server has converted what was written, the schema of the written
// version counts: what v1 does not take, v1beta1 may.
func TestMistypedInTheWrittenVersion(t *testing.T) {
	crd := exampleCRD(t)
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := CompileMutation(mutationPolicy(t, `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/timeZone', value: 'UTC'}]"}}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	cluster := Cluster{Types: types, Schemas: types, Tables: exampleTables(t)}
	converted := func(spec string) *admissionv1.AdmissionRequest {
		r := create(t, "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: nightly}, spec: "+spec+"}")
		r.RequestKind = &metav1.GroupVersionKind{Group: r.Kind.Group, Version: "v1beta1", Kind: r.Kind.Kind}
		return r
	}
	if got, failures, _, _ := changedBy(t, cluster, converted("{cronSpec: '* * * * *', image: x, host: h, port: '80'}"), p); !strings.Contains(got, "UTC") {
		t.Errorf("got %q, %s", got, failures)
	}
	if got, failures, asked, _ := changedBy(t, cluster, converted("{cronSpec: '* * * * *', image: 5}"), p); got != "" || failures != "" || asked != 0 {
		t.Errorf("got %q, %s", got, failures)
	}
}
