package policies

import (
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	names "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Webhooks have different names, all of which the API server takes.
func TestWebhookNames(t *testing.T) {
	long := strings.Repeat("a.b-", 63)
	seen := map[string]bool{}
	for _, test := range []struct {
		policies []string
		want     string
	}{
		{[]string{"a"}, "a.validationpolicy.crosswalk.dev"},
		{[]string{"a", "b"}, "a-and-1-more.validationpolicies.crosswalk.dev"},
		{[]string{"a-and-1-more"}, "a-and-1-more.validationpolicy.crosswalk.dev"},
		{[]string{"a.validationpolicy.crosswalk.dev"}, "a.validationpolicy.crosswalk.dev.validationpolicy.crosswalk.dev"},
		{[]string{long + "x"}, ""},
		{[]string{long + "y"}, ""},
		{[]string{long + "x", "z"}, ""},
	} {
		got := webhookName(v1alpha1.KindValidationPolicy, test.policies, "")
		if test.want != "" && got != test.want {
			t.Errorf("%q: got %s, want %s", test.policies, got, test.want)
		}
		if errs := names.IsFullyQualifiedName(field.NewPath("name"), got); len(errs) > 0 || seen[got] {
			t.Errorf("%q: %s is there twice, or %v", test.policies, got, errs)
		}
		seen[got] = true
	}
}

// A condition names its policies, and is found again without their names.
func TestConditionsNamePolicies(t *testing.T) {
	conditions := []admissionregistrationv1.MatchCondition{
		{Name: neverName, Expression: "true"},
		{Name: "a", Expression: `object.a == "http://x" // validationpolicy "other"`},
	}
	got := named(conditions, v1alpha1.KindValidationPolicy, []string{"a", "b", "c", "d", "e"})
	if want := `object.a == "http://x" // validationpolicy "other" // validationpolicy "a", "b", "c" and 2 more`; got[0].Expression != "true" || got[1].Expression != want {
		t.Errorf("got %q", got)
	}
	if back := unnamed(got, v1alpha1.KindValidationPolicy); back[0] != conditions[0] || back[1] != conditions[1] {
		t.Errorf("got %q back", back)
	}
}
