package policies

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// group is the APIService as it is at a moment.
func (s *stage) group(service string, available bool) *unstructured.Unstructured {
	is, name := apiService(), strings.Split(service, "/")
	is.SetName(apiServiceName)
	status := "False"
	if available {
		status = "True"
	}
	is.Object["spec"] = map[string]any{"service": map[string]any{"namespace": name[0], "name": name[1]}}
	is.Object["status"] = map[string]any{"conditions": []any{
		map[string]any{"type": "Other", "status": "True"},
		map[string]any{"type": "Available", "status": status, "lastTransitionTime": s.clock.UTC().Format(time.RFC3339)},
	}}
	return is
}

func (s *stage) set(o client.Object) {
	s.t.Helper()
	now := apiService()
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: apiServiceName}, now); err != nil {
		if err := s.client.Create(s.t.Context(), o); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	o.SetResourceVersion(now.GetResourceVersion())
	if err := s.client.Update(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
}

const (
	readsNothing = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [UPDATE], resources: [crontabs/status]}]}\n"
	looksUp      = readsNothing + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n"
	askedBack    = "1 Unknown AskedDirectly: the API server calls crosswalk serve directly, which can identify it only by a client certificate (serve --client-ca). Without one, it leaves out " +
		"spec.validations[0].messageExpression, because any client of serve could otherwise read the objects that the policy reads. Deploy overlays/aggregated, so that the API server identifies itself"
	askedByItself = "1 True AskedByItself: the API server calls through its APIService, which identifies it, so crosswalk serve returns complete answers"
)

// A policy that reads objects is asked about by way of the API server itself, as soon as
// that can pass the question on, and others are not.
func TestAskedByItself(t *testing.T) {
	s := newStage(t)
	plain := validation(t, "plain", readsNothing)
	reads := validation(t, "reads", looksUp+"validations: [{expression: lookups.a == null, messageExpression: string(lookups.a.data.b)}]")
	silent := validation(t, "silent", looksUp+"validations: [{expression: lookups.a == null, messageExpression: \"'no'\"}]")
	scales := validation(t, "scales", "validations: [{expression: object.spec.replicas < 3}]")
	s.learn(plain, reads, silent, scales)
	for _, p := range []client.Object{plain, reads, silent, scales} {
		s.put(p)
	}
	say := func(want string) {
		t.Helper()
		s.wantStatus("reads", v1alpha1.ConditionFullAnswers, want)
		s.wantStatus("reads", v1alpha1.ConditionReady, "1"+isReady)
		for _, name := range []string{"plain", "silent", "scales"} {
			s.wantStatus(name, v1alpha1.ConditionFullAnswers, "")
		}
	}
	s.pass()
	s.later()
	s.wantAsked("plain/reads/silent Fail", "scales Fail")
	say(askedBack)

	s.set(s.group("crosswalk-system/crosswalk", false)) // it has never answered
	s.pass()
	s.wantAsked("plain/reads/silent Fail", "scales Fail")
	s.set(s.group("elsewhere/crosswalk", true))
	s.pass()
	s.set(s.group("crosswalk-system/other", true))
	s.pass()
	s.wantAsked("plain/reads/silent Fail", "scales Fail")

	s.set(s.group("crosswalk-system/crosswalk", true))
	s.pass()
	s.wantAsked("plain Fail", "reads/silent Fail by itself", "scales Fail by itself")
	s.later()
	say(askedByItself)
	written := s.written
	s.start() // a new leader finds it as it is
	s.pass()
	s.wantAsked("plain Fail", "reads/silent Fail by itself", "scales Fail by itself")
	if s.written != written {
		t.Error("it is written again")
	}

	// A while without an answer is passed over.
	s.set(s.group("crosswalk-system/crosswalk", false))
	if after := s.pass(); after == 0 || after > patience {
		t.Errorf("looks again after %v", after)
	}
	s.after(patience - 2*time.Second)
	s.wantAsked("plain Fail", "reads/silent Fail by itself", "scales Fail by itself")
	s.after(2 * time.Second)
	s.wantAsked("plain/reads/silent Fail", "scales Fail")
	s.later()
	say(askedBack)

	s.set(s.group("crosswalk-system/crosswalk", true))
	s.pass()
	s.wantAsked("plain Fail", "reads/silent Fail by itself", "scales Fail by itself")
	if err := s.client.Delete(t.Context(), s.group("crosswalk-system/crosswalk", true)); err != nil {
		t.Fatal(err)
	}
	s.pass()
	s.wantAsked("plain/reads/silent Fail", "scales Fail")
}

// Without the right to look for the way there is none, and another failure is tried again.
func TestPassageCannotBeRead(t *testing.T) {
	s := newStage(t)
	for _, test := range []struct {
		err  error
		fine bool
	}{
		{apierrors.NewForbidden(schema.GroupResource{Resource: "apiservices"}, apiServiceName, errors.New("no rule")), true},
		{errors.New("the API server is unavailable"), false},
	} {
		s.live = refusing{s.client, test.err}
		way, err := s.passage(t.Context(), true)
		if way.open || (err == nil) != test.fine {
			t.Errorf("%v: %v, %v", test.err, way, err)
		}
	}
}

type refusing struct {
	client.Reader
	err error
}

func (r refusing) Get(context.Context, client.ObjectKey, client.Object, ...client.GetOption) error {
	return r.err
}

// A mutation of what is read is told of by its field, and a long list ends.
func TestWithheld(t *testing.T) {
	const want = "the API server calls crosswalk serve directly, which can identify it only by a client certificate (serve --client-ca). Without one, it leaves out a, b, c and 2 more, and writes follow the failurePolicy, " +
		"because any client of serve could otherwise read the objects that the policy reads. Deploy overlays/aggregated, so that the API server identifies itself"
	if got := withholds(mutating, []string{"a", "b", "c", "d", "e"}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := list([]string{"a", "b"}); got != "a and b" {
		t.Errorf("got %s", got)
	}
}

// How the API server is told to ask itself, and that it is understood again.
func TestClientByItself(t *testing.T) {
	to := target()
	to.ByItself = true
	p := parsed(t, "")
	p.ReadsObjects = true
	sides := Plan(Desired{Target: to, Validations: map[string]Scope{"a": ScopeOf(p, to), "b": ScopeOf(parsed(t, ""), to)}}).Sides()
	w := sides[1].Webhooks
	if len(w) != 2 {
		t.Fatalf("got %d webhooks", len(w))
	}
	s := w[0].Client.Service
	if s.Namespace != "default" || s.Name != "kubernetes" || *s.Port != 443 || *s.Path != "/apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/a" {
		t.Errorf("got %v %d %s", s, *s.Port, *s.Path)
	}
	if s := w[1].Client.Service; s.Namespace != "crosswalk-system" || *s.Path != "/validate/policies/b" {
		t.Errorf("got %v %s", s, *s.Path)
	}
	if told := registered(webhooks.Side{Webhooks: w}); !told["a"].ByItself || told["b"].ByItself || told["a"].hash() != ScopeOf(p, to).hash() {
		t.Errorf("got %v", told)
	}
}
