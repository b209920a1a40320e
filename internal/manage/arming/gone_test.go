package arming

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// In each of these states, something that a CRD needs has been removed.

// armedTable is the example's table, whose CRD is armed with it, and its revision.
func armedTable(t *testing.T) (*reconciler, *cluster.Table, *appsv1.ControllerRevision) {
	t.Helper()
	table := crontab(t)
	revision, err := cluster.NewRevision("crosswalk-system", table)
	if err != nil {
		t.Fatal(err)
	}
	r := newReconciler(t, revision.DeepCopy())
	table.CRD, _ = armed(t, r, table.CRD)
	table.CRD.Spec.Conversion.Webhook.ClientConfig.Service.Path = new(cluster.ConvertPath(table.Converter.Fingerprint()))
	table.CRD.Status.StoredVersions = []string{"v1"}
	return r, table, revision
}

// A client that removes the conversion does not prove that no object needs it.
func TestDeletedAndDisarmedByOthers(t *testing.T) {
	for name, test := range map[string]struct {
		conversion  *apiextensionsv1.CustomResourceConversion
		fingerprint string
		leaves      bool
	}{
		"disarmed":        {&apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}, "0123", false},
		"no conversion":   {nil, "0123", false},
		"never armed":     {nil, "", true},
		"somebody else's": {&apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter}, "0123", true},
	} {
		t.Run(name, func(t *testing.T) {
			r, table, _ := armedTable(t)
			r.Serve.Replicas = []string{"127.0.0.1:1"} // where nobody listens
			table.CRD.Spec.Conversion = test.conversion
			table.Crosswalk.Finalizers = []string{v1alpha1.FinalizerDisarm}
			table.Crosswalk.Status.Fingerprint = test.fingerprint
			table.Crosswalk.ResourceVersion = ""
			if err := r.writer.Create(t.Context(), table.Crosswalk); err != nil {
				t.Fatal(err)
			}
			s, err := r.leave(t.Context(), table)
			if err != nil {
				t.Fatal(err)
			}
			if left := len(table.Crosswalk.Finalizers) == 0; left != test.leaves {
				t.Errorf("it leaves: %v, want %v", left, test.leaves)
			}
			const meanwhile = ". Meanwhile: another client removed spec.conversion from the CRD, so writes are stored unconverted and lose fields; it is not restored yet: no replica of serve is ready "
			if !test.leaves && (s.ready.reason != "StillNeeded" || !strings.Contains(s.ready.message, meanwhile)) {
				t.Errorf("got %+v", s.ready)
			}
		})
	}
}

// A process may end after it has armed a CRD and before it can say so. The next
// one finds what the CRD is armed with, even where the table fits no longer.
func TestArmedByAProcessThatEnded(t *testing.T) {
	r, table, _ := armedTable(t)
	fingerprint := table.Converter.Fingerprint()
	goal, err := r.target(t.Context(), table)
	if err != nil || goal == nil {
		t.Fatalf("got %+v, %v", goal, err)
	}
	s, err := r.aim(t.Context(), table, goal, state{})
	if err != nil || s.fingerprint != fingerprint {
		t.Errorf("the status says %q, %v; want %s", s.fingerprint, err, fingerprint)
	}
	table.Problem, table.Converter = &cluster.Problem{Reason: cluster.ReasonInvalidTable, Message: "broken"}, nil
	if goal, err = r.target(t.Context(), table); err != nil || goal == nil || goal.Fingerprint() != fingerprint || !goal.older {
		t.Errorf("got %+v, %v, want the revision", goal, err)
	}
	// A CRD that is made anew under the same name need not be the same one.
	table.CRD.Status.StoredVersions = []string{"v3"}
	if goal, err = r.target(t.Context(), table); err != nil || goal != nil {
		t.Errorf("got %+v, %v, want no table for a CRD that it does not know", goal, err)
	}
	table.CRD.Spec.Conversion = nil
	table.Crosswalk.Status.Fingerprint = fingerprint
	if restored, err := r.restore(t.Context(), table); restored || err != nil {
		t.Errorf("restored: %v, %v", restored, err)
	}
}

// If serve does not answer, a CRD that was disarmed stays so, and the status names who did it.
func TestDisarmedAndNobodyAnswers(t *testing.T) {
	r, table, _ := armedTable(t)
	r.Serve.Replicas = []string{"127.0.0.1:1"} // where nobody listens
	table.CRD.Spec.Conversion = nil
	table.CRD.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "installer", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:conversion":{}}}`)}}
	goal := &target{Converter: table.Current()}
	s, err := r.aim(t.Context(), table, goal, state{fingerprint: goal.Fingerprint(), compiled: yes("Compiled", "")})
	if err != nil {
		t.Fatal(err)
	}
	const begin = "installer removed spec.conversion from the CRD, so writes are stored unconverted and lose fields; it is not restored yet: no replica of serve is ready "
	if s.armed.ok || s.armed.reason != "NoReplicas" || !strings.HasPrefix(s.armed.message, begin) || s.ready != s.armed {
		t.Errorf("got %+v and %+v, want %s...", s.armed, s.ready, begin)
	}
}

func TestReportFailure(t *testing.T) {
	resource := schema.GroupResource{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}
	for name, test := range map[string]struct {
		failure error
		want    string
	}{
		"refused": {fmt.Errorf("arm: %w", apierrors.NewForbidden(resource, crontabs, errors.New("a policy says no"))),
			`the API server rejects a request of crosswalk manage, which tries again: arm: customresourcedefinitions.apiextensions.k8s.io "` + crontabs + `" is forbidden: a policy says no`},
		"busy":        {apierrors.NewTooManyRequests("later", 1), ""},
		"unavailable": {syscall.ECONNREFUSED, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, table, _ := armedTable(t)
			table.Crosswalk.ResourceVersion = ""
			r := newReconciler(t, table.Crosswalk)
			if err := r.reportFailure(t.Context(), table, test.failure); err != nil && test.want == "" {
				t.Fatal(err)
			}
			got := ""
			select {
			case got = <-r.Events.(*events.FakeRecorder).Events:
			default:
			}
			if want := "Warning Refused " + test.want; test.want != "" && got != want || test.want == "" && got != "" {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestAnnouncesWhatIsWritten, once it is: a look that the end of the process has cut off
// finds nobody ready, and its status is not written.
func TestAnnouncesWhatIsWritten(t *testing.T) {
	_, table, _ := armedTable(t)
	table.Crosswalk.ResourceVersion = ""
	r := newReconciler(t, table.Crosswalk)
	working := r.writer
	ended := true
	r.writer = interceptor.NewClient(working.(client.WithWatch), interceptor.Funcs{
		SubResourcePatch: func(ctx context.Context, c client.Client, resource string, o client.Object, patch client.Patch, more ...client.SubResourcePatchOption) error {
			if ended {
				return context.Canceled
			}
			return c.SubResource(resource).Patch(ctx, o, patch, more...)
		}})
	s := state{compiled: yes("Compiled", ""), armed: yes("Armed", ""), ready: no("WaitingForReplicas", "context canceled")}
	announced := r.Events.(*events.FakeRecorder).Events
	if err := r.report(t.Context(), table, s); !errors.Is(err, context.Canceled) || len(announced) != 0 {
		t.Errorf("%v, and %d events, want none", err, len(announced))
	}
	ended = false
	if err := r.report(t.Context(), table, s); err != nil || len(announced) != 1 {
		t.Fatalf("%v, and %d events, want 1", err, len(announced))
	}
	if got, want := <-announced, "Warning WaitingForReplicas context canceled"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNoTableToArmWith(t *testing.T) {
	r, table, _ := armedTable(t)
	service := r.Serve.Service
	s := state{compiled: no(cluster.ReasonInvalidTable, "broken")}
	s.judgeWithout(table.CRD, service, false)
	fingerprint := table.Converter.Fingerprint()
	wantVerdict(t, "armed", s.armed, yes("RevisionMissing", "spec.conversion names the Service crosswalk-system/crosswalk and the table "+fingerprint+", which has no usable ControllerRevision, and the current table does not compile"))
	wantVerdict(t, "ready", s.ready, no("RevisionMissing", "no replica of serve that starts from now on can answer for the table "+fingerprint+" that the CRD is armed with, because its ControllerRevision is missing: do not restart serve, and fix the table at once: broken"))
	// Its revision is there, and this build lacks what it takes.
	if !r.hasRevision(t.Context(), table) {
		t.Error("the revision is not found")
	}
	s.judgeWithout(table.CRD, service, true)
	wantVerdict(t, "armed", s.armed, yes("OtherBuild", "spec.conversion names the Service crosswalk-system/crosswalk and the table "+fingerprint+"; this build of crosswalk can compile neither that table nor the current one"))
	wantVerdict(t, "ready", s.ready, no("OtherBuild", "replicas of serve of this build that start from now on cannot answer for the table "+fingerprint+" that the CRD is armed with: run the build that armed it, in serve and manage, or fix the table: broken"))
	table.CRD.Spec.Conversion = nil
	if r.hasRevision(t.Context(), table) {
		t.Error("a CRD that is not armed has a revision")
	}
	for _, crd := range []*apiextensionsv1.CustomResourceDefinition{nil, table.CRD} {
		s.judgeWithout(crd, service, false)
		wantVerdict(t, "armed", s.armed, no(s.compiled.reason, "the CRD is not armed: see the condition Compiled"))
		wantVerdict(t, "ready", s.ready, no(cluster.ReasonInvalidTable, "broken"))
	}
}

func wantVerdict(t *testing.T, name string, got, want verdict) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got  %+v\nwant %+v", name, got, want)
	}
}

// A revision that is deleted comes back while a CRD is armed with it, and only
// then: others are deleted by us.
func TestRevisionIsMadeAgain(t *testing.T) {
	for name, test := range map[string]struct {
		path string
		back bool
	}{
		"armed with it":      {"", true},
		"armed with another": {"/convert/4567", false},
	} {
		t.Run(name, func(t *testing.T) {
			r, table, revision := armedTable(t)
			if test.path != "" {
				table.CRD.Spec.Conversion.Webhook.ClientConfig.Service.Path = &test.path
			}
			key := client.ObjectKeyFromObject(revision)
			lost := new(appsv1.ControllerRevision)
			if err := r.live.Get(t.Context(), key, lost); err != nil {
				t.Fatal(err)
			}
			if err := r.writer.Delete(t.Context(), revision); err != nil {
				t.Fatal(err)
			}
			queue := workqueue.NewTypedRateLimitingQueue(cluster.Retries())
			defer queue.ShutDown()
			r.lostRevision(t.Context(), event.DeleteEvent{Object: lost}, queue)
			if request, _ := queue.Get(); request != (reconcile.Request{NamespacedName: client.ObjectKey{Name: crontabs}}) {
				t.Errorf("asked for a look at %v", request)
			}
			for range 2 { // the second time there is nothing left to do
				if err := r.reviveRevision(t.Context(), table); err != nil {
					t.Fatal(err)
				}
			}
			got := new(appsv1.ControllerRevision)
			err := r.live.Get(t.Context(), key, got)
			if back := err == nil; back != test.back {
				t.Fatalf("it is back: %v (%v), want %v", back, err, test.back)
			}
			if !test.back {
				return
			}
			if converter, err := (cluster.Compiler{}).Revision(got); err != nil || converter.Fingerprint() != table.Converter.Fingerprint() {
				t.Errorf("what is back holds %v, %v", converter, err)
			}
		})
	}
}

// An author who applies one table after the other contends with nobody.
func TestManyTablesAreNoContention(t *testing.T) {
	for name, test := range map[string]struct {
		path, reason string
	}{
		"as it was left": {"/convert/0123", "Armed"},
		"not as it was":  {"/convert/4567", "OlderTable"},
	} {
		t.Run(name, func(t *testing.T) {
			r, table, _ := armedTable(t)
			address := serveTLS(t, r.Serve.Certs, converting(t, table, nil))
			service, port := external("crosswalk-system", address)
			r.Serve.Port, r.Serve.Replicas = port, []string{address}
			crd, _ := armed(t, r, table.CRD)
			crd.Spec.Conversion.Webhook.ClientConfig.Service.Path = &test.path
			crd.ResourceVersion = ""
			crd.Name = cluster.CanaryCRD // so that no other canary is asked for
			table.CRD = crd
			establish(crd)
			for _, o := range []client.Object{service, crd} {
				if err := r.writer.Create(t.Context(), o); err != nil {
					t.Fatal(err)
				}
			}
			bundle, _ := r.Serve.Bundle(t.Context())
			for range writesAtOnce {
				r.noteWrite(crd.Name, r.want(crd, "0123", bundle))
			}
			s, err := r.aim(t.Context(), table, &target{Converter: table.Current()}, state{fingerprint: "0123", compiled: yes("Compiled", "")})
			if err != nil || s.armed.reason != test.reason {
				t.Errorf("got %+v, %v, want %s", s.armed, err, test.reason)
			}
		})
	}
}
