package policy

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// hung is a cluster that answers nobody.
type hung struct{}

func (hung) wait(ctx context.Context) error {
	<-ctx.Done()
	return fmt.Errorf("Get \"https://10.0.0.1/\": %w", ctx.Err())
}

func (hung) Namespaced(context.Context, schema.GroupVersionKind) (bool, error) { return true, nil }

func (h hung) Get(ctx context.Context, _ schema.GroupVersionKind, _, _ string) (*unstructured.Unstructured, error) {
	return nil, h.wait(ctx)
}

func (h hung) List(ctx context.Context, _ schema.GroupVersionKind, _ string, _ labels.Selector) ([]*unstructured.Unstructured, error) {
	return nil, h.wait(ctx)
}

func (h hung) Namespace(ctx context.Context, _ string) (*corev1.Namespace, error) {
	return nil, h.wait(ctx)
}

func (h hung) Authorize(ctx context.Context, _ authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionNoOpinion, "", h.wait(ctx)
}

// What the API server does not answer in time is a failure of the policy that needs it.
// All reads of a request have one limit, and all other policies are still heard.
func TestReadsHaveOneLimit(t *testing.T) {
	const late = "the API server has not answered within 3s"
	cluster := Cluster{Live: hung{}, Objects: NewGiven(), Namespaces: hung{}, Authorizer: hung{}}
	lookups := "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host, live: true}, {name: b, apiVersion: v1, kind: ConfigMap, selector: {}, live: true}]\n"
	rules := "validations: [{expression: lookups.a != null}, {expression: size(lookups.b) > 0}]\n"
	for _, test := range []struct {
		name, spec string
		waits      time.Duration // of the API server
		took       time.Duration
		want       []string
	}{
		{"lookups", lookups + rules, 10 * time.Second, ReadTime, []string{"the lookup a: ConfigMap x in namespace default: " + late, "the lookup b: ConfigMap in namespace default: " + late}},
		{"no limit of the caller", lookups + rules, 0, ReadTime, []string{late, late}},
		{"a caller without much time", lookups + rules, 2 * time.Second, 1600 * time.Millisecond, []string{"has not answered within 1.6s", "has not answered within 1.6s"}},
		{"ignored", lookups + rules + "failurePolicy: Ignore\n", 10 * time.Second, ReadTime, nil},
		{"not needed", lookups + "validations: [{expression: object != null || lookups.a != null}]", 10 * time.Second, 0, nil},
		{"a namespace", "validations: [{expression: has(namespaceObject.metadata)}]", 10 * time.Second, ReadTime, []string{"namespace default: " + late}},
		{"an authorizer", "validations: [{expression: \"authorizer.path('/a').check('get').errored()\"}, {expression: \"!authorizer.path('/a').check('get').error().contains('within 3s')\", message: it says}]",
			10 * time.Second, ReadTime, []string{"it says"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			slow, other := compiled(t, test.spec), compiled(t, "validations: [{expression: object.spec.host == 'y', message: is heard}]")
			other.name = "other"
			synctest.Test(t, func(t *testing.T) {
				ctx := validation.WithKnownCaller(t.Context())
				if test.waits > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, test.waits)
					defer stop()
				}
				start := time.Now()
				verdict, err := Validations(cluster, slow, other).Review(ctx, request(t, admissionv1.Create, "spec: {host: x}", ""))
				if err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != test.took {
					t.Errorf("took %v, want %v", took, test.took)
				}
				if len(verdict.Causes) != len(test.want)+1 {
					t.Fatalf("got %s", told(verdict))
				}
				for i, want := range append(test.want, "is heard") {
					if got := verdict.Causes[i].Message; !strings.Contains(got, want) {
						t.Errorf("got %s, want %s", got, want)
					}
				}
			})
		})
	}
}

// slow answers after a while, and knows how many wait for it.
type slow struct {
	hung
	waiting, most atomic.Int32
}

func (s *slow) Get(ctx context.Context, kind schema.GroupVersionKind, _, name string) (*unstructured.Unstructured, error) {
	now := s.waiting.Add(1)
	defer s.waiting.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); {
		most = s.most.Load()
	}
	select {
	case <-time.After(1100 * time.Millisecond):
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: kind.Kind}, name)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Not everybody at once holds what is read live. Who waits for his turn waits no longer
// than for a read.
func TestLiveReadsHaveTurns(t *testing.T) {
	p := compiled(t, "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.host, live: true}]\nvalidations: [{expression: lookups.a == null}]\n")
	r := request(t, admissionv1.Create, "spec: {host: x}", "")
	synctest.Test(t, func(t *testing.T) {
		live := new(slow)
		set := NewValidationSet(Cluster{Live: live}, nil)
		if err := set.Replace(p); err != nil {
			t.Fatal(err)
		}
		var passed, late atomic.Int32
		var all sync.WaitGroup
		for range 4 * mostLive {
			all.Go(func() {
				switch got := causes(review(t, set, r)); {
				case got == "":
					passed.Add(1)
				case strings.Contains(got, "the lookup a: 32 other requests are reading from the API server: the API server has not answered within 3s"):
					late.Add(1)
				case !strings.HasSuffix(got, "has not answered within 3s"): // in its turn, which came too late
					t.Error(got)
				}
			})
		}
		all.Wait()
		if live.most.Load() != mostLive || passed.Load() != 2*mostLive || late.Load() == 0 {
			t.Errorf("%d at once, %d passed, %d were late", live.most.Load(), passed.Load(), late.Load())
		}
		if got := causes(review(t, set, r)); got != "" {
			t.Errorf("later: %s", got)
		}
	})
}
