package policies

import (
	"fmt"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

const (
	isReady    = " True Registered: the API server calls the Service crosswalk-system/crosswalk for every write that the policy matches"
	isSettling = " False Settling: waiting for the API servers to pick up the change"
	untilThen  = "; until then the previous registration stays"
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
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+s.waits("/validate/policies/schedules", s.compiled[schedules.UID].fingerprint))
	s.wantStatus("schedules", v1alpha1.ConditionCompiled, "1 True Compiled: every expression compiles")
	s.pass()
	s.wantAsked("defaults Fail")
	s.learn(schedules)
	s.pass()
	s.wantAsked("defaults Fail", "schedules Fail")
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isSettling)
	if after := s.later(); after != rightsFor-2*webhooks.Settling {
		t.Errorf("looks again after %v", after)
	}
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)

	// Nothing is written, and nobody asked, while nothing changes. A new leader asks for
	// rights, which no status tells for certain: on each side the replica, and the Service.
	asked, written := len(s.replica.asked), s.written
	s.pass()
	if len(s.replica.asked) != asked {
		t.Errorf("asked %v", s.replica.asked[asked:])
	}
	s.start()
	s.pass()
	s.pass()
	if now := len(s.replica.asked) - asked; now != 4 || s.written != written {
		t.Errorf("asked %d times more and wrote %d times more", len(s.replica.asked)-asked, s.written-written)
	}

	// What is registered is not ready while serve does not answer.
	end := rehearsal.Silence(t, s.Serve)
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1 False WaitingForReplicas: the replica "+s.replica.address+" does not answer: no answer")
	end()
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)

	// Nor is it while manage may not read what it needs to know that.
	s.rights.Missing = &reach.Obstacle{Reason: "MissingRights", Message: "manage may not get services"}
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1 False MissingRights: manage may not get services")
	s.rights.Missing = nil
	s.pass()
	s.wantStatus("schedules", v1alpha1.ConditionReady, "1"+isReady)
	if s.written != written {
		t.Errorf("wrote %d times more", s.written-written)
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
	s.wantStatus("a", v1alpha1.ConditionReady, "2"+s.waits("/validate/policies/a", s.compiled[moved.UID].fingerprint)+untilThen)
	s.wantStatus("b", v1alpha1.ConditionReady, "1"+isReady)
	s.learn(moved)
	s.pass()
	s.wantAsked("a Ignore", "b Fail")
	s.wantStatus("a", v1alpha1.ConditionReady, "2"+isSettling)
	s.later()
	s.wantStatus("a", v1alpha1.ConditionReady, "2"+isReady)
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
	s.wantStatus("a", v1alpha1.ConditionReady, "2"+s.waits("/validate/policies/a", s.compiled[changed.UID].fingerprint)+untilThen)
	s.learn(changed)
	s.pass()
	s.wantStatus("a", v1alpha1.ConditionReady, "2"+isReady)
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

// A cache that is behind removes nothing.
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
