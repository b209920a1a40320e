package policies

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster/schemas"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
	rooms "github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// replica replaces serve. It knows policies by path, with their fingerprints, once
// it has been told of them.
type replica struct {
	address string
	mu      sync.Mutex
	knows   map[string]string
	asked   []string
	// lacks are the rights that it lacks for a path, where it knows that of all.
	lacks   map[string]string
	ignores bool // which it lacks
}

func (r *replica) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	review := new(admissionv1.AdmissionReview)
	if err := json.NewDecoder(request.Body).Decode(review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.asked = append(r.asked, request.URL.Path)
	if want := request.URL.Query().Get("fingerprint"); want != "" && r.knows[request.URL.Path] != want {
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = json.NewEncoder(w).Encode(metav1.Status{Message: "not loaded yet"})
		return
	}
	answer := &admissionv1.AdmissionResponse{UID: review.Request.UID}
	if !r.ignores {
		answer.AuditAnnotations = map[string]string{rooms.LacksAnnotation: r.lacks[request.URL.Path]}
	}
	_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: answer})
}

// stage is a reconciler, a replica and a cluster.
type stage struct {
	*reconciler
	t       *testing.T
	client  client.WithWatch
	replica *replica
	serving *rehearsal.Switched
	rights  rehearsal.Rights
	// source is nil where nobody looks at schemas.
	source  *schemas.Source
	clock   time.Time
	written int
	// refuse gives the answer to a write of a configuration.
	refuse func(configuration client.Object, patch []byte) error
}

func newStage(t *testing.T, objects ...client.Object) *stage {
	t.Helper()
	s := &stage{t: t, replica: &replica{knows: map[string]string{}, lacks: map[string]string{}}, clock: time.Now(), serving: &rehearsal.Switched{Pair: rehearsal.Pair(t)}}
	s.replica.address = rehearsal.Listen(t, *s.serving.Pair.Certificate, s.replica)
	s.client = rehearsal.Cluster(t, s.replica.address, objects...).
		WithStatusSubresource(new(v1alpha1.ValidationPolicy), new(v1alpha1.MutationPolicy)).
		WithInterceptorFuncs(interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
				return s.write(o, nil, func() error { return c.Create(ctx, o, opts...) })
			},
			Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
				data, _ := p.Data(o)
				return s.write(o, data, func() error { return c.Patch(ctx, o, p, opts...) })
			},
		}).Build()
	s.start()
	return s
}

func (s *stage) write(o client.Object, patch []byte, do func() error) error {
	if o.GetName() != Name {
		return do()
	}
	if s.refuse != nil {
		if patch == nil {
			patch, _ = json.Marshal(o)
		}
		if err := s.refuse(o, patch); err != nil {
			return err
		}
	}
	s.written++
	return do()
}

// start begins as a new leader does.
func (s *stage) start() {
	now := func() time.Time { return s.clock }
	serve := rehearsal.Serve(s.t, s.replica.address, s.serving, s.client, now)
	s.reconciler = newReconciler(Options{Serve: serve, Rights: &s.rights, Events: events.NewFakeRecorder(1000), Logger: slog.New(slog.DiscardHandler), Now: now}, s.client, s.client, s.client, s.source)
}

var uids int

// validation is a policy about CronTabs, with a rule and what else is given.
func validation(t *testing.T, name, more string) *v1alpha1.ValidationPolicy {
	t.Helper()
	p := &v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1}}
	if !strings.Contains(more, "matchConstraints:") {
		more += "\nmatchConstraints: {resourceRules: [" + crontabs + "]}"
	}
	if !strings.Contains(more, "validations:") {
		more += "\nvalidations: [{expression: 'true'}]"
	}
	if err := yaml.UnmarshalStrict([]byte(more), &p.Spec); err != nil {
		t.Fatal(err)
	}
	return p
}

func mutation(t *testing.T, name string) *v1alpha1.MutationPolicy {
	t.Helper()
	p := &v1alpha1.MutationPolicy{ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1}}
	text := "matchConstraints: {resourceRules: [" + crontabs + "]}\nmutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]"
	if err := yaml.UnmarshalStrict([]byte(text), &p.Spec); err != nil {
		t.Fatal(err)
	}
	return p
}

// put writes a policy as a user does, and learn tells the replica of it.
func (s *stage) put(p client.Object) {
	s.t.Helper()
	now := p.DeepCopyObject().(client.Object)
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: p.GetName()}, now); err != nil {
		uids++
		p.SetUID(types.UID(fmt.Sprint(uids)))
		if err := s.client.Create(s.t.Context(), p); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	p.SetUID(now.GetUID())
	p.SetResourceVersion(now.GetResourceVersion())
	p.SetGeneration(now.GetGeneration() + 1)
	if err := s.client.Update(s.t.Context(), p); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) learn(all ...client.Object) {
	s.replica.mu.Lock()
	defer s.replica.mu.Unlock()
	for _, o := range all {
		switch p := o.(type) {
		case *v1alpha1.ValidationPolicy:
			compiled, _ := policy.Compile(p)
			s.replica.knows[ValidatePath+"/"+p.Name] = compiled.Fingerprint()
		case *v1alpha1.MutationPolicy:
			compiled, _ := policy.CompileMutation(p)
			s.replica.knows[MutatePath+"/"+p.Name] = compiled.Fingerprint()
		}
	}
}

func (s *stage) pass() time.Duration {
	s.t.Helper()
	result, err := s.Reconcile(s.t.Context(), everything())
	if err != nil {
		s.t.Fatal(err)
	}
	if s.source == nil {
		s.findEverything()
	}
	return result.RequeueAfter
}

// findEverything takes everything that policies name as found, as a round without a verdict
// would.
func (s *stage) findEverything() {
	s.fits.lock.Lock()
	defer s.fits.lock.Unlock()
	for _, object := range s.fits.wanted {
		s.fits.known[object.GetUID()] = &fit{generation: object.GetGeneration(), used: new(schemas.Used)}
	}
}

// later lets the API servers hear of what was written, and makes a pass.
func (s *stage) later() time.Duration {
	s.t.Helper()
	s.clock = s.clock.Add(2 * webhooks.Settling)
	return s.pass()
}

// wantAsked compares what the API server is told, as "PATH failurePolicy": mutations
// first.
func (s *stage) wantAsked(want ...string) {
	s.t.Helper()
	sides, err := webhooks.Read(s.t.Context(), s.client, Names())
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for i, side := range sides {
		for _, w := range side.Webhooks {
			asked := namesIn(w.Client, paths()[i])
			names := strings.Join(asked, "/")
			how := ""
			if isByItself(w.Client) {
				how = " by itself"
			}
			got = append(got, fmt.Sprintf("%s %s", names, registered(webhooks.Side{Object: side.Object, Webhooks: []webhooks.Webhook{w}})[asked[0]].FailurePolicy)+how)
		}
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("the API server asks about %q, want %q", got, want)
	}
}

// wantSaid compares a condition of a policy that validates.
func (s *stage) wantStatus(name, condition, want string) {
	s.t.Helper()
	p := new(v1alpha1.ValidationPolicy)
	if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: name}, p); err != nil {
		s.t.Fatal(err)
	}
	got := ""
	if c := meta.FindStatusCondition(p.Status.Conditions, condition); c != nil {
		got = fmt.Sprintf("%d %s %s: %s", c.ObservedGeneration, c.Status, c.Reason, c.Message)
	}
	if ready := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady); ready != nil && ready.ObservedGeneration != p.Status.ObservedGeneration {
		s.t.Errorf("%s says Ready of generation %d, and has observed %d", name, ready.ObservedGeneration, p.Status.ObservedGeneration)
	}
	if got != want {
		s.t.Errorf("%s says\n%s\nwant\n%s", name, got, want)
	}
}
