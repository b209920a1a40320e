package authority

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	stages "github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/authority"
)

const (
	namespace  = "crosswalk-system"
	serverName = "crosswalk.crosswalk-system.svc"
	overlap    = 2 * time.Second
)

// roles are what the two users may do: what a name can restrict is restricted.
const roles = `
apiVersion: v1
kind: Namespace
metadata: {name: crosswalk-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: manage, namespace: crosswalk-system}
rules:
- {apiGroups: [""], resources: [secrets], resourceNames: [crosswalk-authority, crosswalk-serving], verbs: [get, list, watch, update]}
- {apiGroups: [""], resources: [secrets], verbs: [create]}
- {apiGroups: [events.k8s.io], resources: [events], verbs: [create, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: serve, namespace: crosswalk-system}
rules:
- {apiGroups: [""], resources: [secrets], resourceNames: [crosswalk-serving], verbs: [get, list, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: manage, namespace: crosswalk-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: manage}
subjects: [{kind: User, name: manage, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: serve, namespace: crosswalk-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: serve}
subjects: [{kind: User, name: serve, apiGroup: rbac.authorization.k8s.io}]
`

// scene is an API server with a source that reads, as serve does, and managers
// that write.
type scene struct {
	t            *testing.T
	controlPlane *harness.ControlPlane
	admin        corev1client.SecretInterface
	source       *certs.Secret
	log          *log

	mu   sync.Mutex
	held []byte // the caBundle of the only object that should have one
	open bool   // whether the gate says so
}

// refused is what manage asks for before the owner of a Secret has consented.
var refused = []string{
	"system:serviceaccount:crosswalk-system:crosswalk-manage list kube-system/secrets",
	"system:serviceaccount:crosswalk-system:crosswalk-manage watch kube-system/secrets",
}

// startControlPlane starts one that ends with the test.
func startControlPlane(t *testing.T) *harness.ControlPlane {
	t.Helper()
	plane, err := harness.StartControlPlane(within(t, 2*time.Minute), stages.Programs(t), t.TempDir(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(plane.Stop(), plane.Refused("", refused...)); err != nil {
			t.Error(err)
		}
	})
	return plane
}

func start(t *testing.T, plane *harness.ControlPlane) *scene {
	t.Helper()
	s := &scene{t: t, log: &log{}, controlPlane: plane}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the log:\n%s", s.log)
		}
	})
	if _, err := s.controlPlane.KubectlWith(within(t, time.Minute), roles, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	s.admin = s.secrets("").Secrets(namespace)
	return s
}

// connect is the connection of a user, or of the administrator.
func (s *scene) connect(user string) *rest.Config {
	s.t.Helper()
	config, err := cluster.Connect(s.controlPlane.Kubeconfig, "e2e")
	if err != nil {
		s.t.Fatal(err)
	}
	config.Impersonate.UserName = user
	return config
}

func (s *scene) secrets(user string) *corev1client.CoreV1Client {
	s.t.Helper()
	client, err := corev1client.NewForConfig(s.connect(user))
	if err != nil {
		s.t.Fatal(err)
	}
	return client
}

// serve starts the source.
func (s *scene) serve() {
	s.source = certs.NewSecret(certs.SecretOptions{
		Client: s.secrets("serve"), Namespace: namespace, Name: "crosswalk-serving",
		Logger: slog.New(slog.NewTextHandler(s.log, nil)).With("role", "serve"),
	})
	s.background(s.source.Run)
}

// manage starts managers that know nothing of each other: without leader
// election they are at it at once.
func (s *scene) manage(count int) (stop func()) {
	s.t.Helper()
	var stops []func()
	for n := range count {
		log := slog.New(slog.NewTextHandler(s.log, nil)).With("role", "manage", "number", n)
		options, err := cluster.ManagerOptions(namespace, log)
		if err != nil {
			s.t.Fatal(err)
		}
		mgr, err := manager.New(s.connect("manage"), options)
		if err != nil {
			s.t.Fatal(err)
		}
		err = authority.Setup(mgr, authority.Options{
			Namespace: namespace, Names: certs.ServiceNames("crosswalk", namespace), Overlap: overlap,
			Injected: s.injected, Events: mgr.GetEventRecorder("crosswalk-manage"), Logger: log,
		})
		if err != nil {
			s.t.Fatal(err)
		}
		stops = append(stops, s.background(mgr.Start))
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

// background runs something until it is stopped, at the latest when the test
// ends.
func (s *scene) background(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := run(ctx); err != nil {
			s.t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	s.t.Cleanup(stop)
	return stop
}

// injected is the managers' gate.
func (s *scene) injected(_ context.Context, bundle []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open || !bytes.Equal(s.held, bundle) {
		return errors.New("the only object does not hold the bundle")
	}
	return nil
}

// inject puts the published bundle into the only object.
func (s *scene) inject() {
	s.t.Helper()
	pair := s.pair()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held, s.open = pair.CABundle, true
}

func (s *scene) pair() *certs.Pair {
	s.t.Helper()
	pair, err := s.source.Current()
	if err != nil {
		s.t.Fatal(err)
	}
	return pair
}

// until waits until the source's pair is as it should be.
func (s *scene) until(what string, ok func(*certs.Pair) bool) *certs.Pair {
	s.t.Helper()
	timeout := time.After(time.Minute)
	for {
		changed := s.source.Changed()
		if pair, err := s.source.Current(); err == nil && ok(pair) {
			return pair
		}
		select {
		case <-changed:
		case <-timeout:
			s.t.Fatalf("waited for a minute until %s", what)
		}
	}
}

func (s *scene) get(name string) *corev1.Secret {
	s.t.Helper()
	secret, err := s.admin.Get(within(s.t, time.Minute), name, metav1.GetOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

func (s *scene) kubectl(args ...string) {
	s.t.Helper()
	if _, err := s.controlPlane.Kubectl(within(s.t, time.Minute), append([]string{"-n", namespace}, args...)...); err != nil {
		s.t.Fatal(err)
	}
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// log is a buffer that many write to.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// issuer is the CA of a bundle that holds one only.
func issuer(t *testing.T, pair *certs.Pair) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(pair.CABundle)
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
