package migrate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Media types.
const (
	jsonType       = "application/json"
	applyType      = "application/apply-patch+yaml"
	mergePatchType = "application/merge-patch+json"
	// The API server answers with metadata only: objects can be large, and nothing else of them
	// is needed.
	metadataType     = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	metadataListType = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// requestTimeout is longer than the API server takes for any request but a watch: its
// --request-timeout is a minute by default.
const requestTimeout = 70 * time.Second

// fieldManager is the field manager of our writes.
const fieldManager = "crosswalk-migrate"

// client sends requests at a limited rate. The caller does the retries, because only the caller
// knows what else to wait for.
type client struct {
	rest  rest.Interface
	limit flowcontrol.RateLimiter
}

func newClient(config *rest.Config, qps float32) (*client, error) {
	scheme := runtime.NewScheme()
	// For Status, the type of errors.
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.ContentType = jsonType
	config.QPS = -1
	// A deprecated version would print a warning for each object.
	config.WarningHandler = rest.NoWarnings{}
	r, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	c := &client{rest: r, limit: flowcontrol.NewFakeAlwaysRateLimiter()}
	if qps > 0 {
		c.limit = flowcontrol.NewTokenBucketRateLimiter(qps, max(1, int(qps/4)))
	}
	return c, nil
}

// request is one request to the API server.
type request struct {
	method      string
	path        string
	query       map[string]string
	accept      string
	contentType string
	body        any
}

// do sends the request and decodes the answer into out. The end of ctx prevents a request that
// is not sent yet. A request that was sent is awaited, so that it is always known what was
// written.
func (c *client) do(ctx context.Context, r request, out any) error {
	if err := c.limit.Wait(ctx); err != nil || ctx.Err() != nil {
		return cmp.Or(ctx.Err(), err)
	}
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	if r.accept == "" {
		r.accept = jsonType
	}
	req := c.rest.Verb(r.method).AbsPath(r.path).SetHeader("Accept", r.accept).MaxRetries(0)
	for name, value := range r.query {
		req = req.Param(name, value)
	}
	if r.body != nil {
		data, err := json.Marshal(r.body)
		if err != nil {
			return err
		}
		req = req.SetHeader("Content-Type", r.contentType).Body(data)
	}
	result := req.Do(sending)
	if err := result.Error(); err != nil {
		return err
	}
	data, err := result.Raw()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("the answer to %s %s: %w", r.method, r.path, err)
	}
	return nil
}

func (c *client) get(ctx context.Context, path, accept string, out any) error {
	return c.do(ctx, request{method: http.MethodGet, path: path, accept: accept}, out)
}
