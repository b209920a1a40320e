package chaos

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// armed is what an API server needs to ask for a conversion of a CRD.
type armed struct {
	group, kind string
	versions    []string
	path        string
	bundle      string
}

// same reports whether an API server would ask alike.
func (a armed) same(b armed) bool { return a.path == b.path && a.bundle == b.bundle }

// ask asks the server at a port of loopback, as the API server asks the Service,
// to convert an object between the first two versions of a CRD, both ways.
func (a armed) ask(ctx context.Context, port int) error {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(a.bundle)) {
		return errors.New("the caBundle holds no certificate")
	}
	client := &http.Client{
		Timeout: 5 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "crosswalk." + harness.Namespace + ".svc"},
		},
	}
	defer client.CloseIdleConnections() // every question is one of somebody new
	from, to := a.versions[0], a.versions[min(1, len(a.versions)-1)]
	return errors.Join(a.review(ctx, client, port, from, to), a.review(ctx, client, port, to, from))
}

func (a armed) review(ctx context.Context, client *http.Client, port int, from, to string) error {
	body := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"chaos","desiredAPIVersion":%q,`+
		`"objects":[{"apiVersion":%q,"kind":%q,"metadata":{"name":"a"}}]}}`, a.group+"/"+to, a.group+"/"+from, a.kind)
	url := "https://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) + a.path
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", harness.JSONType)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	var review struct {
		Response struct {
			Result struct{ Status, Message string }
		}
	}
	if err := json.Unmarshal(text, &review); err != nil {
		return err
	}
	if review.Response.Result.Status != "Success" {
		return fmt.Errorf("%s: %s", review.Response.Result.Status, review.Response.Result.Message)
	}
	return nil
}
