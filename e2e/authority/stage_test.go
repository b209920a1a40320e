package authority

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	stages "github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/injection"
)

// stage is a control plane with an Injector that has the rights of crosswalk
// manage, and a source whose bundle the tests decide on.
type stage struct {
	plane    *harness.ControlPlane
	api      *harness.API
	source   *given
	injector *injection.Injector
}

func newStage(t *testing.T, plane *harness.ControlPlane) *stage {
	s := &stage{plane: plane, source: &given{bundle: newCA(t), certificate: stages.Pair(t).Certificate, changed: make(chan struct{})}}
	var err error
	if s.api, err = s.plane.API(); err != nil {
		t.Fatal(err)
	}
	s.startInjector(t, s.asManage(within(t, time.Minute), t))
	return s
}

// injectionRights are what lets manage write into what is not Crosswalk's.
func injectionRights(t *testing.T) string {
	return filepath.Join(stages.Programs(t).Root, "deploy", "components", "injection", "rbac.yaml")
}

// asManage returns credentials of crosswalk manage's ServiceAccount, with the rights
// and limits of deploy/base and the right to inject.
func (s *stage) asManage(ctx context.Context, t *testing.T) *rest.Config {
	base := filepath.Join(stages.Programs(t).Root, "deploy", "base")
	for _, file := range []string{"namespace.yaml", "manage-rbac.yaml", "manage-limits.yaml"} {
		if _, err := s.plane.Kubectl(ctx, "apply", "-f", filepath.Join(base, file)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.plane.Kubectl(ctx, "apply", "-f", injectionRights(t)); err != nil {
		t.Fatal(err)
	}
	answer, err := s.api.Do(ctx, http.MethodPost, "/api/v1/namespaces/crosswalk-system/serviceaccounts/crosswalk-manage/token",
		harness.JSONType, []byte(`{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	var request struct{ Status struct{ Token string } }
	if err := json.Unmarshal(answer, &request); err != nil {
		t.Fatal(err)
	}
	return &rest.Config{
		Host: s.plane.Server, BearerToken: request.Status.Token,
		TLSClientConfig: rest.TLSClientConfig{CAFile: s.plane.CA}, QPS: -1,
	}
}

// arming is the field manager by which Crosswalk keeps its bundle in CRDs.
const arming = "crosswalk-arming"

func (s *stage) startInjector(t *testing.T, config *rest.Config) {
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	options, err := cluster.ManagerOptions("crosswalk-system", log)
	if err != nil {
		t.Fatal(err)
	}
	mgr, err := manager.New(config, options)
	if err != nil {
		t.Fatal(err)
	}
	s.injector, err = injection.SetupWithManager(mgr, injection.Options{
		Source: s.source, Keepers: []string{arming}, Registry: prometheus.NewRegistry(), Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// given is a source that a test decides on.
type given struct {
	mu          sync.Mutex
	bundle      []byte
	certificate *tls.Certificate
	changed     chan struct{}
	asked       int
}

func (g *given) Current() (*certs.Pair, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	return &certs.Pair{Certificate: g.certificate, CABundle: g.bundle}, nil
}

func (g *given) Changed() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.changed
}

func (g *given) Run(context.Context) error { return nil }

func (g *given) set(bundle []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bundle = bundle
	close(g.changed)
	g.changed = make(chan struct{})
}

func (g *given) get() []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bundle
}

// looks counts how often the bundle was asked for: once for each look at an
// object that wants it.
func (g *given) looks() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.asked
}

// newCA makes the certificate of a CA.
func newCA(t *testing.T) []byte {
	t.Helper()
	return stages.Pair(t).CABundle
}

// eventually asks until the answer is empty.
func eventually(t *testing.T, ask func() string) {
	t.Helper()
	const limit = 30 * time.Second
	began, last := time.Now(), ask()
	for last != "" && time.Since(began) < limit {
		time.Sleep(20 * time.Millisecond)
		last = ask()
	}
	if last != "" {
		t.Fatalf("after %s: %s", limit, last)
	}
}
