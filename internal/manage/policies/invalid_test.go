package policies

import (
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// A policy that does not compile is not registered, and one that no longer does stays.
func TestInvalid(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	s.later()
	broken := "failurePolicy: Ignore\nvalidations: [{expression: object.}, {expression: '1'}]"
	s.put(validation(t, "a", broken))
	s.put(validation(t, "b", broken))
	s.pass()
	s.wantAsked("a Fail")
	s.wantStatus("a", v1alpha1.ConditionReady, "2 False InvalidPolicy: it does not compile: see the condition Compiled"+untilThen)
	s.wantStatus("b", v1alpha1.ConditionReady, "1 False InvalidPolicy: it does not compile: see the condition Compiled")
	p := new(v1alpha1.ValidationPolicy)
	if err := s.client.Get(t.Context(), client.ObjectKey{Name: "b"}, p); err != nil {
		t.Fatal(err)
	}
	message := p.Status.Conditions[0].Message
	for _, want := range []string{"spec.validations[0].expression: ERROR: <input>:1:8: Syntax error", "spec.validations[1].expression: must evaluate to bool but got int"} {
		if !strings.Contains(message, want) {
			t.Errorf("got\n%s\nwant %s", message, want)
		}
	}
}

// A policy for the hub version needs a Crosswalk.
func TestHubNeedsCrosswalk(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "hub: true")
	s.put(a)
	s.learn(a)
	s.pass()
	s.wantAsked()
	s.wantStatus("a", v1alpha1.ConditionReady, "1 False NoCrosswalk: it is written for the hub version, and there is no Crosswalk crontabs.stable.example.com: apply it, or remove spec.hub from the policy")
	crosswalk := new(v1alpha1.Crosswalk)
	crosswalk.Name = "crontabs.stable.example.com"
	if err := s.client.Create(t.Context(), crosswalk); err != nil {
		t.Fatal(err)
	}
	s.pass()
	s.wantAsked("a Fail")
	if err := s.client.Delete(t.Context(), crosswalk); err != nil {
		t.Fatal(err)
	}
	s.later()
	s.wantAsked("a Fail") // and its failurePolicy says what becomes of writes
	s.wantStatus("a", v1alpha1.ConditionReady, "1 False NoCrosswalk: it is written for the hub version, and there is no Crosswalk crontabs.stable.example.com: apply it, or remove spec.hub from the policy"+untilThen)
}
