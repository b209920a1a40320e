package policies

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// scene is a follower in a cluster that a test changes.
type scene struct {
	t      *testing.T
	client client.Client
	f      *Follower
	now    time.Time
	log    bytes.Buffer
	// told are the policies that are in force, kept those that lookups serve.
	told, kept []string
	times      int
	unsettled  map[string]bool
}

func (s *scene) Keep(policies ...*policy.Policy) { s.kept = idsOf(policies) }

func (s *scene) Settled(p *policy.Policy) bool { return !s.unsettled[p.Name()] }

func idsOf(policies []*policy.Policy) []string {
	var ids []string
	for _, p := range policies {
		ids = append(ids, fmt.Sprintf("%v %.4s", p, p.Fingerprint()))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func newScene(t *testing.T) *scene {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, client: fake.NewClientBuilder().WithScheme(scheme).Build(), now: time.Unix(1_700_000_000, 0), unsettled: map[string]bool{}}
	s.f = newFollower(s.client, Options{
		Lookups: s,
		Publish: func(inForce []*policy.Policy) error {
			s.told, s.times = nil, s.times+1
			for _, p := range inForce {
				s.told = append(s.told, p.String()+" "+p.Fingerprint()[:4])
			}
			return nil
		},
		Logger: slog.New(slog.NewTextHandler(&s.log, nil)),
		Now:    func() time.Time { return s.now },
	})
	return s
}

// put writes a policy, and gives what it is in force as.
func (s *scene) put(name, validations string) string {
	s.t.Helper()
	p := &v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: name}}
	spec := "{matchConstraints: {resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [bs]}]}, validations: [" + validations + "]}"
	if err := yaml.UnmarshalStrict([]byte(spec), &p.Spec); err != nil {
		s.t.Fatal(err)
	}
	if err := s.client.Create(s.t.Context(), p.DeepCopy()); err != nil {
		now := new(v1alpha1.ValidationPolicy)
		if err := s.client.Get(s.t.Context(), client.ObjectKey{Name: name}, now); err != nil {
			s.t.Fatal(err)
		}
		now.Spec = p.Spec
		if err := s.client.Update(s.t.Context(), now); err != nil {
			s.t.Fatal(err)
		}
	}
	s.look(name)
	compiled, _ := policy.Compile(p)
	return "ValidationPolicy " + name + " " + compiled.Fingerprint()[:4]
}

func (s *scene) look(name string) {
	s.t.Helper()
	if _, err := s.f.reconcileValidation(s.t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: name}}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) step() {
	s.t.Helper()
	if err := s.f.step(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) inForce(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.told, want) {
		s.t.Errorf("in force are %q, want %q", s.told, want)
	}
}

// TestFollower tells of policies as they come, change and go, first of all at once.
func TestFollower(t *testing.T) {
	s := newScene(t)
	if err := s.f.Check(); err == nil || err.Error() != "the policies of the cluster have not been read yet" {
		t.Error(err)
	}
	mutation := &v1alpha1.MutationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "b"}}
	if err := s.client.Create(t.Context(), mutation); err != nil {
		t.Fatal(err)
	}
	a := s.put("a", "{expression: 'true'}")
	s.step()
	if s.times != 0 || s.f.Check() == nil {
		t.Error("it told of some before it had read all")
	}
	if _, err := s.f.reconcileMutation(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: "b"}}); err != nil {
		t.Fatal(err)
	}
	s.step()
	compiled, _ := policy.CompileMutation(mutation)
	b := "MutationPolicy b " + compiled.Fingerprint()[:4]
	s.inForce(a, b)
	if err := s.f.Check(); err != nil {
		t.Error(err)
	}
	a = s.put("a", "{expression: 'false'}")
	s.inForce(a, b)
	if err := s.client.Delete(t.Context(), mutation); err != nil {
		t.Fatal(err)
	}
	if _, err := s.f.reconcileMutation(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: "b"}}); err != nil {
		t.Fatal(err)
	}
	s.inForce(a)
	if !slices.Equal(s.kept, []string{a}) {
		t.Errorf("lookups serve %q", s.kept)
	}
	times := s.times
	s.step()
	s.look("unheard-of")
	if s.times != times {
		t.Error("it tells where nothing has changed")
	}
}

// TestLastGoodStays where a change does not compile; without any, the policy fails
// as it says that it does.
func TestLastGoodStays(t *testing.T) {
	s := newScene(t)
	s.step()
	broken := s.put("a", "{expression: 'nonsense('}")
	s.inForce(broken)
	good := s.put("a", "{expression: 'true'}")
	s.inForce(good)
	s.put("a", "{expression: 'nonsense('}")
	s.inForce(good)
	better := s.put("a", "{expression: 'false'}")
	s.inForce(better)
	if n := strings.Count(s.log.String(), "does not compile; the last good form stays"); n != 1 {
		t.Errorf("logged %d times\n%s", n, s.log.String())
	}
	s.put("a", "{expression: 'nonsense('}")
	s.inForce(better)
	// The same good form again is one that has been mended.
	better = s.put("a", "{expression: 'false'}")
	s.inForce(better)
	if s.f.pending() {
		t.Error("it waits for nothing")
	}
}

// TestWaitsForLookups keeps the form before in force until what the new one looks
// up has been read, and does not wait for ever.
func TestWaitsForLookups(t *testing.T) {
	s := newScene(t)
	s.unsettled["a"] = true
	before := s.put("a", "{expression: 'true'}")
	s.step()
	s.inForce()
	if err := s.f.Check(); err == nil || err.Error() != "the objects that policies look up have not been read yet" {
		t.Error(err)
	}
	s.unsettled["a"] = false
	s.step()
	s.inForce(before)
	s.unsettled["a"] = true
	after := s.put("a", "{expression: 'false'}")
	s.inForce(before)
	if want := []string{before, after}; !slices.Equal(s.kept, want) && !slices.Equal(s.kept, []string{after, before}) {
		t.Errorf("lookups serve %q, want %q", s.kept, want)
	}
	s.step()
	s.inForce(before)
	s.now = s.now.Add(patience + time.Second)
	if err := s.f.Check(); err != nil {
		t.Error("readiness never ends:", err)
	}
	s.step()
	s.inForce(after)
}
