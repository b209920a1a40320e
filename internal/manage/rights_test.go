package manage

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

func TestOwnRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var refused []string
		var failure error
		client := fake.NewClientset()
		client.PrependReactor("create", "selfsubjectrulesreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return true, action.(clienttesting.CreateAction).GetObject(), failure // no authorizer lists anything
		})
		client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
			review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
			review.Status.Allowed = !slices.Contains(refused, rights.Right(*review.Spec.ResourceAttributes).String())
			return true, review, nil
		})
		var log strings.Builder
		r := &ownRights{
			toKnow: rights.Parse("", "get,list crosswalks.crosswalk.dev"), toAct: rights.Parse("", "patch crosswalks.crosswalk.dev"),
			client: client.AuthorizationV1(), log: slog.New(slog.NewTextHandler(&log, nil)), changed: make(chan struct{}),
		}
		wants := func(check, obstacle string) {
			t.Helper()
			got := ""
			if err := r.check(); err != nil {
				got = err.Error()
			}
			if got != check {
				t.Errorf("the check says\n%s\nwant\n%s", got, check)
			}
			got = ""
			if o := r.Obstacle(); o != nil {
				got = o.Reason + ": " + o.Message
			}
			if got != obstacle {
				t.Errorf("the obstacle is\n%s\nwant\n%s", got, obstacle)
			}
		}
		changes := func(want bool) {
			t.Helper()
			changed := r.Changed()
			r.ask(t.Context())
			select {
			case <-changed:
				if !want {
					t.Error("it changed")
				}
			default:
				if want {
					t.Error("it did not change")
				}
			}
		}
		wants("the API server has not been asked for the rights of crosswalk manage yet", "")
		changes(false)
		wants("", "")

		// Without the right to write, what is read is true.
		refused = []string{"patch crosswalks.crosswalk.dev"}
		changes(true)
		wants("crosswalk manage may not patch crosswalks.crosswalk.dev; "+remedy, "")
		changes(false)
		refused = append(refused, "get crosswalks.crosswalk.dev")
		changes(true)
		wants("crosswalk manage may not get,patch crosswalks.crosswalk.dev; "+remedy,
			"MissingRights: it is unknown whether this is ready, because crosswalk manage may not get crosswalks.crosswalk.dev; "+remedy)
		refused = nil
		changes(true)
		wants("", "")

		// An answer is valid for a while.
		failure = errors.New("connection refused")
		changes(false)
		wants("", "")
		time.Sleep(rightsFor + time.Second)
		changes(false)
		wants("the API server cannot be asked for the rights of crosswalk manage: connection refused", "")
		failure = nil
		changes(false)
		wants("", "")

		// Who may not ask is not held up.
		failure = apierrors.NewForbidden(authorizationv1.Resource("selfsubjectrulesreviews"), "", errors.New("no"))
		changes(false)
		changes(false)
		wants("", "")
		time.Sleep(rightsFor)
		if n := strings.Count(log.String(), "level=WARN"); n != 1 {
			t.Errorf("%d warnings:\n%s", n, log.String())
		}

		const missing, granted = `level=ERROR msg="rights are missing" missing=`, `level=INFO msg="all rights are granted"`
		if strings.Count(log.String(), missing) != 2 || strings.Count(log.String(), granted) != 1 {
			t.Errorf("the log is\n%s", log.String())
		}
	})
}
