package policy

import (
	"context"
	"regexp"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// validationPolicy reads the spec of a policy that is about CronTabs. What is not
// there but must be is filled in.
func validationPolicy(t testing.TB, spec string) *v1alpha1.ValidationPolicy {
	t.Helper()
	p := &v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "schedules"}}
	if !strings.Contains(spec, "matchConstraints:") {
		spec = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: [crontabs]}]}\n" + spec
	}
	if err := yaml.UnmarshalStrict([]byte(spec), &p.Spec); err != nil {
		t.Fatal(err)
	}
	return p
}

// mutationPolicy does the same for a policy that changes CronTabs.
func mutationPolicy(t testing.TB, spec string) *v1alpha1.MutationPolicy {
	t.Helper()
	p := &v1alpha1.MutationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "defaults"}}
	spec = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: [crontabs]}]}\n" + spec
	if err := yaml.UnmarshalStrict([]byte(spec), &p.Spec); err != nil {
		t.Fatal(err)
	}
	return p
}

// compiled compiles a policy that has no problems.
func compiled(t testing.TB, spec string) *Policy {
	t.Helper()
	p, problems := Compile(validationPolicy(t, spec))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// request is a write of a CronTab. Objects are YAML, and none is none.
func request(t testing.TB, operation admissionv1.Operation, object, old string) *admissionv1.AdmissionRequest {
	t.Helper()
	no := false
	r := &admissionv1.AdmissionRequest{
		UID:         "1",
		Kind:        metav1.GroupVersionKind{Group: "stable.example.com", Version: "v1", Kind: "CronTab"},
		Resource:    metav1.GroupVersionResource{Group: "stable.example.com", Version: "v1", Resource: "crontabs"},
		Name:        "nightly",
		Namespace:   "default",
		Operation:   operation,
		UserInfo:    authenticationv1.UserInfo{Username: "ann", Groups: []string{"staff"}},
		DryRun:      &no,
		Object:      raw(t, object),
		OldObject:   raw(t, old),
		RequestKind: &metav1.GroupVersionKind{Group: "stable.example.com", Version: "v1", Kind: "CronTab"},
	}
	r.RequestResource = &r.Resource
	return r
}

func raw(t testing.TB, text string) runtime.RawExtension {
	t.Helper()
	if text == "" {
		return runtime.RawExtension{}
	}
	object, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return runtime.RawExtension{Raw: object}
}

func create(t testing.TB, object string) *admissionv1.AdmissionRequest {
	return request(t, admissionv1.Create, object, "")
}

// review asks as the API server does, where that has shown who it is.
func review(t testing.TB, reviewer validation.Reviewer, r *admissionv1.AdmissionRequest) *validation.Verdict {
	t.Helper()
	return reviewBy(t, validation.WithKnownCaller(t.Context()), reviewer, r)
}

func reviewBy(t testing.TB, ctx context.Context, reviewer validation.Reviewer, r *admissionv1.AdmissionRequest) *validation.Verdict {
	t.Helper()
	verdict, err := reviewer.Review(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// told gives the causes of a verdict, one in a line.
func told(verdict *validation.Verdict) string {
	var lines []string
	for _, c := range verdict.Causes {
		lines = append(lines, strings.TrimPrefix(c.Field+": "+c.Message, ": "))
	}
	return strings.Join(lines, "\n")
}

var named = regexp.MustCompile(`(?: \(|; )validationpolicy "[^"]*"\)`)

// causes returns them without the name of the policy, which follows each.
func causes(verdict *validation.Verdict) string {
	return named.ReplaceAllStringFunc(told(verdict), func(note string) string {
		if strings.HasPrefix(note, ";") {
			return ")"
		}
		return ""
	})
}

func contains(text, part string) bool { return strings.Contains(text, part) }

// unraced skips a test of long work of one goroutine with -short, which is for the race detector. make
// test runs it without the race detector: this package is in ALSO_WHOLE of the Makefile.
func unraced(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine works long: make test runs it without -short, too")
	}
}
