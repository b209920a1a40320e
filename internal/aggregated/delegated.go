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

// This ConfigMap of every API server describes how its front proxy identifies itself.
const (
	authenticationNamespace = metav1.NamespaceSystem
	authenticationConfigMap = "extension-apiserver-authentication"
)

// answersValid is how long an answer of the cluster's API server is cached: the default of
// [options.NewDelegatingAuthenticationOptions].
const answersValid = 10 * time.Second

// patience is how long a starting server waits for the ConfigMap. It then serves in any case:
// without the right to read the ConfigMap it can still do a part of its work.
const patience = time.Second

// notReady is how long a starting server stays not ready while it does not know the front
// proxy. Until then the API server would be rejected, and the writes that it sends for review
// with it. After that the server serves what it can.
const notReady = 10 * time.Second

// certificates follows a list of authorities in the ConfigMap.
type certificates struct {
	*dynamiccertificates.ConfigMapCAController
}

func newCertificates(purpose, key string, client kubernetes.Interface) (certificates, error) {
	c, err := dynamiccertificates.NewDynamicCAFromConfigMapController(purpose, authenticationNamespace, authenticationConfigMap, key, client)
	return certificates{c}, err
}

// RunOnce starts to follow the list, until ctx is done, and waits for the first content.
func (c certificates) RunOnce(ctx context.Context) error {
	go c.ConfigMapCAController.Run(ctx, 1)
	return wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, patience, true, func(context.Context) (bool, error) {
		return len(c.CurrentCABundleContent()) > 0, nil
	})
}

// Run waits for ctx. RunOnce has started everything.
func (c certificates) Run(ctx context.Context, _ int) { <-ctx.Done() }

// frontProxy follows the description of the front proxy in the ConfigMap: its CA, its names,
// and the headers in which it names the user.
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

// RunOnce waits as that of certificates does.
func (p *frontProxy) RunOnce(ctx context.Context) error {
	return errors.Join(p.certificates.RunOnce(ctx), p.RequestHeaderAuthRequestController.RunOnce(ctx))
}

// Run follows the ConfigMap until ctx is done.
func (p *frontProxy) Run(ctx context.Context, workers int) {
	p.RequestHeaderAuthRequestController.Run(ctx, workers)
}

// delegate lets the cluster's API server authenticate and authorize callers. Callers without
// credentials are rejected: the API server's own anonymous user comes through the front proxy,
// like any other user.
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
		TokenAccessReviewTimeout:           answersValid,
		WebhookRetryBackoff:                options.DefaultAuthWebhookRetryBackoff(),
		CacheTTL:                           answersValid,
	}.New()
	if err != nil {
		return nil, err
	}
	config.Authorization.Authorizer, err = authorizerfactory.DelegatingAuthorizerConfig{
		SubjectAccessReviewClient: client.AuthorizationV1(),
		WebhookRetryBackoff:       options.DefaultAuthWebhookRetryBackoff(),
		AllowCacheTTL:             answersValid,
		DenyCacheTTL:              answersValid,
	}.New()
	return proxy, err
}
