package authority

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

const (
	// interval is how often the Secrets are looked at if they do not change, for what becomes
	// due with time.
	interval = time.Minute
	// rotating is how often they are looked at during a rotation, which waits for bundles in
	// other objects.
	rotating = 5 * time.Second
)

// Options configure the authority.
type Options struct {
	// Namespace is the namespace of both Secrets.
	Namespace string
	// Secret holds the CA and its key. The default is crosswalk-authority.
	//
	// Its annotation crosswalk.dev/rotate asks for a rotation: see the package
	// certs.
	Secret string
	// ServingSecret holds tls.crt, tls.key and, as ca.crt, the bundle to inject.
	// The default is crosswalk-serving.
	ServingSecret string
	// Names are the names of the serving certificate. See [certs.ServiceNames].
	Names []string
	// Overlap is how long every bundle must have held a new CA before it signs: as long as the
	// slowest API server needs to see a changed caBundle.
	Overlap time.Duration
	// Injected returns nil once every caBundle that holds a part of the bundle holds all of it,
	// and otherwise an error that names one that does not. It is called during a rotation only.
	// If it is nil, the overlap alone decides.
	Injected func(ctx context.Context, bundle []byte) error
	// State is set to whether the serving certificate can be renewed. It may be nil.
	State *reach.State
	// Events receives rotations and problems of the authority, as Events of Secret. It may be
	// nil.
	Events events.EventRecorder
	// Registry receives the metric. It may be nil.
	Registry prometheus.Registerer
	// Logger receives the same and renewals, never a key. The default discards them.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Setup adds the authority to a manager. It works on the leader only. The Secrets are not in
// the manager's cache: they are read live and watched by name.
func Setup(mgr manager.Manager, o Options) error {
	secrets, err := corev1client.NewForConfigAndClient(mgr.GetConfig(), mgr.GetHTTPClient())
	if err != nil {
		return err
	}
	k := newKeeper(mgr.GetAPIReader(), mgr.GetClient(), o)
	if o.Registry != nil {
		if err := o.Registry.Register(&k.expiry); err != nil {
			return err
		}
	}
	c, err := controller.New("authority", mgr, controller.Options{Reconciler: k, RateLimiter: cluster.Retries()})
	if err != nil {
		return err
	}
	for _, name := range []string{k.Secret, k.ServingSecret} {
		if err := c.Watch(k.watch(secrets, name)); err != nil {
			return err
		}
	}
	return nil
}

// keeper reconciles the two Secrets. All requests are the same.
type keeper struct {
	Options
	reader  client.Reader
	writer  client.Client
	problem lastError
	waiting lastError
	expiry  expiry
}

func newKeeper(reader client.Reader, writer client.Client, o Options) *keeper {
	o.Secret = cmp.Or(o.Secret, "crosswalk-authority")
	o.ServingSecret = cmp.Or(o.ServingSecret, "crosswalk-serving")
	if o.Injected == nil {
		o.Injected = func(context.Context, []byte) error { return nil }
	}
	if o.State == nil {
		o.State = new(reach.State)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &keeper{Options: o, reader: reader, writer: writer}
}

// watch asks for a look at both Secrets at the start and whenever one changes.
func (k *keeper) watch(secrets corev1client.SecretsGetter, name string) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		look := func() {
			queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: k.Namespace, Name: k.Secret}})
		}
		look() // also if the watch is forbidden
		var unseen lastError
		watch := certs.SecretWatch{
			Client: secrets, Namespace: k.Namespace, Name: name,
			Changed: func(*corev1.Secret) { look() },
			Failed: func(err error) {
				if unseen.changed(err) && err != nil {
					k.Logger.Warn("cannot watch a Secret, so changes are noticed late; trying again",
						"secret", k.path(name), "error", err)
				}
			},
		}
		go watch.Run(ctx)
		return nil
	})
}

func (k *keeper) path(name string) string { return fmt.Sprintf("%s/%s", k.Namespace, name) }
