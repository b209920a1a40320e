package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	api *harness.API
}

func newScene(t *testing.T) *scene {
	t.Helper()
	programs := stage.Programs(t)
	s := &scene{Scene: stage.StartWith(t, programs, harness.SceneOptions{})}
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
	s.shows(t, soon, dependent("False WaitingForReplicas: the replica 127.0.0.1:"))
	if err := serve.Thaw(); err != nil {
		t.Fatal(err)
	}
	s.shows(t, soon, dependent("True"))

	serve.Kill()
	s.shows(t, soon, dependent("False NoReplicas: no replica of serve is ready behind the Service crosswalk-system/crosswalk"))
	if err := serve.Start(stage.Within(t, time.Minute)); err != nil {
		t.Fatal(err)
	}
	s.shows(t, soon, dependent("True"))
}
