package policies

import (
	"fmt"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

const missingRight = "1 False MissingRights: crosswalk serve may not get crontabs.stable.example.com, so scaling follows the failurePolicy. " +
	"Apply this, or exclude crontabs/scale from the policy with excludeResourceRules: " +
	`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-schedules, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, ` +
	`rules: [{apiGroups: ["stable.example.com"], resources: ["crontabs"], verbs: [get]}]}`

// A policy is registered without a right that serve lacks, and says what gives it.
func TestRights(t *testing.T) {
	s := newStage(t)
	schedules := validation(t, "schedules", "")
	s.put(schedules)
	s.learn(schedules)
	s.replica.lacks["/validate/policies/schedules"] = "get crontabs.stable.example.com scaling"
	s.pass()
	s.wantAsked("schedules Fail")
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	if after := s.later(); after > rightsFor || after == 0 {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)

	// It is granted, and revoked.
	s.replica.lacks = map[string]string{}
	s.after(rightsFor)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, "1 True Permitted: crosswalk serve has the rights that the policy needs")
	s.replica.lacks["/validate/policies/schedules"] = "get crontabs.stable.example.com scaling"
	s.after(rightsFor - time.Second)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, "1 True Permitted: crosswalk serve has the rights that the policy needs")
	s.after(time.Second)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)

	// A replica that does not answer is waited for, and the policy is as ready as before.
	known := s.replica.knows
	s.replica.knows = map[string]string{}
	if after := s.after(rightsFor); after == 0 || after > rightsFor {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	s.start() // a new leader knows no better
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	s.replica.knows, s.replica.ignores = known, true
	s.after(rightsFor)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, "1 Unknown NotChecked: crosswalk serve could not ask the API server for its rights, and tries again")

	// Without scaling no right is needed.
	s.put(validation(t, "schedules", "matchConstraints: {resourceRules: ["+crontabs+"], excludeResourceRules: ["+strings.Replace(crontabs, "crontabs]", "crontabs/scale]", 1)+"]}"))
	s.after(time.Second)
	p := new(v1alpha1.ValidationPolicy)
	if err := s.client.Get(t.Context(), client.ObjectKey{Name: "schedules"}, p); err != nil {
		t.Fatal(err)
	}
	if c := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionPermitted); c != nil {
		t.Errorf("got %+v", c)
	}
}

func (s *stage) after(d time.Duration) time.Duration {
	s.t.Helper()
	s.clock = s.clock.Add(d)
	return s.pass()
}

// TestMissingRightsAreARole tests that the message has a ClusterRole that grants the rights.
func TestMissingRightsAreARole(t *testing.T) {
	for _, test := range []struct {
		lacks       []string
		text, rules string
	}{
		{[]string{"get pods scaling", "get *.* scaling", "get as.example.com scaling"},
			"crosswalk serve may not get pods; get *.*; get as.example.com, so scaling follows the failurePolicy. " +
				"Apply this, or exclude pods/scale, */scale, as/scale from the policy with excludeResourceRules",
			"[[get] [] [pods]] [[get] [*] [*]] [[get] [example.com] [as]]"},
		{[]string{"list services lookups.a", "watch services lookups.a", "list services params", "watch services params"},
			"crosswalk serve may not list and watch services for lookups.a and params, so requests follow the failurePolicy. Apply this",
			"[[list watch] [] [services]]"},
		{[]string{"get as.example.com scaling", "list as.example.com lookups.a", "get pods scaling"},
			"crosswalk serve may not get and list as.example.com for lookups.a; get pods, so requests follow the failurePolicy. Apply this",
			"[[get list] [example.com] [as]] [[get] [] [pods]]"},
	} {
		var lacks []lack
		for _, text := range test.lacks {
			lacks = append(lacks, lackOf(text))
		}
		message := missing("a.b", lacks)
		text, manifest, _ := strings.Cut(message, ": {")
		role := new(rbacv1.ClusterRole)
		if err := yaml.UnmarshalStrict([]byte("{"+manifest), role); err != nil {
			t.Fatalf("%v: %s", err, message)
		}
		var rules []string
		for _, r := range role.Rules {
			rules = append(rules, fmt.Sprint([]any{r.Verbs, r.APIGroups, r.Resources}))
		}
		if got := strings.Join(rules, " "); text != test.text || got != test.rules || role.Name != "crosswalk-serve-a.b" || role.Kind != "ClusterRole" {
			t.Errorf("got %s\n%s\n%+v", text, got, role)
		}
	}
}

// TestReadingRights tests that a policy is not ready while serve may not read what the policy
// looks up.
func TestReadingRights(t *testing.T) {
	s := newStage(t)
	services := validation(t, "services", "lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.host}]")
	s.put(services)
	s.learn(services)
	s.replica.lacks["/validate/policies/services"] = "list services lookups.service,watch services lookups.service"
	const lacks = "1 False MissingRights: crosswalk serve may not list and watch services for lookups.service, so requests follow the failurePolicy. Apply this: " +
		`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-services, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, ` +
		`rules: [{apiGroups: [""], resources: ["services"], verbs: [list, watch]}]}`
	s.pass()
	s.later()
	s.wantAsked("services Fail")
	s.wantStatus("services", v1alpha1.ConditionReady, lacks)
	s.wantStatus("services", v1alpha1.ConditionPermitted, lacks)
	s.start() // a new leader
	s.pass()
	s.later()
	s.wantStatus("services", v1alpha1.ConditionReady, lacks)
	s.replica.lacks = map[string]string{}
	s.after(rightsFor)
	s.wantStatus("services", v1alpha1.ConditionReady, "1"+isReady)
	s.replica.lacks["/validate/policies/services"] = "list services lookups.service,watch services lookups.service"
	s.after(rightsFor)
	s.wantStatus("services", v1alpha1.ConditionReady, lacks)
}
