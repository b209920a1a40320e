package policies

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
)

// publisher publishes a schema of CronTabs whose spec has one field.
type publisher struct {
	mu    sync.Mutex
	field string // empty is no answer at all
	// resources are those besides crontabs, as JSON.
	resources string
	asked     int  // for the schema
	slow      bool // keeps whoever asks for the schema waiting
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case p.field == "":
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path == "/openapi/v3":
		fmt.Fprintf(w, `{"paths":{"apis/stable.example.com/v1":{"serverRelativeURL":"/schema?hash=%s"}}}`, p.field)
	case r.URL.Path == "/apis/stable.example.com/v1":
		fmt.Fprintf(w, `{"resources":[%s]}`, strings.TrimSuffix(`{"name":"crontabs","kind":"CronTab"},`+p.resources, ","))
	case r.URL.Path == "/schema" && p.slow:
		p.mu.Unlock()
		<-r.Context().Done()
		p.mu.Lock()
	case r.URL.Path == "/schema" && r.URL.Query().Get("hash") == p.field:
		p.asked++
		fmt.Fprintf(w, `{"components":{"schemas":{"CronTab":{"type":"object","properties":{"spec":{"type":"object","properties":{"%s":{"type":"string"}}}},`+
			`"x-kubernetes-group-version-kind":[{"group":"stable.example.com","version":"v1","kind":"CronTab"}]}}}}`, p.field)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (p *publisher) publish(field string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.field = field
}

// newSchemaStage is a stage in a cluster that publishes schemas.
func newSchemaStage(t *testing.T) (*stage, *publisher) {
	t.Helper()
	s, p := newStage(t), &publisher{field: "host"}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	var err error
	s.source, err = schemas.New(&rest.Config{Host: server.URL}, func(context.Context, string) (string, error) { return "", errors.New("asked for a hub") })
	if err != nil {
		t.Fatal(err)
	}
	s.start()
	return s, p
}

const (
	misfits = "%d False Misfits: spec.validations[0].expression: undefined field 'host' at 1:12, for CronTab stable.example.com/v1; if it is intended, put it in dyn()"
	fitting = "%d True Fits: every expression fits the schema of CronTab stable.example.com/v1"
)

// The status says how a policy fits the schemas as they are, whichever of the two
// changes.
func TestFits(t *testing.T) {
	s, published := newSchemaStage(t)
	round := func() { s.pass(); s.fits.round(t.Context(), fitsTime); s.pass() }
	says := func(name, want string) {
		t.Helper()
		s.wantStatus(name, v1alpha1.ConditionFitsSchemas, want)
	}
	s.put(validation(t, "hosts", "validations: [{expression: object.spec.host != ''}]"))
	s.put(validation(t, "all", "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}"))
	s.put(validation(t, "broken", "validations: [{expression: object.spec.host}]"))
	s.pass()
	says("hosts", "")
	round()
	says("hosts", fmt.Sprintf(fitting, 1))
	says("all", "1 Unknown UnknownKinds: the rules name no group and resource with a known schema")
	says("broken", "")
	for range 3 {
		round()
	}
	if published.asked != 1 {
		t.Errorf("the schema was read %d times", published.asked)
	}
	published.publish("hostname")
	round()
	says("hosts", fmt.Sprintf(misfits, 1))
	s.put(validation(t, "hosts", "validations: [{expression: object.spec.hostname != ''}]"))
	s.pass()
	says("hosts", fmt.Sprintf(misfits, 1)) // of the generation before
	round()
	says("hosts", fmt.Sprintf(fitting, 2))
	published.publish("")
	round()
	p := new(v1alpha1.ValidationPolicy)
	if err := s.client.Get(t.Context(), client.ObjectKey{Name: "hosts"}, p); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(p.Status.Conditions); !strings.Contains(text, "UnknownSchemas the schemas of the cluster cannot be read: reading /openapi/v3: ") {
		t.Errorf("got %s", text)
	}
	published.publish("hostname")
	round()
	says("hosts", fmt.Sprintf(fitting, 2))
	// What does not compile says that, and nothing of schemas.
	s.put(validation(t, "hosts", "validations: [{expression: object.spec.hostname}]"))
	round()
	says("hosts", "")
}

// What there is no time for stays as it was, and is looked at later.
func TestFitsSlowly(t *testing.T) {
	s, published := newSchemaStage(t)
	round := func(limit time.Duration) { s.pass(); s.fits.round(t.Context(), limit); s.pass() }
	s.put(validation(t, "hosts", "validations: [{expression: object.spec.host != ''}]"))
	round(fitsTime)
	published.slow = true
	published.publish("hostname")
	round(200 * time.Millisecond)
	s.wantStatus("hosts", v1alpha1.ConditionFitsSchemas, fmt.Sprintf(fitting, 1))
	published.slow = false
	round(fitsTime)
	s.wantStatus("hosts", v1alpha1.ConditionFitsSchemas, fmt.Sprintf(misfits, 1))
}

// A policy that has changed is looked at, and a pass asked for, without anybody waiting.
func TestFitsSoon(t *testing.T) {
	s, _ := newSchemaStage(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.fits.run(ctx) }()
	s.put(mutation(t, "defaults"))
	s.pass()
	<-s.passes
	s.pass()
	m := new(v1alpha1.MutationPolicy)
	if err := s.client.Get(t.Context(), client.ObjectKey{Name: "defaults"}, m); err != nil || !strings.Contains(fmt.Sprint(m.Status.Conditions), "every expression fits the schema") {
		t.Errorf("got %v, %v", m.Status, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestMissing tests that a policy for a resource that does not exist is not ready, as long as
// that is so, and that nothing is ready before that is known.
func TestMissing(t *testing.T) {
	s, published := newSchemaStage(t)
	round := func() { s.fits.round(t.Context(), fitsTime); s.later() }
	says := func(want string) {
		t.Helper()
		s.wantStatus("teams", v1alpha1.ConditionReady, want)
	}
	rule := "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: ['*'], resources: [%s]}]}"
	const missing = "1 False NoSuchResource: spec.matchConstraints.resourceRules[0].resources[1]: there is no resource teams in stable.example.com"
	teams := validation(t, "teams", fmt.Sprintf(rule, "crontabs, teams"))
	s.put(teams)
	s.learn(teams)
	s.pass()
	s.later()
	says("1 False Settling: looking for the resources and kinds that the policy names")
	round()
	says(missing)
	s.wantAsked("teams Fail")
	if pause := s.fits.pause(); pause != lacksFor {
		t.Errorf("the next round is after %v", pause)
	}
	published.resources = `{"name":"teams","kind":"Team"}`
	published.publish("hostname")
	round()
	says("1 True Registered: the API server calls the Service crosswalk-system/crosswalk for every write that the policy matches")
	if pause := s.fits.pause(); pause != fitsFor {
		t.Errorf("the next round is after %v", pause)
	}
	published.resources = ""
	published.publish("host")
	round()
	says(missing)
	published.publish("") // nobody knows
	round()
	says(missing)
}
