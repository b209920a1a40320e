package policies

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

func TestContended(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	meddle := func() {
		sides, err := webhooks.Read(t.Context(), s.client, Names())
		if err != nil {
			t.Fatal(err)
		}
		sides[validating].Webhooks[0].Whole.(*admissionregistrationv1.ValidatingWebhook).TimeoutSeconds = new(int32(1))
		if err := s.client.Update(t.Context(), sides[validating].Object, client.FieldOwner("meddler")); err != nil {
			t.Fatal(err)
		}
	}
	for range webhooks.WritesAtOnce - 1 {
		meddle()
		s.pass()
	}
	s.clock = s.clock.Add(2 * webhooks.Settling)
	meddle()
	s.pass()
	s.wantStatus("a", v1alpha1.ConditionReady, "1 False Contended: meddler keeps changing the ValidatingWebhookConfiguration crosswalk-policies: it was corrected 5 times within 1m0s; remove it from what that client applies, and check that Crosswalk is installed only once"+untilThen)
	s.clock = s.clock.Add(webhooks.WritesWindow)
	s.pass()
	s.later()
	s.wantStatus("a", v1alpha1.ConditionReady, "1"+isReady)
}

// invalidWebhook is what an API server answers that does not take something.
func invalidWebhook(part string, number int) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}, Name,
		field.ErrorList{field.Invalid(field.NewPath("webhooks").Index(number).Child(part).Index(0), "x", "undeclared reference")})
}

// Conditions that the API server does not take are left to serve.
func TestConditionsAreNotTaken(t *testing.T) {
	s := newStage(t)
	a, b := validation(t, "a", ""), validation(t, "b", "matchConditions: [{name: new, expression: object.spec.a == 'x'}]")
	s.put(a)
	s.put(b)
	s.learn(a, b)
	s.refuse = func(_ client.Object, patch []byte) error {
		if bytes.Contains(patch, []byte("object.spec.a")) {
			return invalidWebhook("matchConditions", 1)
		}
		return nil
	}
	if after := s.pass(); after != webhooks.Immediately {
		t.Errorf("looks again after %v", after)
	}
	s.pass()
	s.wantAsked("a/b Fail") // without conditions they have the same scope
	s.later()
	s.wantStatus("b", v1alpha1.ConditionReady, "1"+isReady)
}

// A policy that the API server does not take at all keeps no other one from being
// registered.
func TestRefused(t *testing.T) {
	s := newStage(t)
	a, b := validation(t, "a", ""), validation(t, "b", "failurePolicy: Ignore")
	s.put(a)
	s.put(b)
	s.learn(a, b)
	s.refuse = func(_ client.Object, patch []byte) error {
		if bytes.Contains(patch, []byte("policies/b")) {
			return invalidWebhook("rules", 1)
		}
		return nil
	}
	s.pass()
	s.pass()
	s.wantAsked("a Fail")
	if after := s.later(); after == 0 {
		t.Error("it does not look again")
	}
	s.wantStatus("a", v1alpha1.ConditionReady, "1"+isReady)
	s.wantStatus("b", v1alpha1.ConditionReady, fmt.Sprintf("1 False Refused: the API server rejects a request of crosswalk manage, which tries again: ValidatingWebhookConfiguration crosswalk-policies: %v", invalidWebhook("rules", 1)))
	s.refuse = nil
	s.clock = s.clock.Add(refusedFor)
	s.pass()
	s.wantAsked("a Fail", "b Ignore")
}

// A rejection for another reason is reported, and tried again.
func TestForbidden(t *testing.T) {
	s := newStage(t)
	a, d := validation(t, "a", ""), mutation(t, "d")
	s.put(a)
	s.put(d)
	s.learn(a, d)
	forbidden := apierrors.NewForbidden(schema.GroupResource{Resource: "validatingwebhookconfigurations"}, Name, errors.New("a policy says no"))
	s.refuse = func(o client.Object, _ []byte) error {
		if o.GetObjectKind().GroupVersionKind().Kind == "MutatingWebhookConfiguration" {
			return nil
		}
		return forbidden
	}
	if _, err := s.Reconcile(t.Context(), everything()); err == nil {
		t.Error("the queue is not told")
	}
	s.wantAsked("d Fail") // the other configuration
	s.wantStatus("a", v1alpha1.ConditionReady, fmt.Sprintf("1 False Refused: the API server rejects a request of crosswalk manage, which tries again: ValidatingWebhookConfiguration crosswalk-policies: %v", forbidden))
	s.refuse = func(client.Object, []byte) error {
		return apierrors.NewConflict(schema.GroupResource{}, Name, errors.New("changed"))
	}
	if after := s.pass(); after != webhooks.Immediately {
		t.Errorf("looks again after %v", after)
	}
}

// Without an answer of the API server nothing is known, and a policy that is new is not ready.
func TestUnanswered(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	s.later()
	s.wantStatus("a", v1alpha1.ConditionReady, "1"+isReady)
	b := validation(t, "b", "")
	s.put(b)
	s.learn(b)
	services := &rehearsal.Failing{Reader: s.Serve.Live}
	s.Serve.Live = services
	for _, test := range []struct {
		err error
		b   string
	}{
		{errors.New("connection refused"), ""},
		{apierrors.NewServiceUnavailable("it starts"), ""},
		{apierrors.NewForbidden(corev1.Resource("services"), "crosswalk", errors.New("no")),
			`1 False Refused: the API server rejects a request of crosswalk manage, which tries again: services "crosswalk" is forbidden: no`},
	} {
		services.Err = test.err
		if _, err := s.Reconcile(t.Context(), everything()); !errors.Is(err, test.err) {
			t.Errorf("%v: got %v", test.err, err)
		}
		s.wantStatus("a", v1alpha1.ConditionReady, "1"+isReady)
		s.wantStatus("b", v1alpha1.ConditionReady, test.b)
	}
	services.Err = nil
	s.pass()
	s.later()
	s.wantStatus("b", v1alpha1.ConditionReady, "1"+isReady)

	// What is registered has changed, and cannot be read.
	sides, err := webhooks.Read(t.Context(), s.client, Names())
	if err != nil {
		t.Fatal(err)
	}
	sides[validating].Object.SetLabels(map[string]string{"changed": "true"})
	if err := s.client.Update(t.Context(), sides[validating].Object); err != nil {
		t.Fatal(err)
	}
	live := &rehearsal.Failing{Reader: s.live, Err: apierrors.NewForbidden(corev1.Resource("webhooks"), "c", errors.New("no"))}
	s.live = live
	_, _ = s.Reconcile(t.Context(), everything())
	s.wantStatus("a", v1alpha1.ConditionReady, `1 False Refused: the API server rejects a request of crosswalk manage, which tries again: webhooks "c" is forbidden: no`)
	live.Err = nil
	s.pass()
	s.wantStatus("a", v1alpha1.ConditionReady, "1"+isReady)
}
