package bulk

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

// JSON is the media type of requests and answers, if they have no other.
const JSON = "application/json"

// requestTimeout is longer than the API server takes for any request but a watch: its
// --request-timeout is a minute by default.
const requestTimeout = 70 * time.Second

// Client sends requests at a limited rate. The caller does the retries, because only the caller
// knows what else to wait for.
type Client struct {
	rest  rest.Interface
	limit flowcontrol.RateLimiter
}

// NewClient returns a client that sends at most qps requests per second, or any number if qps is
// 0. It does not connect yet.
func NewClient(config *rest.Config, qps float32) (*Client, error) {
	scheme := runtime.NewScheme()
	// For Status, the type of errors.
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	config = rest.CopyConfig(config)
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	config.ContentType = JSON
	config.QPS = -1
	// A deprecated version would print a warning for each object.
	config.WarningHandler = rest.NoWarnings{}
	r, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	c := &Client{rest: r, limit: flowcontrol.NewFakeAlwaysRateLimiter()}
	if qps > 0 {
		c.limit = flowcontrol.NewTokenBucketRateLimiter(qps, max(1, int(qps/4)))
	}
	return c, nil
}

// Request is one request to the API server.
type Request struct {
	Method string
	Path   string
	Query  map[string]string
	// Accept is the media type of the answer. The default is JSON.
	Accept string
	// ContentType is the media type of Body.
	ContentType string
	// Body is sent as JSON, unless it is nil.
	Body any
}

// Do sends the request and decodes the answer into out. The end of ctx prevents a request that
// is not sent yet. A request that was sent is awaited, so that it is always known what was
// written.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	if err := c.limit.Wait(ctx); err != nil || ctx.Err() != nil {
		return cmp.Or(ctx.Err(), err)
	}
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	if r.Accept == "" {
		r.Accept = JSON
	}
	req := c.rest.Verb(r.Method).AbsPath(r.Path).SetHeader("Accept", r.Accept).MaxRetries(0)
	for name, value := range r.Query {
		req = req.Param(name, value)
	}
	if r.Body != nil {
		data, err := json.Marshal(r.Body)
		if err != nil {
			return err
		}
		req = req.SetHeader("Content-Type", r.ContentType).Body(data)
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
		return fmt.Errorf("the answer to %s %s: %w", r.Method, r.Path, err)
	}
	return nil
}

// Get reads an object as JSON.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.Do(ctx, Request{Method: http.MethodGet, Path: path}, out)
}
