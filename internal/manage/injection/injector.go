package injection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/kubernetes"
	authenticationv1client "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// FieldManager owns the bundles that are written here, and nothing else.
const FieldManager = "crosswalk-injection"

// Options configure injection.
type Options struct {
	// Source provides Crosswalk's own bundle: the CABundle of its pair. The caller runs it.
	Source certs.Source
	// Keepers are the field managers with which Crosswalk writes its own bundle elsewhere.
	Keepers []string
	// Registry receives the metrics. By default there are none.
	Registry prometheus.Registerer
	// Logger receives what is written, and problems. The default discards them.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Injector is the reconciler of every kind.
type Injector struct {
	source  certs.Source
	cache   client.Reader // metadata
	live    client.Reader
	writer  client.Writer
	events  events.EventRecorder
	log     *slog.Logger
	now     func() time.Time
	metrics *metrics
	states  *states
	writes  *writes
	secrets *secrets
	keepers []string
	// identity returns who we are, and access what we may do.
	identity authenticationv1client.SelfSubjectReviewsGetter
	access   authorizationv1client.SelfSubjectAccessReviewsGetter
}

// SetupWithManager adds an Injector to a manager. It works on the leader only, if the manager
// elects one.
func SetupWithManager(mgr manager.Manager, o Options) (*Injector, error) {
	if o.Source == nil {
		return nil, errors.New("injection: Options.Source is nil")
	}
	client, err := kubernetes.NewForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return nil, fmt.Errorf("injection: %w", err)
	}
	i := newInjector(o, client)
	i.cache, i.live, i.writer = mgr.GetCache(), mgr.GetAPIReader(), mgr.GetClient()
	i.events = mgr.GetEventRecorder(FieldManager)
	c, err := controller.NewTyped(FieldManager, mgr, controller.TypedOptions[target]{Reconciler: i})
	if err != nil {
		return nil, fmt.Errorf("injection: %w", err)
	}
	return i, i.watch(c, mgr.GetCache())
}

func newInjector(o Options, client kubernetes.Interface) *Injector {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	m := newMetrics(o.Registry)
	return &Injector{
		source: o.Source, log: o.Logger, now: o.Now,
		metrics: m, states: newStates(m), writes: newWrites(o.Now),
		secrets: newSecrets(client.CoreV1(), o.Now), keepers: o.Keepers,
		identity: client.AuthenticationV1(), access: client.AuthorizationV1(),
	}
}

// own returns Crosswalk's bundle, after checking that it can be used: a bundle that cannot be
// read would disable every object that holds it.
func (i *Injector) own() (inject.Origin, error) {
	origin, err := i.readOwn()
	usable := 1.0
	if err != nil {
		usable = 0
	}
	i.metrics.usable.Set(usable)
	return origin, err
}

func (i *Injector) readOwn() (inject.Origin, error) {
	pair, err := i.source.Current()
	if err != nil {
		return inject.Origin{}, err
	}
	if len(pair.CABundle) == 0 {
		return inject.Origin{}, errors.New("the serving certificate comes without a CA bundle; give it one as ca.crt")
	}
	bundle, err := inject.ParseBundle(pair.CABundle)
	if err == nil {
		err = bundle.CheckTime(i.now())
	}
	if err != nil {
		return inject.Origin{}, fmt.Errorf("the CA bundle of the serving certificate is not injected: %w; fix ca.crt", err)
	}
	return inject.Origin{Bundle: bundle, Certificate: pair.Leaf()}, nil
}

// watchBundle calls enqueue for every object, at the start and whenever the source changes.
func (i *Injector) watchBundle(ctx context.Context, enqueue func(context.Context)) {
	for {
		changed := i.source.Changed()
		if _, err := i.own(); err != nil {
			i.log.Error("there is no CA bundle to inject; objects keep their bundles", "error", err)
		}
		enqueue(ctx)
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}
