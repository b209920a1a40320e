package aggregated

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/compatibility"
	"k8s.io/client-go/kubernetes"
	restclient "k8s.io/client-go/rest"
	"k8s.io/kube-openapi/pkg/validation/spec"

	admissionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/admission/v1alpha1"
	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// Options configure a server. All options are required unless their comment states otherwise.
type Options struct {
	// Listener accepts the connections of the API server's front proxy.
	Listener net.Listener
	// Certificate is the certificate of the Service in the APIService. MinTLSVersion is
	// tls.VersionTLS12 or tls.VersionTLS13.
	Certificate   certs.Source
	MinTLSVersion uint16
	// Tables has the converters, and Memory bounds what all requests of the process may hold
	// together.
	Tables *webhook.Tables
	Memory *webhook.Memory
	// Reviews answers AdmissionReviews of an identified caller, on the paths of
	// [webhook.NewAdmissionHandler].
	Reviews http.Handler
	// Metrics counts the conversions, and Logger receives their errors.
	Metrics *webhook.Metrics
	Logger  *slog.Logger
	// Cluster connects to the API server that authenticates and authorizes callers.
	Cluster *restclient.Config
	// DrainDelay is how long the server goes on serving after it is told to stop: as long as
	// the slowest node needs to notice. It may be 0.
	DrainDelay time.Duration
}

// The limits of requests. A stored object has at most 1.5 MiB (etcd's limit of a request), and
// a Conversion contains one.
const (
	mostRequests  = 16
	mostBodyBytes = 3 << 20
)

// conversionsPath is the path at which conversions are created.
const conversionsPath = server.APIGroupPrefix + "/" + conversionv1alpha1.GroupName + "/" + conversionv1alpha1.Version + "/" + conversionv1alpha1.ResourceConversions

// Server serves the groups.
type Server struct {
	server *server.GenericAPIServer
	proxy  *frontProxy
	began  time.Time
}

// NewServer returns a server. It closes the listener at the end of Run.
func NewServer(o Options) (*Server, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	codecs := serializer.NewCodecFactory(scheme)
	config := server.NewConfig(codecs)
	config.SecureServing = &server.SecureServingInfo{
		Listener: o.Listener, Cert: &certificate{source: o.Certificate}, MinTLSVersion: o.MinTLSVersion,
	}
	connection := restclient.CopyConfig(o.Cluster)
	connection.QPS = -1 // each request may need two answers, and mostRequests run at once
	client, err := kubernetes.NewForConfig(connection)
	if err != nil {
		return nil, err
	}
	proxy, err := delegate(config, client)
	if err != nil {
		return nil, fmt.Errorf("who may call: %w", err)
	}
	namer := openapi.NewDefinitionNamer(scheme)
	config.OpenAPIConfig = server.DefaultOpenAPIConfig(definitions, namer)
	config.OpenAPIV3Config = server.DefaultOpenAPIV3Config(definitions, namer)
	for _, info := range []*spec.Info{config.OpenAPIConfig.Info, config.OpenAPIV3Config.Info} {
		info.Title, info.Version = "Crosswalk", conversionv1alpha1.Version // instead of the library's
	}
	config.EffectiveVersion = compatibility.DefaultBuildEffectiveVersion()
	config.LoopbackClientConfig = &restclient.Config{} // the server never calls itself
	config.ExternalAddress = o.Listener.Addr().String()
	// Metrics and health have their own listener, without authentication.
	config.EnableMetrics, config.EnableProfiling = false, false
	config.MaxRequestsInFlight, config.MaxMutatingRequestsInFlight = mostRequests, mostRequests
	config.MaxRequestBodyBytes = mostBodyBytes
	config.LongRunningFunc = boundsItself
	config.ShutdownDelayDuration = o.DrainDelay
	config.BuildHandlerChainFunc = func(next http.Handler, config *server.Config) http.Handler {
		next = server.DefaultBuildHandlerChain(next, config)
		counted := o.Metrics.Count(conversionsPath, next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == conversionsPath {
				counted.ServeHTTP(w, r)
			} else {
				next.ServeHTTP(w, r)
			}
		})
	}

	generic, err := config.Complete(nil).New("crosswalk", server.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	var groups []*server.APIGroupInfo
	for gv, resources := range map[schema.GroupVersion]map[string]rest.Storage{
		conversionv1alpha1.GroupVersion(): {conversionv1alpha1.ResourceConversions: newConversions(o)},
		reviewsVersion:                    {admissionv1alpha1.ResourceReviews: newReviews(o.Reviews)},
	} {
		group := server.NewDefaultAPIGroupInfo(gv.Group, scheme, runtime.NewParameterCodec(scheme), codecs)
		group.VersionedResourcesStorageMap[gv.Version] = resources
		groups = append(groups, &group)
	}
	if err := generic.InstallAPIGroups(groups...); err != nil {
		return nil, err
	}
	return &Server{generic, proxy, time.Now()}, nil
}

// Check is a readiness check: it fails while the server would reject the API server, because it
// does not know its front proxy yet.
func (s *Server) Check() error {
	if len(s.proxy.CurrentCABundleContent()) > 0 || time.Since(s.began) > notReady {
		return nil
	}
	return fmt.Errorf("the API server's front proxy is not known yet: the ConfigMap %s/%s has not been read", authenticationNamespace, authenticationConfigMap)
}

// Run serves until ctx is done, and then finishes the running requests.
func (s *Server) Run(ctx context.Context) error {
	err := s.server.PrepareRun().RunWithContext(ctx)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
