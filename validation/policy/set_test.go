package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// says is a policy of a name that is against every CronTab.
func says(t testing.TB, name, spec string) *Policy {
	t.Helper()
	p := validationPolicy(t, spec)
	p.Name = name
	compiled, problems := Compile(p)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestSet asks the policies that it is asked for, in that order, and passes over
// names that nobody has.
func TestSet(t *testing.T) {
	s := NewValidationSet(Cluster{}, nil)
	r := create(t, "metadata: {}")
	for _, reviewer := range []validation.Reviewer{s, s.Only([]string{"a"})} {
		if _, err := reviewer.Review(t.Context(), r); !errors.Is(err, validation.ErrNotReady) {
			t.Errorf("nobody has been read: %v", err)
		}
	}
	a, b := says(t, "a", "validations: [{expression: 'false', message: a is against it}]"), says(t, "b", "validations: [{expression: 'false', message: b is against it}]")
	if err := s.Replace(b, a); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"b", "gone", "a"}, "b is against it\na is against it"},
		{[]string{"gone"}, ""},
	} {
		if got := causes(review(t, s.Only(test.names), r)); got != test.want {
			t.Errorf("%v: got %q, want %q", test.names, got, test.want)
		}
	}
	if got := causes(review(t, s, r)); got != "a is against it\nb is against it" {
		t.Errorf("all: got %q", got)
	}
	// A request that has begun sees what there was.
	begun := s.Only([]string{"a"})
	if err := s.Replace(); err != nil {
		t.Fatal(err)
	}
	if got := causes(review(t, begun, r)); got != "a is against it" {
		t.Errorf("begun: got %q", got)
	}
	if got := causes(review(t, s, r)); got != "" {
		t.Errorf("none: got %q", got)
	}
	if err := s.Replace(a, a); err == nil || err.Error() != "ValidationPolicy a and ValidationPolicy a have the same name: rename one of them" {
		t.Errorf("two of a name: %v", err)
	}
}

// TestFingerprint follows the spec and nothing else.
func TestFingerprint(t *testing.T) {
	one := says(t, "a", "validations: [{expression: 'false'}]")
	other := says(t, "a", "validations: [{expression: 'true'}]")
	same := says(t, "b", "validations: [{expression: 'false'}]")
	if one.Fingerprint() == other.Fingerprint() || one.Fingerprint() != same.Fingerprint() || len(one.Fingerprint()) != 16 {
		t.Errorf("%s, %s, %s", one.Fingerprint(), other.Fingerprint(), same.Fingerprint())
	}
	s := NewMutationSet(Cluster{}, nil)
	if _, found := s.Fingerprint("a"); found {
		t.Error("there is one before any is read")
	}
	if err := s.Replace(one); err != nil {
		t.Fatal(err)
	}
	got, found := s.Fingerprint("a")
	_, others := s.Fingerprint("b")
	if got != one.Fingerprint() || !found || others {
		t.Errorf("%s, %v, %v", got, found, others)
	}
}

// TestOpinions are told of the policies that a request is about, failures that are
// ignored among them.
func TestOpinions(t *testing.T) {
	var told []string
	s := NewValidationSet(Cluster{}, func(p *Policy, o Opinion) { told = append(told, fmt.Sprintf("%v %+v", p, o)) })
	err := s.Replace(
		says(t, "content", "validations: [{expression: 'true'}]"),
		says(t, "against", "validations: [{expression: 'false'}]"),
		says(t, "warns", "validations: [{expression: 'false'}]\nvalidationActions: [Warn]"),
		says(t, "fails", "validations: [{expression: object.spec.none == 1}]\nfailurePolicy: Ignore"),
		says(t, "elsewhere", "matchConstraints: {resourceRules: [{apiGroups: [x], apiVersions: [v1], operations: ['*'], resources: [xs]}]}\nvalidations: [{expression: 'false'}]"),
		says(t, "not-for-it", "matchConditions: [{name: never, expression: 'false'}]\nvalidations: [{expression: 'false'}]"),
		says(t, "lost", "paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: x, parameterNotFoundAction: Deny}\nvalidations: [{expression: 'false'}]\nfailurePolicy: Ignore"),
	)
	if err != nil {
		t.Fatal(err)
	}
	review(t, s, create(t, "spec: {}"))
	want := []string{
		"ValidationPolicy against {Denied:true Failed:false}",
		"ValidationPolicy content {Denied:false Failed:false}",
		"ValidationPolicy fails {Denied:false Failed:true}",
		"ValidationPolicy lost {Denied:false Failed:true}",
		"ValidationPolicy not-for-it {Denied:false Failed:false}",
		"ValidationPolicy warns {Denied:true Failed:false}",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}

	told = nil
	m := NewMutationSet(Cluster{}, func(p *Policy, o Opinion) { told = append(told, fmt.Sprintf("%v %+v", p, o)) })
	changes, problems := CompileMutation(mutationPolicy(t, `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/a', value: object.spec.none}]"}}]`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if err := m.Replace(changes); err != nil {
		t.Fatal(err)
	}
	review(t, m, create(t, "spec: {}"))
	if want := []string{"MutationPolicy defaults {Denied:false Failed:true}"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// TestExempt are objects that no policy can keep from being mended, and questions
// that a policy may ask itself. A policy of Kubernetes is asked about more: it is no
// webhook, and Crosswalk is one of many to it.
func TestExempt(t *testing.T) {
	const all = "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\nvalidations: [{expression: 'false'}]"
	own, native := says(t, "everything", all), nativeOf(t, all)
	for _, test := range []struct {
		group, kind, resource string
		exempt, ofNative      bool
	}{
		{"crosswalk.dev", "ValidationPolicy", "validationpolicies", true, false},
		{"crosswalk.dev", "Crosswalk", "crosswalks", true, false},
		{"authorization.k8s.io", "SubjectAccessReview", "subjectaccessreviews", true, true},
		{"authentication.k8s.io", "TokenReview", "tokenreviews", true, true},
		{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", true, false},
		{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", true, true},
		{"apps", "Deployment", "deployments", false, false},
		{"rbac.authorization.k8s.io", "Role", "roles", false, false},
	} {
		r := create(t, "metadata: {}")
		r.Kind.Group, r.Kind.Kind, r.Resource.Group, r.Resource.Resource = test.group, test.kind, test.group, test.resource
		for p, want := range map[*Policy]bool{own: test.exempt, native: test.ofNative} {
			if passes := review(t, Validations(Cluster{}, p), r).Allowed(); passes != want {
				t.Errorf("%v about %s: passes: %v", p, test.kind, passes)
			}
		}
	}
}

// nativeOf compiles a policy of Kubernetes with a binding that denies.
func nativeOf(t testing.TB, spec string) *Policy {
	t.Helper()
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "native"}}
	if err := yaml.UnmarshalStrict([]byte(spec), &policy.Spec); err != nil {
		t.Fatal(err)
	}
	binding := &admissionregistrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "native"}}
	binding.Spec.PolicyName, binding.Spec.ValidationActions = "native", []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny}
	made, problems := CompileNative(policy, binding)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return made
}

// What a policy of Kubernetes says of a Secret the API server tells, and so it is told to
// whoever is the API server, or plays it.
func TestNativePoliciesTellOfSecrets(t *testing.T) {
	p := nativeOf(t, "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [secrets]}]}\n"+
		"validations: [{expression: object.type == 'Opaque', messageExpression: \"'not ' + object.type\", message: another type}]")
	r := create(t, "{apiVersion: v1, kind: Secret, metadata: {name: s}, type: x}")
	r.Kind, r.Resource = metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, metav1.GroupVersionResource{Version: "v1", Resource: "secrets"}
	for want, ctx := range map[string]context.Context{"not x": validation.WithKnownCaller(t.Context()), "another type": t.Context()} {
		if got := told(reviewBy(t, ctx, Validations(Cluster{}, p), r)); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
