package policies

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

const (
	isReady    = " True Registered: the API server asks the Service crosswalk-system/crosswalk about every write that the policy is about"
	isSettling = " False Settling: the API servers have just been told, and are hearing of it"
	untilThen  = "; until then the API server goes on asking about what it did before"
)

func (s *stage) waits(path string, fingerprint string) string {
	return fmt.Sprintf(" False WaitingForReplicas: %s%s?fingerprint=%s does not answer: 503 Service Unavailable: not loaded yet", s.replica.address, path, fingerprint)
}

// A policy is registered once everybody knows it, and ready once the API servers have
// heard of that.
func TestRegistered(t *testing.T) {
	s := newStage(t)
	schedules, defaults := validation(t, "schedules", ""), mutation(t, "defaults")
	s.put(schedules)
	s.put(defaults)
	if after := s.pass(); after != webhooks.FirstWait {
		t.Errorf("looks again after %v", after)
	}
	s.wantAsked()
	s.learn(defaults)
	s.wantSaid("schedules", v1alpha1.ConditionReady, "1"+s.waits("/validate/policies/schedules", s.compiled[schedules.UID].fingerprint))
	s.wantSaid("schedules", v1alpha1.ConditionCompiled, "1 True Compiled: every expression compiles")
	s.pass()
	s.wantAsked("defaults Fail")
	s.learn(schedules)
	s.pass()
	s.wantAsked("defaults Fail", "schedules Fail")
	s.wantSaid("schedules", v1alpha1.ConditionReady, "1"+isSettling)
	if after := s.later(); after != 0 {
		t.Errorf("looks again after %v", after)
	}
	s.wantSaid("schedules", v1alpha1.ConditionReady, "1"+isReady)

	// Nothing is written, and nobody asked, while nothing changes; nor by a new leader.
	asked, written := len(s.replica.asked), s.written
	s.pass()
	s.start()
	s.pass()
	if len(s.replica.asked) != asked || s.written != written {
		t.Errorf("asked %d times more and wrote %d times more", len(s.replica.asked)-asked, s.written-written)
	}
}

// A policy that nobody knows does not make others wait for as long as it does.
func TestOneWaitsLonger(t *testing.T) {
	s := newStage(t)
	s.put(validation(t, "a", ""))
	for s.pass() != webhooks.LongestWait {
	}
	b := validation(t, "b", "")
	s.put(b)
	if after := s.pass(); after != webhooks.FirstWait {
		t.Errorf("looks again after %v", after)
	}
	s.learn(b)
	s.pass()
	s.wantAsked("b Fail")
}

// A cluster without policies has nothing written, and nobody is asked.
func TestNoPolicies(t *testing.T) {
	s := newStage(t)
	if after := s.pass(); after != 0 || s.written > 0 || len(s.replica.asked) > 0 {
		t.Errorf("looks again after %v, wrote %d times, asked %q", after, s.written, s.replica.asked)
	}
}

// A policy whose scope moves is asked for as it was until everybody knows it as it is.
func TestMove(t *testing.T) {
	s := newStage(t)
	a, b := validation(t, "a", ""), validation(t, "b", "")
	s.put(a)
	s.put(b)
	s.learn(a, b)
	s.pass()
	s.later()
	s.wantAsked("a/b Fail")
	moved := validation(t, "a", "failurePolicy: Ignore")
	s.put(moved)
	s.pass()
	s.wantAsked("a/b Fail")
	s.wantSaid("a", v1alpha1.ConditionReady, "2"+s.waits("/validate/policies/a", s.compiled[moved.UID].fingerprint)+untilThen)
	s.wantSaid("b", v1alpha1.ConditionReady, "1"+isReady)
	s.learn(moved)
	s.pass()
	s.wantAsked("a Ignore", "b Fail")
	s.wantSaid("a", v1alpha1.ConditionReady, "2"+isSettling)
	s.later()
	s.wantSaid("a", v1alpha1.ConditionReady, "2"+isReady)
}

// A change that the API server need not hear of is ready once everybody knows it.
func TestChangeOfRules(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	s.later()
	written := s.written
	changed := validation(t, "a", "validations: [{expression: object.spec.a == 'x'}]")
	s.put(changed)
	s.pass()
	s.wantSaid("a", v1alpha1.ConditionReady, "2"+s.waits("/validate/policies/a", s.compiled[changed.UID].fingerprint)+untilThen)
	s.learn(changed)
	s.pass()
	s.wantSaid("a", v1alpha1.ConditionReady, "2"+isReady)
	if s.written != written {
		t.Error("the API server is told what it knows")
	}
}

// A deleted policy goes at once, also while nobody answers; one that comes back under
// the same name is another.
func TestDeleted(t *testing.T) {
	s := newStage(t)
	a, b := validation(t, "a", ""), validation(t, "b", "")
	s.put(a)
	s.put(b)
	s.learn(a, b)
	s.pass()
	known := s.Serve.Replicas
	s.Serve.Replicas = []string{"127.0.0.1:1"} // where nobody listens
	if err := s.client.Delete(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	s.pass()
	s.wantAsked("b Fail")
	s.put(validation(t, "a", ""))
	s.pass()
	s.wantAsked("b Fail")
	s.Serve.Replicas = known
	s.pass()
	s.wantAsked("a/b Fail")
	for _, p := range []*v1alpha1.ValidationPolicy{a, b} {
		if err := s.client.Delete(t.Context(), validation(t, p.Name, "")); err != nil {
			t.Fatal(err)
		}
	}
	s.pass()
	s.wantAsked()
}

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
	s.wantSaid("a", v1alpha1.ConditionReady, "2 False InvalidPolicy: it does not compile: see the condition Compiled"+untilThen)
	s.wantSaid("b", v1alpha1.ConditionReady, "1 False InvalidPolicy: it does not compile: see the condition Compiled")
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
	s.wantSaid("a", v1alpha1.ConditionReady, "1 False NoCrosswalk: it is written for the hub version, and there is no Crosswalk crontabs.stable.example.com: apply it, or take spec.hub out of the policy")
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
	s.wantSaid("a", v1alpha1.ConditionReady, "1 False NoCrosswalk: it is written for the hub version, and there is no Crosswalk crontabs.stable.example.com: apply it, or take spec.hub out of the policy"+untilThen)
}

// A cache that is behind takes nothing away.
func TestLaggingCache(t *testing.T) {
	s := newStage(t)
	a, b := validation(t, "a", ""), validation(t, "b", "")
	s.put(a)
	s.put(b)
	s.learn(a, b)
	s.pass()
	other := newStage(t)
	other.put(validation(t, "a", ""))
	s.cached = other.client
	s.pass()
	s.wantAsked("a/b Fail")
}

func TestNoBundle(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.serving.err = errors.New("the Secret is missing")
	s.pass()
	s.wantAsked()
	s.wantSaid("a", v1alpha1.ConditionReady, "1 False NoCertificate: there is no CA bundle to arm with: the Secret is missing")
	s.serving.err = nil
	s.pass()
	s.wantAsked("a Fail")
}

// A new CA comes into the webhooks once serve is believed by it, and rotation waits
// for that.
func TestBundleFollows(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	second, err := authority(t).Current()
	if err != nil {
		t.Fatal(err)
	}
	first, both := s.serving.pair, *s.serving.pair
	both.CABundle = append(bytes.Clone(both.CABundle), second.CABundle...)
	const lacks = " of crosswalk-policies does not hold the new CA yet"
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err == nil || !strings.HasSuffix(err.Error(), lacks) {
		t.Errorf("got %v", err)
	}
	s.serving.pair = &both
	s.pass()
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err != nil {
		t.Error(err)
	}
	s.serving.pair = second // by which nobody is believed that answers now
	if after := s.pass(); after == 0 {
		t.Error("it does not look again")
	}
	if err := webhooks.Injected(t.Context(), s.client, first.CABundle, Names()); err != nil {
		t.Error(err)
	}
}

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
	s.wantSaid("a", v1alpha1.ConditionReady, "1 False Contended: meddler keeps changing the ValidatingWebhookConfiguration crosswalk-policies: it was corrected 5 times within 1m0s; take it out of what that applies, and see that there is one installation of Crosswalk"+untilThen)
	s.clock = s.clock.Add(webhooks.WritesWindow)
	s.pass()
	s.later()
	s.wantSaid("a", v1alpha1.ConditionReady, "1"+isReady)
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
	s.wantSaid("b", v1alpha1.ConditionReady, "1"+isReady)
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
	s.wantSaid("a", v1alpha1.ConditionReady, "1"+isReady)
	s.wantSaid("b", v1alpha1.ConditionReady, fmt.Sprintf("1 False Refused: the API server refuses what crosswalk manage has to do, which tries again: ValidatingWebhookConfiguration crosswalk-policies: %v", invalidWebhook("rules", 1)))
	s.refuse = nil
	s.clock = s.clock.Add(refusedFor)
	s.pass()
	s.wantAsked("a Fail", "b Ignore")
}

// What is refused for another reason is said, and tried again.
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
	s.wantSaid("a", v1alpha1.ConditionReady, fmt.Sprintf("1 False Refused: the API server refuses what crosswalk manage has to do, which tries again: ValidatingWebhookConfiguration crosswalk-policies: %v", forbidden))
	s.refuse = func(client.Object, []byte) error {
		return apierrors.NewConflict(schema.GroupResource{}, Name, errors.New("changed"))
	}
	if after := s.pass(); after != webhooks.Immediately {
		t.Errorf("looks again after %v", after)
	}
}

// Whatever happens, a policy that is registered and not deleted is in exactly one
// webhook after every write.
func TestNeverNoneNeverTwo(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	s := newStage(t)
	names := []string{"a", "b", "c", "d"}
	forms := []string{"", "failurePolicy: Ignore", "validations: [{expression: object.}]", "matchConditions: [{name: a, expression: 'true'}]", "validations: [{expression: 'false'}]"}
	there, told := map[string]bool{}, map[string]string{} // the webhook that asks
	moves := 0
	for range 120 {
		name := names[random.IntN(len(names))]
		switch p := validation(t, name, forms[random.IntN(len(forms))]); random.IntN(6) {
		case 0, 1:
			s.put(p)
			there[name] = true
		case 2, 3:
			for name := range there {
				now := new(v1alpha1.ValidationPolicy)
				if err := s.client.Get(t.Context(), client.ObjectKey{Name: name}, now); err != nil {
					t.Fatal(err)
				}
				s.learn(now)
			}
		case 4:
			if there[name] && random.IntN(3) == 0 {
				if err := s.client.Delete(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				delete(there, name)
				delete(told, name)
			}
		default:
			s.start() // a new leader
		}
		s.clock = s.clock.Add(time.Duration(random.IntN(30)) * time.Second)
		s.pass()
		sides, err := webhooks.Read(t.Context(), s.client, Names())
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string][]string{}
		for _, w := range sides[validating].Webhooks {
			for _, name := range namesIn(w.Client, ValidatePath) {
				asked[name] = append(asked[name], w.Name)
			}
		}
		for _, name := range names {
			now, before := strings.Join(asked[name], " "), told[name]
			if len(asked[name]) > 1 || now != "" && !there[name] || before != "" && now == "" {
				t.Fatalf("%s is asked for by %q, before by %q; it is there: %v", name, now, before, there[name])
			}
			if before != "" && before != now {
				moves++
			}
			told[name] = now
		}
	}
	if moves < 10 {
		t.Errorf("only %d moves", moves)
	}
}
