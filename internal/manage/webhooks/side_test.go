package webhooks

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

func target() Target {
	return Target{Service: cluster.Service{Namespace: "crosswalk-system", Name: "crosswalk"}, Port: 443}
}

func names() Names { return Names{Mutating: "m", Validating: "v"} }

// with is the mutating side with webhooks of these names.
func with(webhooks ...string) Side {
	p := target().Pair(names())
	for _, name := range webhooks {
		p.Mutating.Webhooks = append(p.Mutating.Webhooks, admissionregistrationv1.MutatingWebhook{
			Name: name, ClientConfig: target().Client("/mutate/x"), FailurePolicy: new(admissionregistrationv1.Fail),
		})
	}
	return p.Sides()[0]
}

func TestHolds(t *testing.T) {
	otherwise := with("a.crosswalk.dev", "b.crosswalk.dev")
	otherwise.Webhooks[1].Whole.(*admissionregistrationv1.MutatingWebhook).FailurePolicy = new(admissionregistrationv1.Ignore)
	annotated := with("a.crosswalk.dev", "b.crosswalk.dev")
	annotated.Object.SetAnnotations(map[string]string{"theirs": "too"})
	for name, test := range map[string]struct {
		is   Side
		want bool
	}{
		"the same":             {with("a.crosswalk.dev", "b.crosswalk.dev"), true},
		"somebody else's, too": {with("a.crosswalk.dev", "x.example.com", "b.crosswalk.dev"), true},
		"another annotation":   {annotated, true},
		"one is missing":       {with("a.crosswalk.dev"), false},
		"one is over":          {with("a.crosswalk.dev", "b.crosswalk.dev", "c.crosswalk.dev"), false},
		"another order":        {with("b.crosswalk.dev", "a.crosswalk.dev"), false},
		"one says otherwise":   {otherwise, false},
		"none":                 {with(), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.is.Holds(with("a.crosswalk.dev", "b.crosswalk.dev")); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
	wanted := with("a.crosswalk.dev")
	wanted.Object.SetAnnotations(map[string]string{"ours": "yes"})
	if with("a.crosswalk.dev").Holds(wanted) {
		t.Error("an annotation is missing")
	}
}
