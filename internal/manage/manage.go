package manage

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/arming"
	"github.com/crosswalk-dev/crosswalk/internal/manage/authority"
	"github.com/crosswalk-dev/crosswalk/internal/manage/injection"
	"github.com/crosswalk-dev/crosswalk/internal/manage/policies"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/registration"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Options configure the role.
type Options struct {
	// Service is the Service of serve, and Port its port.
	Service cluster.Service
	Port    int32
	// Replicas are the addresses, HOST:PORT, of serve's replicas, if the Service has no
	// EndpointSlices.
	Replicas []string
	// Certs has serve's certificate. The caller runs it. CertsSecret is the name of the Secret
	// that it comes from, or empty.
	Certs       certs.Source
	CertsSecret string
	// CertManagerCertificate is the name of the Certificate whose CA cainjector writes. It is
	// empty if cert-manager is not used.
	CertManagerCertificate string
	// Authority issues the certificate. It is nil if another issuer does.
	Authority *Authority
	// Compiler compiles the tables. It must be the same as in serve's replicas.
	Compiler cluster.Compiler
	// LeaderElection makes only one of several processes work.
	LeaderElection bool
	// Registry receives the metrics. It may be nil.
	Registry prometheus.Registerer
	// Logger receives every change that is made.
	Logger *slog.Logger
}

// Authority configures the built-in authority.
type Authority struct {
	// Secret holds the CA and its key.
	Secret string
	// Names are the DNS names of the Service.
	Names []string
	// Overlap is how long a new CA is in every bundle before it is used.
	Overlap time.Duration
}

// Manager runs all parts of the role.
type Manager struct {
	manager manager.Manager
	log     *slog.Logger
	synced  atomic.Bool
	rights  *ownRights
}

// New returns a manager of the cluster behind a connection. Nothing is read or written before
// [Manager.Run].
func New(connection *rest.Config, o Options) (*Manager, error) {
	options, err := cluster.ManagerOptions(o.Service.Namespace, o.Logger)
	if err != nil {
		return nil, err
	}
	options.LeaderElection = o.LeaderElection
	options.GracefulShutdownTimeout = new(5 * time.Second)
	options.LeaderElectionID = LeaseName
	options.LeaderElectionNamespace = o.Service.Namespace
	// The next leader need not wait until this one's Lease expires.
	options.LeaderElectionReleaseOnCancel = true
	options.Cache.ByObject[&discoveryv1.EndpointSlice{}] = cache.ByObject{
		Namespaces: map[string]cache.Config{o.Service.Namespace: {}},
		Label:      labels.SelectorFromSet(labels.Set{discoveryv1.LabelServiceName: o.Service.Name}),
	}
	// Injection reads the managedFields of the objects that it watches.
	options.Cache.DefaultTransform = nil
	mgr, err := manager.New(connection, options)
	if err != nil {
		return nil, err
	}
	client, err := authorizationv1client.NewForConfigAndClient(connection, mgr.GetHTTPClient())
	if err != nil {
		return nil, err
	}
	own := &ownRights{client: client, log: o.Logger, changed: make(chan struct{})}
	own.toKnow, own.toAct = o.needed()
	m := &Manager{manager: mgr, log: o.Logger, rights: own}
	if err := errors.Join(mgr.Add(synced{m}), mgr.Add(own)); err != nil {
		return nil, err
	}
	if o.Registry != nil {
		if err := watchStatuses(mgr, own, o.Registry); err != nil {
			return nil, err
		}
	}
	serve := &reach.Serve{
		Service: o.Service, Port: o.Port, Replicas: o.Replicas, Certs: o.Certs, CertManagerCertificate: o.CertManagerCertificate,
		Live: mgr.GetAPIReader(), Cached: mgr.GetClient(), Now: time.Now,
	}
	events := mgr.GetEventRecorder("crosswalk-manage")
	var renewable *reach.State
	if o.Authority != nil {
		renewable = new(reach.State)
	}
	err = errors.Join(
		arming.Setup(mgr, arming.Options{
			Serve: serve, Rights: own, Authority: renewable, Compiler: o.Compiler, Events: events, Logger: o.Logger,
			HubPolicies: func(ctx context.Context, crd string) ([]string, error) {
				return policies.ForHub(ctx, mgr.GetAPIReader(), crd)
			},
		}),
		registration.Setup(mgr, registration.Options{Serve: serve, Rights: own, Events: events, Logger: o.Logger}),
		policies.Setup(mgr, policies.Options{Serve: serve, Rights: own, Events: events, Logger: o.Logger}),
		mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { return serve.Follow(ctx, registration.Probe) })),
	)
	if err != nil {
		return nil, err
	}
	injector, err := injection.SetupWithManager(mgr, injection.Options{
		Source: o.Certs, Keepers: []string{arming.FieldManager, webhooks.FieldManager}, Registry: o.Registry, Logger: o.Logger,
	})
	if err != nil || o.Authority == nil {
		return m, err
	}
	return m, authority.Setup(mgr, authority.Options{
		Namespace:     o.Service.Namespace,
		Secret:        o.Authority.Secret,
		ServingSecret: o.CertsSecret,
		Names:         o.Authority.Names,
		Overlap:       o.Authority.Overlap,
		Injected: func(ctx context.Context, bundle []byte) error {
			return errors.Join(
				arming.Injected(ctx, mgr.GetAPIReader(), o.Service, bundle),
				webhooks.Injected(ctx, mgr.GetAPIReader(), bundle, webhookConfigurations()...),
				injector.Injected(ctx, bundle),
			)
		},
		State:    renewable,
		Events:   events,
		Registry: o.Registry,
		Logger:   o.Logger,
	})
}

// Run works until ctx is done. It does not wait long for what is still running: every write is
// complete in itself, and the next process continues.
func (m *Manager) Run(ctx context.Context) error {
	err := m.manager.Start(ctx)
	if err != nil && ctx.Err() != nil {
		m.log.Warn("ended in the middle of something", "error", err)
		return nil
	}
	return err
}

// LeaseName is the name of the Lease of the leader.
const LeaseName = "crosswalk-manage"

// webhookConfigurations returns the names of the configurations that the role writes.
func webhookConfigurations() []webhooks.Names {
	return []webhooks.Names{registration.Names(), policies.Names()}
}

// CheckRights is a readiness check: it fails if the process lacks a right, and names it.
func (m *Manager) CheckRights() error { return m.rights.check() }

// Check is a readiness check: it fails until the cluster has been read.
func (m *Manager) Check() error {
	if !m.synced.Load() {
		return errors.New("the cluster has not been read yet")
	}
	return nil
}

// synced notices when the caches are filled, on the leader and on others.
type synced struct{ m *Manager }

func (s synced) Start(context.Context) error {
	s.m.synced.Store(true)
	return nil
}

func (synced) NeedLeaderElection() bool { return false }
