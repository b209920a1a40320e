package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// The program converts, denies, fills in, says that it is ready, and ends when it is told to.
func TestServe(t *testing.T) {
	folder, listener, healthListener := t.TempDir(), listen(t), listen(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, folder, listener, healthListener) }()
	client := apiServer{t: t, address: "https://" + listener.Addr().String()}
	client.trust(filepath.Join(folder, "ca.crt"), healthListener.Addr().String())

	var converted apiextensionsv1.ConversionReview
	client.ask("/convert", `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {
		"uid": "7", "desiredAPIVersion": "example.com/v1", "objects": [
		{"apiVersion": "example.com/v1beta1", "kind": "Letter", "metadata": {"name": "a"}, "spec": {"to": "Ann, Bob"}}]}}`, &converted)
	if objects := converted.Response.ConvertedObjects; len(objects) != 1 || !strings.Contains(string(objects[0].Raw), `"to":["Ann","Bob"]`) {
		t.Errorf("converted to %+v", converted.Response)
	}

	review := `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
		"uid": "7", "operation": "CREATE", "name": "a", "kind": {"group": "example.com", "version": "v1", "kind": "Letter"},
		"object": {"apiVersion": "example.com/v1", "kind": "Letter", "metadata": {"name": "a"}, "spec": {}}}}`
	var judged, defaulted admissionv1.AdmissionReview
	client.ask("/validate/letters", review, &judged)
	if r := judged.Response; r.Allowed || !strings.Contains(r.Result.Message, "spec.to: Required value: name somebody") {
		t.Errorf("a letter to nobody: %+v", r)
	}
	client.ask("/mutate/letters", review, &defaulted)
	if r := defaulted.Response; !r.Allowed || !strings.Contains(string(r.Patch), `"Come and see."`) {
		t.Errorf("a letter without a text: %s", r.Patch)
	}

	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

// apiServer asks as the API server does: it trusts one CA, and knows the Service's name.
type apiServer struct {
	t       *testing.T
	address string
	client  http.Client
}

// trust waits until the program is ready, which made its CA before.
func (a *apiServer) trust(caFile, health string) {
	a.t.Helper()
	response, err := http.Get("http://" + health + "/readyz")
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		a.t.Fatal(response.Status)
	}
	bundle, err := os.ReadFile(caFile)
	if err != nil {
		a.t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(bundle)
	a.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, ServerName: "letters.default.svc"}}
}

func (a *apiServer) ask(path, review string, answer any) {
	a.t.Helper()
	response, err := a.client.Post(a.address+path, "application/json", strings.NewReader(review))
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		a.t.Fatalf("%s: %s %v\n%s", path, response.Status, err, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		a.t.Fatal(err)
	}
}
