package ownkinds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

const constraints = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs]}]}\n"

// policyRequest writes a policy; spec and the old one are YAML.
func policyRequest(t *testing.T, kind, spec, old string) *admissionv1.AdmissionRequest {
	t.Helper()
	var texts [2][]byte
	for i, spec := range []string{spec, old} {
		if spec == "" {
			continue
		}
		text, err := yaml.YAMLToJSON([]byte("apiVersion: crosswalk.dev/v1alpha1\nkind: " + kind + "\nmetadata: {name: p}\nspec:\n  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = text
	}
	r := request(texts[0], texts[1])
	r.Kind.Kind = kind
	return r
}

// checker warns of some policies, and cannot be asked about others.
type checker map[string]error

func (c checker) Check(ctx context.Context, p *policy.Policy) (*policy.TypeCheck, error) {
	err, known := c[p.Name()]
	if _, limited := ctx.Deadline(); !limited {
		return nil, errors.New("there is no deadline")
	}
	if !known {
		return new(policy.TypeCheck), nil
	}
	return &policy.TypeCheck{Warnings: policy.Problems{{Field: "spec.a", Message: "undefined field"}}}, err
}

// What does not fit a schema is warned of, and not what cannot be told.
func TestPoliciesWarn(t *testing.T) {
	good := constraints + "validations: [{expression: object.spec.a == 'x'}]"
	bad := constraints + "validations: [{expression: object.spec.a}]"
	told := []string{"Warning: spec.a: undefined field"}
	for name, test := range map[string]struct {
		types          checker
		kind, new, old string
		want           []string
	}{
		"a validation":            {checker{"p": nil}, "ValidationPolicy", good, "", told},
		"a mutation":              {checker{"p": nil}, "MutationPolicy", constraints + "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]", "", told},
		"another one":             {checker{"q": nil}, "ValidationPolicy", good, "", nil},
		"the same spec":           {checker{"p": nil}, "ValidationPolicy", good, good, nil},
		"what cannot be told":     {checker{"p": errors.New("unavailable")}, "ValidationPolicy", good, "", nil},
		"what does not compile":   {checker{"p": nil}, "ValidationPolicy", bad, "", []string{"spec.validations[0].expression: must evaluate to bool but got dyn\n(compare it with a value, for example == true)"}},
		"what is not ours at all": {checker{"p": nil}, "Crosswalk", "hub: v1", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := Policies(crds{}, test.types).Review(t.Context(), policyRequest(t, test.kind, test.new, test.old))
			if err != nil || !slices.Equal(messages(verdict), test.want) {
				t.Errorf("got %q, %v", messages(verdict), err)
			}
		})
	}
}

// missing is a checker that finds that resources of the example's group, or a kind, are missing.
type missing struct {
	resources string // separated by spaces
	version   string
}

func (m missing) Check(context.Context, *policy.Policy) (*policy.TypeCheck, error) {
	one := policy.Missing{Problem: policy.Problem{Field: "spec.a", Message: "there is no such thing"}}
	for name := range strings.FieldsSeq(m.resources) {
		one.Resources = append(one.Resources, schema.GroupResource{Group: "stable.example.com", Resource: name})
		one.Versions = []string{"v7", m.version}
	}
	return &policy.TypeCheck{Missing: []policy.Missing{one}}, nil
}

// TestPoliciesWarnOfMissing tests that what does not exist is reported, unless a CRD defines it
// that an API server does not publish yet.
func TestPoliciesWarnOfMissing(t *testing.T) {
	good := constraints + "validations: [{expression: object.spec.a == 'x'}]"
	found := example(t)
	found.crd.Spec.Versions[1].Subresources.Scale = nil
	found.crd.Spec.Versions[0].Served = false
	if v := found.crd.Spec.Versions; v[0].Name != "v1beta1" || v[1].Name != "v1" || v[1].Subresources.Status == nil {
		t.Fatalf("the example has changed: %v", v)
	}
	for name, test := range map[string]struct {
		crds  crds
		types missing
		warns bool
	}{
		"a resource":                        {found, missing{"others", "v1"}, true},
		"a new resource":                    {found, missing{"others crontabs", "v1"}, false},
		"a new resource in all versions":    {found, missing{"crontabs", "*"}, false},
		"a version that is not served":      {found, missing{"crontabs", "v1beta1"}, true},
		"another version":                   {found, missing{"crontabs", "v2"}, true},
		"a new subresource":                 {found, missing{"crontabs/status", "v1"}, false},
		"a subresource without a CRD's":     {found, missing{"crontabs/scale", "v1"}, true},
		"a subresource that no CRD has":     {found, missing{"crontabs/exec", "v1"}, true},
		"a kind":                            {found, missing{"", "v1"}, true},
		"a resource while CRDs are unknown": {crds{err: errors.New("no answer")}, missing{"crontabs", "v1"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			verdict, err := Policies(test.crds, test.types).Review(t.Context(), policyRequest(t, "ValidationPolicy", good, ""))
			var want []string
			if test.warns {
				want = []string{"Warning: spec.a: there is no such thing"}
			}
			if err != nil || !slices.Equal(messages(verdict), want) {
				t.Errorf("got %q, %v", messages(verdict), err)
			}
		})
	}
}

func TestPolicies(t *testing.T) {
	good := constraints + "validations: [{expression: object.spec.a == 'x', fieldPath: .spec.a}]"
	bad := "failurePolicy: Never\n" + constraints + "validations: [{expression: object.spec.a}, {expression: objekt.spec.a == 'x', fieldPath: spec}]"
	mistakes := []string{
		`spec.failurePolicy: "Never" is unknown: use one of [Fail Ignore]`,
		"spec.validations[0].expression: must evaluate to bool but got dyn\n(compare it with a value, for example == true)",
		"spec.validations[1].expression: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')\n | objekt.spec.a == 'x'\n | ^",
		"spec.validations[1].fieldPath: write it with a dot before each name, as in .spec.host",
	}
	for name, test := range map[string]struct {
		kind, spec, old string
		change          func(*admissionv1.AdmissionRequest)
		want            []string
	}{
		"good":                    {kind: "ValidationPolicy", spec: good},
		"bad":                     {kind: "ValidationPolicy", spec: bad, want: mistakes},
		"made bad":                {kind: "ValidationPolicy", spec: bad, old: good, want: mistakes},
		"bad already":             {kind: "ValidationPolicy", spec: bad, old: bad},
		"mended":                  {kind: "ValidationPolicy", spec: good, old: bad},
		"its status":              {kind: "ValidationPolicy", spec: bad, old: good, change: func(r *admissionv1.AdmissionRequest) { r.SubResource = "status" }},
		"another group":           {kind: "ValidationPolicy", spec: bad, change: func(r *admissionv1.AdmissionRequest) { r.Kind.Group = "example.com" }},
		"deleted":                 {kind: "ValidationPolicy", old: bad, change: func(r *admissionv1.AdmissionRequest) { r.Operation = admissionv1.Delete }},
		"a good mutation":         {kind: "MutationPolicy", spec: constraints + "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]"},
		"a bad mutation":          {kind: "MutationPolicy", spec: constraints + "mutations: [{patchType: JSONPatch}]", want: []string{"spec.mutations[0].jsonPatch: it is missing: patchType requires it"}},
		"a mutation of nothing":   {kind: "MutationPolicy", spec: constraints + "mutations: []", want: []string{"spec.mutations: there is nothing to change: add a mutation"}},
		"what is not ours at all": {kind: "Crosswalk", spec: "hub: v1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := policyRequest(t, test.kind, test.spec, test.old)
			if test.change != nil {
				test.change(r)
			}
			verdict, err := Policies(crds{}, checker{}).Review(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if got := messages(verdict); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// What is no policy at all cannot be judged.
func TestPoliciesOfAnotherShape(t *testing.T) {
	r := request([]byte(`{"spec": 1}`), nil)
	r.Kind.Kind, r.Name = "ValidationPolicy", "p"
	if verdict, err := Policies(crds{}, checker{}).Review(t.Context(), r); err == nil || !strings.HasPrefix(err.Error(), "ValidationPolicy p: ") {
		t.Errorf("got %v, %v", verdict, err)
	}
}
