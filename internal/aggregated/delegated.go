package aggregated

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/authentication/authenticatorfactory"
	"k8s.io/apiserver/pkg/authentication/request/headerrequest"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/client-go/kubernetes"
)

// How the API server's front proxy presents itself stands in a ConfigMap that every API
// server keeps, for those behind it.
const (
	authenticationNamespace = metav1.NamespaceSystem
	authenticationConfigMap = "extension-apiserver-authentication"
)

// An answer of the cluster's API server counts for so long: as long as it does where
// [options.NewDelegatingAuthenticationOptions] and its sister leave it.
const answersCount = 10 * time.Second

// A server that has just begun waits so long for what the ConfigMap says. It serves then,
// whether it knows that or not: a missing right must not keep it from what it can do.
const patience = time.Second

// notReady is how long a server that has just begun is not ready, where the front proxy is
// not known: the API server is refused then, and with it the writes that it asks about. A
// missing right must not keep it from what it can do for longer.
const notReady = 10 * time.Second

// certificates follows a list of authorities in the ConfigMap.
type certificates struct {
	*dynamiccertificates.ConfigMapCAController
}

func newCertificates(purpose, key string, client kubernetes.Interface) (certificates, error) {
	c, err := dynamiccertificates.NewDynamicCAFromConfigMapController(purpose, authenticationNamespace, authenticationConfigMap, key, client)
	return certificates{c}, err
}

// RunOnce begins to follow it, until ctx is done, and waits until it is known.
func (c certificates) RunOnce(ctx context.Context) error {
	go c.ConfigMapCAController.Run(ctx, 1)
	return wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return len(c.CurrentCABundleContent()) > 0, nil
	})
}

// Run waits: RunOnce has begun what is to be done.
func (c certificates) Run(ctx context.Context, _ int) { <-ctx.Done() }

// frontProxy follows what the ConfigMap says of the front proxy: whose certificates it
// has, by which names, and the headers in which it names the user.
type frontProxy struct {
	certificates
	*headerrequest.RequestHeaderAuthRequestController
}

func newFrontProxy(client kubernetes.Interface) (*frontProxy, error) {
	ca, err := newCertificates("front-proxy-ca", "requestheader-client-ca-file", client)
	if err != nil {
		return nil, err
	}
	return &frontProxy{ca, headerrequest.NewRequestHeaderAuthRequestController(
		authenticationConfigMap, authenticationNamespace, client,
		"requestheader-username-headers", "requestheader-uid-headers", "requestheader-group-headers",
		"requestheader-extra-headers-prefix", "requestheader-allowed-names",
	)}, nil
}

// RunOnce waits as that of its certificates does.
func (p *frontProxy) RunOnce(ctx context.Context) error {
	return errors.Join(p.certificates.RunOnce(ctx), p.RequestHeaderAuthRequestController.RunOnce(ctx))
}

// Run follows until ctx is done.
func (p *frontProxy) Run(ctx context.Context, workers int) {
	p.RequestHeaderAuthRequestController.Run(ctx, workers)
}

// delegate makes the cluster's API server say who asks and whether he may. Who shows no
// credentials is nobody: the API server's own anonymous user comes by way of the front
// proxy, as any other does.
func delegate(config *server.Config, client kubernetes.Interface) (*frontProxy, error) {
	proxy, err := newFrontProxy(client)
	if err != nil {
		return nil, err
	}
	clients, err := newCertificates("client-ca", "client-ca-file", client)
	if err != nil {
		return nil, err
	}
	headers := &authenticatorfactory.RequestHeaderConfig{
		CAContentProvider:   proxy,
		UsernameHeaders:     headerrequest.StringSliceProviderFunc(proxy.UsernameHeaders),
		UIDHeaders:          headerrequest.StringSliceProviderFunc(proxy.UIDHeaders),
		GroupHeaders:        headerrequest.StringSliceProviderFunc(proxy.GroupHeaders),
		ExtraHeaderPrefixes: headerrequest.StringSliceProviderFunc(proxy.ExtraHeaderPrefixes),
		AllowedClientNames:  headerrequest.StringSliceProviderFunc(proxy.AllowedClientNames),
	}
	authentication := &config.Authentication
	authentication.RequestHeaderConfig = headers
	for _, ca := range []dynamiccertificates.CAContentProvider{proxy, clients} {
		if err := authentication.ApplyClientCert(ca, config.SecureServing); err != nil {
			return nil, err
		}
	}
	authentication.Authenticator, _, err = authenticatorfactory.DelegatingAuthenticatorConfig{
		RequestHeaderConfig:                headers,
		ClientCertificateCAContentProvider: clients,
		TokenAccessReviewClient:            client.AuthenticationV1(),
		TokenAccessReviewTimeout:           answersCount,
		WebhookRetryBackoff:                options.DefaultAuthWebhookRetryBackoff(),
		CacheTTL:                           answersCount,
	}.New()
	if err != nil {
		return nil, err
	}
	config.Authorization.Authorizer, err = authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: client.AuthorizationV1(),
		WebhookRetryBackoff:       options.DefaultAuthWebhookRetryBackoff(),
		AllowCacheTTL:             answersCount,
		DenyCacheTTL:              answersCount,
	}.New()
	return proxy, err
}
