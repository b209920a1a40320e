package lookup

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	authorizationv1client "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Lookups is everything that policies may read in a cluster.
type Lookups struct {
	cache       *Cache
	live        Live
	namespaces  *Namespaces
	types       Types
	definitions *Definitions
	rights      *Rights
	authorizer  authorizer.Authorizer

	once [2]sync.Once
	// some is closed once there are policies, and mutating once there are mutation policies.
	some, mutating chan struct{}
}

// believed is how long an answer of the API server about rights is cached: the default of every
// server that delegates authorization (k8s.io/apiserver/pkg/server/options/authorization.go).
const believed = 10 * time.Second

// New returns lookups in the cluster of a connection. The connection should have no rate limit,
// because writes wait for the reads. Nothing is read before Run. observe is called for reads
// that writes wait for; it may be nil.
func New(connection *rest.Config, observe Observe, log *slog.Logger) (*Lookups, error) {
	http, err := rest.HTTPClientFor(connection)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfigAndClient(connection, http)
	if err != nil {
		return nil, err
	}
	newMapper := func() (meta.RESTMapper, error) { return apiutil.NewDynamicRESTMapper(connection, http) }
	documents, err := discovery.NewDiscoveryClientForConfigAndClient(connection, http)
	if err != nil {
		return nil, err
	}
	rights, err := authorizationv1client.NewForConfigAndClient(connection, http)
	if err != nil {
		return nil, err
	}
	asks, err := authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: rights, AllowCacheTTL: believed, DenyCacheTTL: believed,
		WebhookRetryBackoff: &wait.Backoff{Steps: 1}, // the caller tries again
	}.New()
	if err != nil {
		return nil, fmt.Errorf("authorizer: %w", err)
	}
	lookups := assemble(client, newMapper, documents.OpenAPIV3(), observed{asks, observe}, observe, log, time.Now)
	lookups.rights = &Rights{client: rights, kinds: lookups.live.kinds, now: time.Now, known: map[right]answered{}}
	return lookups, nil
}

func assemble(client dynamic.Interface, newMapper func() (meta.RESTMapper, error), documents openapi.Client, asks authorizer.Authorizer, observe Observe, log *slog.Logger, now func() time.Time) *Lookups {
	kinds := newKinds(newMapper, now)
	return &Lookups{
		cache: newCache(kinds, client, log),
		live:  Live{kinds, client, observe},
		namespaces: &Namespaces{watched: watched{
			kind: corev1.SchemeGroupVersion.WithKind("Namespace"), kinds: kinds, client: client, transform: asNamespace, log: log,
		}, observe: observe},
		types:       Types{patch.NewTypeConverterManager(nil, documents)},
		definitions: newDefinitions(client, observe, now),
		authorizer:  asks,
		some:        make(chan struct{}), mutating: make(chan struct{}),
	}
}

// Run watches the declared kinds until ctx is done.
func (l *Lookups) Run(ctx context.Context) error {
	var all sync.WaitGroup
	all.Go(func() { l.cache.run(ctx) })
	for _, later := range []struct {
		needed chan struct{}
		run    func(context.Context)
	}{{l.some, l.namespaces.run}, {l.mutating, l.types.manager.Run}} {
		all.Go(func() {
			select {
			case <-later.needed:
				later.run(ctx)
			case <-ctx.Done():
			}
		})
	}
	all.Wait()
	return nil
}

// Keep reads what these policies declare, and nothing else.
func (l *Lookups) Keep(policies ...*policy.Policy) {
	var kinds []schema.GroupVersionKind
	for _, p := range policies {
		l.once[0].Do(func() { close(l.some) })
		if p.Mutates() {
			l.once[1].Do(func() { close(l.mutating) })
		}
		kinds = append(kinds, cachedReads(p)...)
	}
	l.cache.Keep(kinds)
}

// Settled reports whether waiting is of no use: everything that a policy declares has been
// read, or it is known why it cannot be.
func (l *Lookups) Settled(p *policy.Policy) bool {
	return l.namespaces.settled() && !slices.ContainsFunc(cachedReads(p), func(kind schema.GroupVersionKind) bool { return !l.cache.Settled(kind) })
}

func cachedReads(p *policy.Policy) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, read := range p.Reads() {
		if !read.Live {
			kinds = append(kinds, read.Kind)
		}
	}
	return kinds
}

// In adds the lookups to what policies see.
func (l *Lookups) In(c policy.Cluster) policy.Cluster {
	c.Objects, c.Live, c.Namespaces, c.Authorizer = l.cache, l.live, l.namespaces, l.authorizer
	c.Types, c.Definitions = l.types, l.definitions
	if l.rights != nil {
		c.Rights = l.rights
	}
	return c
}

// Types returns how the API server merges objects, from the schemas that it publishes. It
// implements [policy.Types].
type Types struct{ manager patch.TypeConverterManager }

var _ policy.Types = Types{}

// TypeConverter implements [policy.Types]. A new CRD is published within seconds, so a kind
// that is missing is treated as not known yet.
func (t Types) TypeConverter(_ context.Context, kind schema.GroupVersionKind) (managedfields.TypeConverter, error) {
	if converter := t.manager.GetTypeConverter(kind); converter != nil {
		return converter, nil
	}
	return nil, fmt.Errorf("how objects of kind %s of %s are merged: %w", kind.Kind, kind.GroupVersion(), policy.ErrNotSynced)
}
