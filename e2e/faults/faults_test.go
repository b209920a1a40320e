package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// soon is how long a fault may be unreported.
const soon = 10 * time.Second

// scene is Crosswalk with the table and the policies of one example.
type scene struct {
	*harness.Scene
	programs harness.Programs
	api      *harness.API
}

func newScene(t *testing.T) *scene {
	t.Helper()
	programs := stage.Programs(t)
	s := &scene{programs: programs, Scene: stage.StartWith(t, programs, harness.SceneOptions{})}
	var err error
	if s.api, err = s.ControlPlane.API(); err != nil {
		t.Fatal(err)
	}
	stage.AggregateRoles(t, s.Scene)
	crontab := filepath.Join(programs.Root, "examples", "crontab")
	for _, file := range []string{"crd.yaml", "crosswalk.yaml", "policies.yaml"} {
		s.kubectl(t, "apply", "-f", filepath.Join(crontab, file))
	}
	return s
}

func (s *scene) kubectl(t *testing.T, args ...string) {
	t.Helper()
	if _, err := s.ControlPlane.KubectlWith(t.Context(), "", args...); err != nil {
		t.Fatal(err)
	}
}

// shows waits until conditions are as given. Each is named as RESOURCE/NAME TYPE, and has
// STATUS REASON: MESSAGE, which must begin as given.
func (s *scene) shows(t *testing.T, limit time.Duration, want map[string]string) {
	t.Helper()
	stage.Until(t, limit, func(ctx context.Context) error {
		for of, want := range want {
			object, kind, _ := strings.Cut(of, " ")
			data, err := s.api.Get(ctx, "/apis/"+v1alpha1.GroupVersion().String()+"/"+object)
			if err != nil {
				return err
			}
			var is struct {
				Status struct{ Conditions []metav1.Condition }
			}
			if err := json.Unmarshal(data, &is); err != nil {
				return err
			}
			c := meta.FindStatusCondition(is.Status.Conditions, kind)
			if c == nil {
				return fmt.Errorf("%s: there is no such condition yet", of)
			}
			if got := fmt.Sprintf("%s %s: %s", c.Status, c.Reason, c.Message); !strings.HasPrefix(got, want) {
				return fmt.Errorf("%s:\n%s\nwant\n%s", of, got, want)
			}
		}
		return nil
	})
}

// The conditions that depend on serve.
const (
	ready      = "crosswalks/crontabs.stable.example.com Ready"
	guarded    = "crosswalks/crontabs.stable.example.com Guarded"
	validating = "validationpolicies/crontabs Ready"
	mutating   = "mutationpolicies/crontabs Ready"
)

func dependent(want string) map[string]string {
	return map[string]string{ready: want, guarded: want, validating: want, mutating: want}
}

// What depends on serve is not ready while serve does not answer.
func TestServeDoesNotAnswer(t *testing.T) {
	s := newScene(t)
	serve := s.Serve[0]
	s.shows(t, time.Minute, dependent("True"))

	if err := serve.Freeze(); err != nil {
		t.Fatal(err)
	}
	s.finds(t, "conversion", "customresourcedefinition canaries.crosswalk.dev: there is no answer within 5s: a replica of crosswalk serve hangs")
	s.shows(t, soon, dependent("False WaitingForReplicas: the replica 127.0.0.1:"))
	s.finds(t, "tables", "crosswalk canaries.crosswalk.dev: not ready: WaitingForReplicas: the replica 127.0.0.1:")
	if err := serve.Thaw(); err != nil {
		t.Fatal(err)
	}
	s.shows(t, soon, dependent("True"))

	serve.Kill()
	s.finds(t, "conversion", "customresourcedefinition canaries.crosswalk.dev: no replica of crosswalk serve answers: ")
	s.shows(t, soon, dependent("False NoReplicas: no replica of serve is ready behind the Service crosswalk-system/crosswalk"))
	if err := serve.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	s.shows(t, soon, dependent("True"))
	s.testAuthorityLost(t)
}

// Without the key of its CA, a serving certificate works, but cannot be renewed. The overlap is
// a day, so this lasts until both Secrets are deleted.
func (s *scene) testAuthorityLost(t *testing.T) {
	const renewable, lost = "crosswalks/crontabs.stable.example.com Renewable", "AuthorityLost: "
	const key = "the key of the CA in the Secret crosswalk-system/crosswalk-authority is lost, so the serving certificate cannot be renewed; " +
		"a next CA signs as soon as every caBundle has held it for 24h0m0s; see kubectl -n crosswalk-system events --for secret/crosswalk-authority"
	s.shows(t, soon, map[string]string{renewable: "True Renewable: "})
	s.kubectl(t, "delete", "secret", "-n", "crosswalk-system", "crosswalk-authority")
	s.shows(t, soon, map[string]string{renewable: "False " + lost + key, ready: "True " + lost + "objects are converted by this table; but " + key})
	stage.Until(t, soon, func(context.Context) error {
		if n := stage.Sum(t, s.Manage, "crosswalk_condition", `kind="Crosswalk",name="crontabs.stable.example.com",reason="AuthorityLost",type="Renewable"`); n != 0 {
			return fmt.Errorf("the metric is %v", n)
		}
		if n := stage.Sum(t, s.Manage, "crosswalk_authority_expiry_timestamp_seconds", ""); n != 0 {
			return fmt.Errorf("the authority expires %v", n)
		}
		return nil
	})
	s.finds(t, "certificate", "secret crosswalk-system/crosswalk-serving: AuthorityLost: "+key)
	s.kubectl(t, "delete", "secret", "-n", "crosswalk-system", "crosswalk-authority", "crosswalk-serving")
	s.shows(t, soon, map[string]string{renewable: "True Renewable: "})
	s.shows(t, time.Minute, dependent("True"))
}

// A right that manage does not have is reported where manage still may write, and by /readyz.
func TestManageLacksRights(t *testing.T) {
	s := newScene(t)
	s.shows(t, time.Minute, dependent("True"))
	rbac := filepath.Join(s.programs.Root, "deploy", "base", "manage-rbac.yaml")
	restore := func() {
		t.Helper()
		s.kubectl(t, "apply", "-f", rbac)
		s.shows(t, soon, dependent("True"))
		s.checks(t, "")
	}
	s.checks(t, "")
	defer s.ControlPlane.ExpectRefusals()()

	// What manage cannot read, it does not know.
	s.kubectl(t, "patch", "role", "crosswalk-manage", "-n", "crosswalk-system", "--type=json", "-p", `[{"op": "test", "path": "/rules/0/resources", "value": ["services"]}, {"op": "remove", "path": "/rules/0"}]`)
	const services = "crosswalk manage may not get services in crosswalk-system; apply deploy/base, the overlay or the chart again"
	s.shows(t, soon, dependent("False"))
	s.shows(t, soon, map[string]string{guarded: "False MissingRights: it is unknown whether this is ready, because " + services})
	s.checks(t, services)
	s.mends(t, s.finds(t, "rights", "serviceaccount crosswalk-system/crosswalk-manage: crosswalk manage may not get services in crosswalk-system"))
	s.shows(t, soon, dependent("True"))
	s.checks(t, "")
	for _, resource := range []string{"customresourcedefinitions", "mutatingwebhookconfigurations"} {
		s.withoutReading(t, resource)
		s.shows(t, soon, dependent("False"))
		s.checks(t, "crosswalk manage may not get")
		restore()
	}

	// It cannot write any status.
	s.kubectl(t, "delete", "clusterrolebinding", "crosswalk-manage")
	s.checks(t, "crosswalk manage may not get,list,watch,create,patch crosswalks.crosswalk.dev, ")
	if n := stage.Sum(t, s.Manage, "crosswalk_condition", ""); n != 0 {
		t.Errorf("%v conditions are true", n)
	}
	restore()
	// A watch that was refused is tried again after up to half a minute.
	stage.Until(t, time.Minute, func(context.Context) error {
		if n := stage.Sum(t, s.Manage, "crosswalk_condition", `kind="Crosswalk",name="crontabs.stable.example.com"`); n != 6 {
			return fmt.Errorf("%v conditions of the Crosswalk are true", n)
		}
		return nil
	})
}

// withoutReading takes the rights to read a resource from manage.
func (s *scene) withoutReading(t *testing.T, resource string) {
	t.Helper()
	text, err := s.ControlPlane.Kubectl(t.Context(), "get", "clusterrole", "crosswalk-manage", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := json.Unmarshal([]byte(text), &role); err != nil {
		t.Fatal(err)
	}
	for i, rule := range role.Rules {
		if slices.Contains(rule.Resources, resource) {
			role.Rules[i].Verbs = slices.DeleteFunc(rule.Verbs, func(verb string) bool { return slices.Contains([]string{"get", "list", "watch"}, verb) })
		}
	}
	role.Rules = slices.DeleteFunc(role.Rules, func(rule rbacv1.PolicyRule) bool { return len(rule.Verbs) == 0 })
	patch, err := json.Marshal(map[string]any{"rules": role.Rules})
	if err != nil {
		t.Fatal(err)
	}
	s.kubectl(t, "patch", "clusterrole", "crosswalk-manage", "--type=merge", "-p", string(patch))
}

// checks waits until manage's check of its rights fails with an error that begins as given, or
// passes if that is empty.
func (s *scene) checks(t *testing.T, want string) {
	t.Helper()
	stage.Until(t, soon, func(ctx context.Context) error {
		text, err := s.Manage.Checks(ctx)
		if err != nil {
			return err
		}
		line := "[+]rights ok"
		if want != "" {
			line = "[-]rights failed: " + want
		}
		if !strings.Contains("\n"+text, "\n"+line) {
			return fmt.Errorf("/readyz has no line\n%s\n%s", line, text)
		}
		return nil
	})
}
