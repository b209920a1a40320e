package chaos

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

const (
	policiesPath  = "/apis/crosswalk.dev/v1alpha1/validationpolicies"
	mutationsPath = "/apis/crosswalk.dev/v1alpha1/mutationpolicies"
	// rule is what the validation policy of a table says, and stamp what the mutation policy
	// writes.
	rule  = "name a tag other than latest"
	stamp = "by-policy"
)

// soaked is a table of a soak, with a policy that denies and one that changes what is written.
type soaked struct {
	table
	without table    // whose CRD lacks a field that the table is about
	same    [2]table // two that mean the same
}

// newSoaked installs a table and its policies.
func (s *soak) newSoaked(t *testing.T, stored string) *soaked {
	t.Helper()
	without := s.newTable(t, "soak-"+stored, stored).withField("v1", "note").withRow(t, `{"spoke": ".spec.memo", "hub": ".spec.note"}`)
	whole := without.withField("v1beta1", "memo")
	k := &soaked{table: whole, without: without, same: [2]table{whole, whole.withRow(t, `{"spoke": ".spec.image", "hub": ".spec.image"}`)}}
	k.install(t)
	k.applyPolicies(t, 0)
	return k
}

// applyPolicies applies policies, of which each variant means the same.
func (k *soaked) applyPolicies(t *testing.T, variant int) {
	t.Helper()
	for path, policy := range k.policies(t, fmt.Sprintf("%d == %[1]d", variant)) {
		until(t, func(ctx context.Context) error { return k.apply(ctx, path, policy) })
		until(t, func(ctx context.Context) error {
			data, err := k.API().Get(ctx, path)
			if err != nil {
				return err
			}
			return stage.Ready(data)
		})
	}
}

// policies are one of each kind, by path. The condition is part of their expressions.
func (k *soaked) policies(t *testing.T, condition string) map[string]any {
	match := fmt.Sprintf(`{"resourceRules": [{"apiGroups": [%q], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["crontabs"]}]}`, k.CRD.Spec.Group)
	policies := map[string]any{}
	for path, text := range map[string]string{
		policiesPath: fmt.Sprintf(`{"apiVersion": "crosswalk.dev/v1alpha1", "kind": "ValidationPolicy", "metadata": {"name": %q}, "spec": {
			"hub": true, "matchConstraints": %s,
			"validations": [{"expression": "!object.spec.image.endsWith(':latest') && %s", "fieldPath": ".spec.image", "message": %q}]}}`,
			k.CRD.Spec.Group, match, condition, rule),
		mutationsPath: fmt.Sprintf(`{"apiVersion": "crosswalk.dev/v1alpha1", "kind": "MutationPolicy", "metadata": {"name": %q}, "spec": {
			"hub": true, "matchConstraints": %s, "reinvocationPolicy": "Never",
			"mutations": [{"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": "%s ? Object{metadata: Object.metadata{labels: {'stamp': '%s'}}} : Object{}"}}]}}`,
			k.CRD.Spec.Group, match, condition, stamp),
	} {
		policy, err := exact.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		policies[path+"/"+k.CRD.Spec.Group] = policy
	}
	return policies
}

// reload changes a table, a CRD or policies, and sees that it is noticed.
func (s *soak) reload(t *testing.T, n int) {
	k := s.tables[n%len(s.tables)]
	switch n / len(s.tables) % 5 {
	case 0: // a table that means the same
		k.same[0], k.same[1] = k.same[1], k.same[0]
		k.table = k.same[0]
		k.applyCrosswalk(t)
		k.waitReady(t)
	case 1:
		k.applyPolicies(t, n)
	case 2: // what cannot be used is denied
		unusable := k.policies(t, "object.spec.image +")
		unusable[crosswalksPath+"/"+k.name()] = k.broken(t).crosswalk(t)
		for path, object := range unusable {
			until(t, func(ctx context.Context) error {
				err := k.apply(ctx, path, object)
				if err == nil {
					t.Errorf("%s is not denied", path)
				}
				return want(err == nil || strings.Contains(err.Error(), "denied the request"), "denied by somebody else: %v", err)
			})
		}
	case 3: // a CRD that its table no longer fits
		k.without.applyCRD(t)
		until(t, func(ctx context.Context) error {
			c, err := k.condition(ctx, v1alpha1.ConditionReady)
			return joinErr(err, want(c.Status == metav1.ConditionFalse && strings.Contains(c.Message, "memo"), "the lack of a field is not reported: %+v", c))
		})
	case 4:
		k.applyCRD(t)
		k.waitReady(t)
	}
}
