package registration

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

const (
	asking = apiextensionsv1.WebhookConverter
	none   = apiextensionsv1.NoneConverter

	isGuarded = "True Guarded: the API server calls the Service crosswalk-system/crosswalk for writes of every version"
)

// own are the rules that there are without any table.
func own(more ...string) []string {
	all := append(slices.Clone(more), "conversion.crosswalk.dev: customresourcedefinitions.apiextensions.k8s.io [v1]",
		"configuration.crosswalk.dev: crosswalks.crosswalk.dev [v1alpha1]")
	slices.Sort(all)
	return all
}

func of(rule string) []string {
	return []string{"guard.crosswalk.dev: " + rule, "strict.crosswalk.dev: " + rule}
}

func (s *stage) wantRules(want []string) {
	s.t.Helper()
	got := slices.Sorted(slices.Values(s.rules()))
	if !slices.Equal(got, want) {
		s.t.Errorf("registered are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (s *stage) wantStatus(name, want string) {
	s.t.Helper()
	if got := s.says(name); got != want {
		s.t.Errorf("%s says\n%s\nwant\n%s", name, got, want)
	}
}

func TestArmedIsGuarded(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1beta1", "v1"), crosswalk(crontabs), crd(stars, none, "v1"), crosswalk(stars))
	s.look(crontabs, stars)
	s.wantRules(own(of("crontabs.stable.example.com [v1 v1beta1]")...))
	s.wantStatus(crontabs, "False Settling: waiting for the API servers to pick up the change")
	s.wantStatus(stars, "") // arming has the first word
	if after := s.later(); after != 0 {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus(crontabs, isGuarded)

	// Nothing is written, and nobody asked, while nothing changes.
	asked, applied := len(s.replica.asked), s.applied
	s.look(crontabs, stars)
	if len(s.replica.asked) != asked || s.applied != applied {
		t.Errorf("asked %d times more and wrote %d times more", len(s.replica.asked)-asked, s.applied-applied)
	}

	// What was guarded is not while serve does not answer.
	end := rehearsal.Silence(t, s.Serve)
	s.pass()
	s.wantStatus(crontabs, "False WaitingForReplicas: the replica "+s.replica.address+" does not answer: no answer")
	s.wantStatus(stars, "")
	end()
	s.pass()
	s.wantStatus(crontabs, isGuarded)

	// Nor is it while manage may not read what it needs to know that.
	s.rights.Missing = &reach.Obstacle{Reason: "MissingRights", Message: "manage may not get services"}
	s.pass()
	s.wantStatus(crontabs, "False MissingRights: manage may not get services")
	s.rights.Missing = nil
	s.pass()
	s.wantStatus(crontabs, isGuarded)
	if s.applied != applied {
		t.Errorf("wrote %d times more", s.applied-applied)
	}
}

// What the replicas are asked is what the API server will ask.
func TestQuestions(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1beta1", "v1"), crosswalk(crontabs))
	s.look(crontabs)
	slices.Sort(s.replica.asked)
	got := slices.Compact(s.replica.asked)
	want := []string{
		"/mutate/conversion UPDATE v1/customresourcedefinitions",
		"/mutate/guard CREATE v1/crontabs",
		"/mutate/guard CREATE v1beta1/crontabs",
		"/validate/configuration CREATE v1alpha1/crosswalks",
		"/validate/strict CREATE v1/crontabs",
		"/validate/strict CREATE v1beta1/crontabs",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// No rule is written before every replica has answered, and none is removed
// because one no longer does.
func TestRulesFollowAnswers(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1beta1", "v1"), crosswalk(crontabs))
	s.replica.silence(GuardPath, StrictPath, KeepConversionPath, ConfigurationPath)
	if after := s.look(crontabs); after != webhooks.FirstWait {
		t.Errorf("looks again after %v", after)
	}
	s.wantRules(nil)
	s.wantStatus(crontabs, "False WaitingForReplicas: "+s.replica.address+"/mutate/guard does not answer: 404 Not Found: there is no such route")
	for _, want := range []time.Duration{2 * webhooks.FirstWait, 4 * webhooks.FirstWait} {
		if after := s.pass(); after != want {
			t.Errorf("looks again after %v, want %v", after, want)
		}
	}

	s.replica.silence(StrictPath)
	s.pass()
	s.wantRules(own())
	s.wantStatus(crontabs, "False WaitingForReplicas: "+s.replica.address+"/validate/strict does not answer: 404 Not Found: there is no such route")

	s.replica.silence(StrictPath + " v1")
	s.pass()
	s.wantRules(own(of("crontabs.stable.example.com [v1beta1]")...))

	// What is stashed for a version counts before that version is guarded.
	if mutating, _ := s.configurations(); !strings.Contains(mutating.Webhooks[0].MatchConditions[0].Expression, `"stash.crosswalk.dev/v1"`) {
		t.Errorf("the guard is asked where %s", mutating.Webhooks[0].MatchConditions[0].Expression)
	}

	s.replica.silence()
	s.pass()
	s.wantRules(own(of("crontabs.stable.example.com [v1 v1beta1]")...))

	s.replica.silence(GuardPath, StrictPath, KeepConversionPath, ConfigurationPath)
	s.Serve.Replicas = []string{"127.0.0.1:1"} // where nobody listens
	s.look(crontabs)
	s.wantRules(own(of("crontabs.stable.example.com [v1 v1beta1]")...))
}

// A second table waits for its own answers only.
func TestTablesWaitForThemselves(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs), crd(stars, asking, "v2"), crosswalk(stars))
	s.replica.silence(GuardPath + " v2")
	s.look(crontabs, stars)
	s.later()
	s.wantRules(own(of("crontabs.stable.example.com [v1]")...))
	s.wantStatus(crontabs, isGuarded)
	s.wantStatus(stars, "False WaitingForReplicas: "+s.replica.address+"/mutate/guard does not answer: 404 Not Found: there is no such route")
}

// Rules go where there is nothing to guard any more, also while nobody answers.
func TestRulesGo(t *testing.T) {
	for name, test := range map[string]struct {
		change    func(*stage)
		condition string
	}{
		"disarmed": {func(s *stage) {
			c := new(apiextensionsv1.CustomResourceDefinition)
			s.get(crontabs, c)
			c.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: none}
			s.update(c)
		}, "False NotArmed: spec.conversion of the CRD does not name the Service crosswalk-system/crosswalk yet: see the condition Armed"},
		"opted out": {func(s *stage) {
			c := new(v1alpha1.Crosswalk)
			s.get(crontabs, c)
			c.Spec.Admission = v1alpha1.AdmissionNone
			s.update(c)
		}, "False OptedOut: spec.admission is None: clients can drop kept values, and values that cannot be converted are accepted"},
		"the CRD is gone": {func(s *stage) { s.delete(crd(crontabs, none)) },
			"False NotArmed: spec.conversion of the CRD does not name the Service crosswalk-system/crosswalk yet: see the condition Armed"},
		"the Crosswalk is gone": {func(s *stage) { s.delete(crosswalk(crontabs)) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs), crd(stars, asking, "v1"), crosswalk(stars))
			s.look(crontabs, stars)
			s.Serve.Replicas = []string{"127.0.0.1:1"} // where nobody listens
			test.change(s)
			s.look(crontabs)
			s.wantRules(own(of("stars.example.com [v1]")...))
			if test.condition != "" {
				s.wantStatus(crontabs, test.condition)
			}
		})
	}
}

func (s *stage) get(name string, into client.Object) {
	s.t.Helper()
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: name}, into); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) update(o client.Object) {
	s.t.Helper()
	if err := s.client.Update(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) delete(o client.Object) {
	s.t.Helper()
	if err := s.client.Delete(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
}

// A new leader knows nothing at first.
func TestNewLeaderRemovesNothing(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs), crd(stars, asking, "v1"), crosswalk(stars))
	s.look(crontabs, stars)
	want := own(append(of("crontabs.stable.example.com [v1]"), of("stars.example.com [v1]")...)...)
	s.wantRules(want)
	next := newReconciler(s.Options, s.client, s.client, s.client)
	s.reconciler = next
	s.pass()
	s.look(stars)
	s.wantRules(want)
	asked := len(s.replica.asked)
	s.look(crontabs)
	s.wantRules(want)
	if len(s.replica.asked) != asked {
		t.Error("what is registered already is asked for again")
	}
}

func TestCanaryIsNotGuarded(t *testing.T) {
	s := newStage(t, crd(cluster.CanaryCRD, asking, "v1"), crosswalk(cluster.CanaryCRD))
	s.look(cluster.CanaryCRD)
	s.wantRules(own())
	s.wantStatus(cluster.CanaryCRD, "")
}

// What others change is mended at once, a few times.
func TestDriftIsMended(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.look(crontabs)
	want := own(of("crontabs.stable.example.com [v1]")...)
	meddle := func() {
		mutating, _ := s.configurations()
		mutating.Webhooks[0].Rules, mutating.Webhooks[0].TimeoutSeconds = nil, new(int32(1))
		if err := s.client.Update(t.Context(), mutating, client.FieldOwner("meddler")); err != nil {
			t.Fatal(err)
		}
	}
	for range webhooks.WritesAtOnce - 1 { // the first write was not after a change
		meddle()
		s.pass()
		s.wantRules(want)
	}
	meddle()
	s.later()
	s.wantStatus(crontabs, "False Contended: meddler keeps changing the MutatingWebhookConfiguration 0-crosswalk: it was corrected 5 times within 1m0s; remove it from what that client applies, and check that Crosswalk is installed only once")
	s.clock = s.clock.Add(webhooks.WritesWindow)
	s.pass()
	s.wantRules(want)
	s.later()
	s.wantStatus(crontabs, isGuarded)
}

// A webhook that somebody else has added stays.
func TestOthersStay(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.look(crontabs)
	_, validating := s.configurations()
	another := validating.Webhooks[0]
	another.Name = "another.example.com"
	validating.Webhooks = append(validating.Webhooks, another)
	s.update(validating)
	applied := s.applied
	s.pass()
	if s.applied != applied {
		t.Error("what somebody else has added is a reason to write")
	}
	s.delete(crosswalk(crontabs))
	s.look(crontabs)
	if _, now := s.configurations(); len(now.Webhooks) != 3 {
		t.Errorf("there are %d webhooks, want 3", len(now.Webhooks))
	}
}

func TestRefusalIsReported(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	resource := schema.GroupResource{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"}
	s.refuse = apierrors.NewForbidden(resource, MutatingName, errors.New("a policy says no"))
	if err := s.reconciler.look(t.Context(), crontabs); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reconcile(t.Context(), s.everything()); err == nil {
		t.Error("the queue is not told")
	}
	s.wantStatus(crontabs, fmt.Sprintf("False Refused: the API server rejects a request of crosswalk manage, which tries again: MutatingWebhookConfiguration 0-crosswalk: %v", s.refuse))
	s.refuse = nil
	s.pass()
	s.later()
	s.wantStatus(crontabs, isGuarded)
	// From now on a refusal changes nothing that is registered.
	s.refuse = apierrors.NewForbidden(resource, MutatingName, errors.New("a policy says no"))
	mutating, _ := s.configurations()
	mutating.Webhooks[0].TimeoutSeconds = new(int32(1))
	s.update(mutating)
	if _, err := s.Reconcile(t.Context(), s.everything()); err == nil {
		t.Error("the queue is not told")
	}
	s.wantStatus(crontabs, isGuarded)
}

func TestConflictIsNoFailure(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1"), crosswalk(crontabs))
	s.refuse = apierrors.NewConflict(schema.GroupResource{}, MutatingName, errors.New("changed"))
	if after := s.look(crontabs); after != webhooks.Immediately {
		t.Errorf("looks again after %v", after)
	}
}

// Without an answer of the API server nothing is known, and a CRD that is new is not guarded.
func TestUnanswered(t *testing.T) {
	s := newStage(t, crd(crontabs, asking, "v1beta1", "v1"), crosswalk(crontabs))
	s.look(crontabs)
	s.later()
	s.wantStatus(crontabs, isGuarded)
	for _, o := range []client.Object{crd(stars, asking, "v1"), crosswalk(stars)} {
		if err := s.client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	services := &rehearsal.Failing{Reader: s.Serve.Live}
	s.Serve.Live = services
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "services"}, "crosswalk", errors.New("no"))
	const refused = `False Refused: the API server rejects a request of crosswalk manage, which tries again: services "crosswalk" is forbidden: no`
	for _, test := range []struct {
		err   error
		stars string
	}{
		{errors.New("connection refused"), ""},
		{apierrors.NewServiceUnavailable("it starts"), ""},
		{forbidden, refused},
	} {
		services.Err = test.err
		_, _ = s.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: stars}})
		if _, err := s.Reconcile(t.Context(), s.everything()); !errors.Is(err, test.err) {
			t.Errorf("%v: got %v", test.err, err)
		}
		s.wantStatus(crontabs, isGuarded)
		s.wantStatus(stars, test.stars)
	}
	services.Err = nil
	s.pass()
	s.later()
	s.wantStatus(stars, isGuarded)

	// What is registered cannot be read.
	live := &rehearsal.Failing{Reader: s.live}
	s.live = live
	for err, want := range map[error]string{errors.New("connection refused"): isGuarded, forbidden: refused} {
		mutating, _ := s.configurations()
		mutating.SetLabels(map[string]string{"changed": fmt.Sprint(len(err.Error()))})
		s.update(mutating)
		live.Err = err
		_, _ = s.Reconcile(t.Context(), s.everything())
		s.wantStatus(crontabs, want)
		live.Err = nil
		s.pass()
		s.wantStatus(crontabs, isGuarded)
	}
}
