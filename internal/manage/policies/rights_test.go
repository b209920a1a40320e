package policies

import (
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
	s.replica.lacks["/validate/policies/schedules"] = "get crontabs.stable.example.com"
	s.pass()
	s.wantAsked("schedules Fail")
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	if after := s.later(); after > lackingFor || after == 0 {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)

	// It is granted, and revoked.
	s.replica.lacks = map[string]string{}
	s.after(lackingFor)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, "1 True Permitted: crosswalk serve may read what the policy needs")
	s.replica.lacks["/validate/policies/schedules"] = "get crontabs.stable.example.com"
	s.after(lackingFor)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, "1 True Permitted: crosswalk serve may read what the policy needs")
	s.after(permittedFor)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)

	// A replica that does not answer is waited for, and the policy is as ready as before.
	known := s.replica.knows
	s.replica.knows = map[string]string{}
	if after := s.after(lackingFor); after == 0 || after > lackingFor {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	s.start() // a new leader knows no better
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionPermitted, missingRight)
	s.replica.knows, s.replica.ignores = known, true
	s.after(lackingFor)
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

// What is printed is a ClusterRole that gives the rights.
func TestMissingRightsAreARole(t *testing.T) {
	missingRights := missing("a.b", []string{"get pods", "get *.*", "get as.example.com"})
	_, manifest, _ := strings.Cut(missingRights, ": {")
	role := new(rbacv1.ClusterRole)
	if err := yaml.UnmarshalStrict([]byte("{"+manifest), role); err != nil {
		t.Fatalf("%v: %s", err, missingRights)
	}
	if r := role.Rules; role.Name != "crosswalk-serve-a.b" || role.Kind != "ClusterRole" || len(r) != 3 || r[0].APIGroups[0] != "" || r[0].Resources[0] != "pods" ||
		r[1].APIGroups[0] != "*" || r[1].Resources[0] != "*" || r[2].APIGroups[0] != "example.com" || r[2].Verbs[0] != "get" {
		t.Errorf("got %+v", role)
	}
}
