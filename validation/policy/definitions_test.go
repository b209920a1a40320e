package policy

import (
	"context"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
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

// typedCluster knows the schema of typedCRD.
func typedCluster(t *testing.T) Cluster {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal([]byte(typedCRD), crd); err != nil {
		t.Fatal(err)
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	return Cluster{Types: types, Definitions: types}
}

// mutates compiles a policy about CronTabs and their subresources, with an expression of
// an ApplyConfiguration or a JSONPatch.
func mutates(t *testing.T, expression, more string) *Policy {
	t.Helper()
	patch := "{patchType: JSONPatch, jsonPatch: {expression: \"" + expression + "\"}}"
	if strings.HasPrefix(expression, "Object") {
		patch = "{patchType: ApplyConfiguration, applyConfiguration: {expression: \"" + expression + "\"}}"
	}
	p := mutationPolicy(t, "mutations: ["+patch+"]\n"+more)
	p.Spec.MatchConstraints.ResourceRules[0].Resources = []string{"crontabs", "crontabs/status", "crontabs/scale"}
	compiled, problems := CompileMutation(p)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return compiled
}

const (
	merging  = "Object{spec: Object.spec{port: '80'}}"
	patching = "[JSONPatch{op: 'add', path: '/spec/replicas', value: int(object.spec.?replicas.orValue(1)) + 1}]"
)

// typed is a write of a CronTab with a spec over one with another, if that is given.
func typed(t *testing.T, spec, old string) *admissionv1.AdmissionRequest {
	t.Helper()
	object := func(spec string) string {
		if spec == "" {
			return ""
		}
		return "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: nightly}, spec: " + spec + "}"
	}
	if old != "" {
		return request(t, admissionv1.Update, object(spec), object(old))
	}
	return request(t, admissionv1.Create, object(spec), "")
}

// What the API server refuses for its types is left alone; what a mutation may mend is
// not.
func TestMistypedIsLeftAlone(t *testing.T) {
	for name, test := range map[string]struct {
		spec, old  string
		change     func(*admissionv1.AdmissionRequest)
		want, says string // parts of the object and of the failures
	}{
		"right":                       {spec: "{image: x, replicas: 2}", want: `"port":"80","replicas":3`},
		"missing, short and too much": {spec: "{port: x, replicas: 99}", want: `"port":"80","replicas":100`},
		"another type":                {spec: "{image: x, port: 8080}"},
		"another type elsewhere":      {spec: "{image: [x]}"},
		"no whole number":             {spec: "{image: x, replicas: 1.5}"},
		"over what is right":          {spec: "{image: x, port: 8080}", old: "{image: x, port: '8080'}"},
		"as it was before":            {spec: "{image: x, port: 8080}", old: "{image: x, port: 8080}", want: `"replicas":2`, says: `mutationpolicy "defaults": spec.mutations[0].applyConfiguration.expression`},
		"the status":                  {spec: "{image: x, port: 8080}", change: func(r *admissionv1.AdmissionRequest) { r.SubResource = "status" }},
		"a Scale":                     {spec: "{image: x, port: 8080}", want: `"replicas":2`, says: ".spec.port: expected string", change: func(r *admissionv1.AdmissionRequest) { r.SubResource = "scale" }},
		"written in a version that nobody knows": {spec: "{image: x, port: 8080}", want: `"replicas":2`, says: ".spec.port: expected string", change: func(r *admissionv1.AdmissionRequest) {
			r.RequestKind = &metav1.GroupVersionKind{Group: r.Kind.Group, Version: "v7", Kind: r.Kind.Kind}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := typed(t, test.spec, test.old)
			if test.change != nil {
				test.change(r)
			}
			got, says, asked, failed := changedBy(t, typedCluster(t), r, mutates(t, merging, ""), mutates(t, patching, ""))
			if !strings.Contains(got, test.want) || (test.want == "") != (got == "") || (test.want == "") != (asked == 0) {
				t.Errorf("%d were asked and made %s, want %s", asked, got, test.want)
			}
			if !strings.Contains(says, test.says) || (test.says == "") != (says == "") || (says == "") != (failed == 0) {
				t.Errorf("%d failed with %s, want %s", failed, says, test.says)
			}
		})
	}
}

// A policy that fails because of what the schema refuses has not failed: the writer is
// told what the schema says, once. What the schema does not refuse, or has refused
// before, or what a policy has made of it, is the policy's.
func TestRefusedIsNoFailure(t *testing.T) {
	lower := mutates(t, "[JSONPatch{op: 'add', path: '/spec/image', value: object.spec.image.lowerAscii()}]", "")
	number := mutates(t, "[JSONPatch{op: 'add', path: '/spec/replicas', value: int(object.spec.port)}]", "")
	lenient := mutates(t, "[JSONPatch{op: 'add', path: '/spec/image', value: object.spec.image.lowerAscii()}]", "failurePolicy: Ignore")
	conditional := mutates(t, patching, "matchConditions: [{name: a, expression: object.spec.image == 'x'}]")
	breaks := mutates(t, "[JSONPatch{op: 'remove', path: '/spec/image'}]", "")
	for name, test := range map[string]struct {
		spec, old string
		policies  []*Policy
		says      string
		failed    int
	}{
		"missing":                      {spec: "{replicas: 2}", policies: []*Policy{lower, number, lower}, says: "spec.image: Required value"},
		"missing, in a condition":      {spec: "{replicas: 2}", policies: []*Policy{conditional}, says: "spec.image: Required value"},
		"of another pattern":           {spec: "{image: x, port: http}", policies: []*Policy{number}, says: `spec.port: Invalid value: "http": spec.port in body should match '^[0-9]+$'`},
		"without a key":                {spec: "{image: x, jobs: [{shell: sh}]}", policies: []*Policy{mutates(t, merging, "")}, says: "spec.jobs[0].name: Required value"},
		"passed over":                  {spec: "{replicas: 2}", policies: []*Policy{lenient}},
		"nothing the schema says":      {spec: "{image: x}", policies: []*Policy{number}, says: "no such key: port", failed: 1},
		"as it was before":             {spec: "{replicas: 2}", old: "{replicas: 2}", policies: []*Policy{lower}, says: "no such key: image", failed: 1},
		"mended before":                {spec: "{}", old: "{image: x}", policies: []*Policy{mutates(t, "[JSONPatch{op: 'add', path: '/spec/image', value: 'x'}]", ""), number}, says: "no such key: port", failed: 1},
		"mended, and broken elsewhere": {spec: "{replicas: 98}", old: "{image: x}", policies: []*Policy{mutates(t, "[JSONPatch{op: 'add', path: '/spec/image', value: 'x'}]", ""), mutates(t, patching, ""), number}, says: "no such key: port", failed: 1},
		"broken by another policy":     {spec: "{image: x}", policies: []*Policy{breaks, lower}, says: "no such key: image", failed: 1},
		"too large to be looked at":    {spec: "{port: '" + strings.Repeat("x", 300<<10) + "'}", policies: []*Policy{lower}, says: "no such key: image", failed: 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, says, asked, failed := changedBy(t, typedCluster(t), typed(t, test.spec, test.old), test.policies...)
			if failed != test.failed || asked == 0 {
				t.Errorf("%d of %d failed, want %d", failed, asked, test.failed)
			}
			if test.failed > 0 && strings.Contains(says, test.says) {
				return
			}
			if says != test.says {
				t.Errorf("got\n%s\nwant\n%s", says, test.says)
			}
		})
	}
}

// A policy of Kubernetes does with it what the API server does.
func TestMistypedForPoliciesOfKubernetes(t *testing.T) {
	ours := mutationPolicy(t, "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: \""+merging+"\"}}]")
	native := &admissionregistrationv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "native"}, Spec: admissionregistrationv1.MutatingAdmissionPolicySpec{
		MatchConstraints: ours.Spec.MatchConstraints, Mutations: ours.Spec.Mutations,
	}}
	binding := &admissionregistrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "native"}, Spec: admissionregistrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: "native"}}
	p, problems := CompileNativeMutation(native, binding)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"{image: x, port: 8080}", "{image: x, jobs: [{shell: sh}]}"} {
		if _, says, _, failed := changedBy(t, typedCluster(t), typed(t, spec, ""), p); failed != 1 || !strings.Contains(says, "failed to convert original object") {
			t.Errorf("%s: %d failed: %s", spec, failed, says)
		}
	}
}

// If the API server has converted the written object, the schema of the written
// version applies: what v1 does not allow, v1beta1 may.
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
	cluster := Cluster{Types: types, Definitions: types, Tables: exampleTables(t)}
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

// asked counts how often schemas are asked for.
type asked struct {
	Definitions
	times int
}

func (a *asked) Fits(ctx context.Context, resource schema.GroupVersionResource, object []byte) bool {
	a.times++
	return a.Definitions.Fits(ctx, resource, object)
}

// Whoever makes up resources does not make anybody read their schemas.
func TestSchemasOfWhatNoPolicyIsAbout(t *testing.T) {
	cluster := typedCluster(t)
	schemas := &asked{Definitions: cluster.Definitions}
	cluster.Definitions = schemas
	r := typed(t, "{image: x}", "")
	if changedBy(t, cluster, r, mutates(t, merging, "")); schemas.times != 1 {
		t.Errorf("asked %d times, want once", schemas.times)
	}
	r.Resource.Resource, r.RequestResource = "inventions", nil
	if changedBy(t, cluster, r, mutates(t, merging, "")); schemas.times != 1 {
		t.Errorf("asked %d times, want no more", schemas.times)
	}
}
