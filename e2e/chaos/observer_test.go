package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// observer sees every change of every CRD. Whenever one is armed anew, it asks at
// once what the API server would ask.
type observer struct {
	w       *world
	running sync.WaitGroup

	mu       sync.Mutex
	crds     map[string]*seen
	problems []string
	asked    int // questions that were answered
	excused  int // questions during an outage that the test made
	lapses   []lapse
}

// seen is a CRD as the observer saw it last.
type seen struct {
	uid   string
	armed *armed
	lapse time.Time // since when it is not armed, though it was
	by    string
}

// lapse is a time in which a CRD that had been armed was not.
type lapse struct {
	crd, by string
	length  time.Duration
}

func (l lapse) String() string {
	return fmt.Sprintf("%s was disarmed by %s for %s", l.crd, l.by, l.length.Round(time.Millisecond))
}

func newObserver(w *world) *observer { return &observer{w: w, crds: map[string]*seen{}} }

// run observes until ctx ends. The API server may go and come back.
func (o *observer) run(ctx context.Context) {
	defer o.running.Wait()
	for ctx.Err() == nil {
		watch, err := o.w.API().Watch(ctx, crdsPath+"?watch=true")
		if err != nil {
			pause(ctx, 20*time.Millisecond)
			continue
		}
		for {
			event, err := watch.Next()
			if err != nil {
				break
			}
			o.see(ctx, event)
		}
		watch.Close()
	}
}

func (o *observer) see(ctx context.Context, event harness.Event) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := json.Unmarshal(event.Object, crd); err != nil {
		o.complain("a CRD cannot be read: %v", err)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if event.Type == "DELETED" {
		delete(o.crds, crd.Name)
		return
	}
	was := o.crds[crd.Name]
	if was == nil || was.uid != string(crd.UID) {
		was = &seen{uid: string(crd.UID)}
		o.crds[crd.Name] = was
	}
	now := armedOf(crd)
	switch {
	case now == nil && was.armed != nil:
		was.lapse, was.by = time.Now(), disarmerOf(crd)
	case now != nil && !was.lapse.IsZero():
		o.lapses = append(o.lapses, lapse{crd.Name, was.by, time.Since(was.lapse)})
		was.lapse = time.Time{}
	}
	if now != nil && (was.armed == nil || !was.armed.same(*now)) {
		o.running.Go(func() { o.try(ctx, crd.Name, *now) })
	}
	was.armed = now
}

// try asks through the Service.
func (o *observer) try(ctx context.Context, crd string, a armed) {
	since := time.Now()
	err := a.ask(ctx, o.w.ServicePort)
	o.judge(ctx, err, since, fmt.Sprintf("%s is armed with %s, but the Service does not answer", crd, a.path))
}

// judge counts an answer, or complains of it.
func (o *observer) judge(ctx context.Context, err error, since time.Time, what string) {
	switch {
	case ctx.Err() != nil:
	case err == nil:
		o.mu.Lock()
		o.asked++
		o.mu.Unlock()
	case o.w.outages.touch(since):
		o.mu.Lock()
		o.excused++
		o.mu.Unlock()
	default:
		o.complain("%s: %v", what, err)
	}
}

func (o *observer) complain(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.problems = append(o.problems, time.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// armedNow are the CRDs that are armed, by name.
func (o *observer) armedNow() map[string]armed {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := map[string]armed{}
	for name, s := range o.crds {
		if s.armed != nil {
			now[name] = *s.armed
		}
	}
	return now
}

// report fails a test for what was seen since the last report.
func (o *observer) report(t testing.TB) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, problem := range o.problems {
		t.Error(problem)
	}
	o.problems = nil
}

// lapsesOf takes those of one CRD.
func (o *observer) lapsesOf(crd string) []lapse {
	o.mu.Lock()
	defer o.mu.Unlock()
	var its, others []lapse
	for _, l := range o.lapses {
		if l.crd == crd {
			its = append(its, l)
		} else {
			others = append(others, l)
		}
	}
	o.lapses = others
	return its
}

// armedOf is nil where a CRD does not ask Crosswalk.
func armedOf(crd *apiextensionsv1.CustomResourceDefinition) *armed {
	c := crd.Spec.Conversion
	if c == nil || c.Strategy != apiextensionsv1.WebhookConverter || c.Webhook == nil || c.Webhook.ClientConfig == nil {
		return nil
	}
	service := c.Webhook.ClientConfig.Service
	if service == nil || service.Namespace != harness.Namespace || service.Name != "crosswalk" {
		return nil
	}
	a := &armed{group: crd.Spec.Group, kind: crd.Spec.Names.Kind, bundle: string(c.Webhook.ClientConfig.CABundle)}
	if service.Path != nil {
		a.path = *service.Path
	}
	for _, v := range crd.Spec.Versions {
		a.versions = append(a.versions, v.Name)
	}
	return a
}

// disarmerOf names the field managers that own the strategy of a CRD, where that is
// None.
func disarmerOf(crd *apiextensionsv1.CustomResourceDefinition) string {
	if crd.Spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
		return "who asks another webhook"
	}
	var names []string
	for _, entry := range crd.ManagedFields {
		if entry.FieldsV1 != nil && strings.Contains(entry.FieldsV1.GetRawString(), `"f:strategy"`) {
			names = append(names, entry.Manager)
		}
	}
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

// pause reports whether it paused to the end.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
