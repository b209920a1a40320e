package harness

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

// Content types of a patch.
const (
	JSONType       = "application/json"
	MergePatchType = "application/merge-patch+json"
	ApplyPatchType = "application/apply-patch+yaml"
)

// API speaks to the API server in bytes. A test of what is preserved must not
// look through a client that decodes numbers or drops empty values itself.
type API struct {
	server string
	client *http.Client
}

// API returns a client with an administrator's rights. It must be made anew
// after a restart of the API server, whose address may have changed.
func (c *ControlPlane) API() (*API, error) {
	cert, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientKey)
	if err != nil {
		return nil, err
	}
	roots, err := certPool(c.CA)
	if err != nil {
		return nil, err
	}
	return &API{
		server: c.Server,
		client: &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{cert}},
			// Handshakes are dear: whoever asks at the same time as others keeps a
			// connection of its own.
			MaxIdleConnsPerHost: 100,
		}},
	}, nil
}

// StatusError is an answer other than 2xx.
type StatusError struct {
	Request string
	Code    int
	Body    string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: %d: %s", e.Request, e.Code, e.Body)
}

// Do sends body and returns the answer's, or a StatusError.
func (a *API) Do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	resp, err := a.send(ctx, method, path, contentType, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// Get reads the object or list at path.
func (a *API) Get(ctx context.Context, path string) ([]byte, error) {
	return a.Do(ctx, http.MethodGet, path, "", nil)
}

func (a *API) send(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, a.server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		defer resp.Body.Close()
		said, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		return nil, &StatusError{Request: method + " " + path, Code: resp.StatusCode, Body: string(said)}
	}
	return resp, nil
}

func certPool(path string) (*x509.CertPool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s holds no certificate", path)
	}
	return pool, nil
}
