package arming

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
	"reflect"
	"regexp"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// probeTimeout is how long one answer may take: a replica that needs longer for
// one tiny object is not ready.
const probeTimeout = 5 * time.Second

// dialTimeout is shorter, so that it is always the one that is told of.
const dialTimeout = 3 * time.Second

// probe asks serve as the API server would, and compares each answer with what
// the same table says here.
type probe struct {
	client *http.Client
	path   string
	table  cluster.Converter
}

// probe returns a probe that trusts a bundle, and nothing else.
func (r *reconciler) probe(table cluster.Converter, bundle inject.Bundle) probe {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle.PEM())
	return probe{
		client: &http.Client{
			Timeout: probeTimeout,
			Transport: &http.Transport{
				DialContext: r.Dial,
				TLSClientConfig: &tls.Config{
					RootCAs:    roots,
					ServerName: r.Service.Name + "." + r.Service.Namespace + ".svc",
				},
			},
		},
		path:  cluster.ConvertPath(table.Fingerprint()),
		table: table,
	}
}

// try asks the server at an address for every pair of versions, through a new
// connection.
func (p probe) try(ctx context.Context, address string) error {
	// What a connection of before has proved is not proved again.
	defer p.client.CloseIdleConnections()
	for _, to := range p.table.Versions() {
		var objects [][]byte
		for _, from := range p.table.Versions() {
			if from != to {
				objects = append(objects, p.sample(from))
			}
		}
		if len(objects) == 0 {
			objects = append(objects, p.sample(to)) // a CRD with one version
		}
		if err := p.ask(ctx, address, to, objects); err != nil {
			return err
		}
	}
	return nil
}

// sample is an object that every table must be able to convert.
func (p probe) sample(version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"crosswalk-probe"}}`, p.table.Group()+"/"+version, p.table.Kind())
}

func (p probe) ask(ctx context.Context, address, to string, objects [][]byte) error {
	review := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: "crosswalk-probe", DesiredAPIVersion: p.table.Group() + "/" + to},
	}
	for _, object := range objects {
		review.Request.Objects = append(review.Request.Objects, runtime.RawExtension{Raw: object})
	}
	answer, err := p.post(ctx, address, review)
	if err != nil {
		return err
	}
	switch response := answer.Response; {
	case response == nil || response.UID != review.Request.UID:
		return errors.New("what answers is no conversion webhook: the review has no response with our uid")
	case response.Result.Status != metav1.StatusSuccess:
		return fmt.Errorf("it answers with a failure: %s", response.Result.Message)
	case len(response.ConvertedObjects) != len(objects):
		return fmt.Errorf("it answers with %d objects for %d", len(response.ConvertedObjects), len(objects))
	default:
		return p.compare(objects, to, response.ConvertedObjects)
	}
}

func (p probe) compare(objects [][]byte, to string, converted []runtime.RawExtension) error {
	for i, object := range objects {
		want, err := p.table.Convert(nil, object, to)
		if err != nil {
			return err
		}
		var a, b any
		if json.Unmarshal(want, &a) != nil || json.Unmarshal(converted[i].Raw, &b) != nil || !reflect.DeepEqual(a, b) {
			return fmt.Errorf("it converts %s to %s, and this process, by the same table, to %s; is it of another release?", object, converted[i].Raw, want)
		}
	}
	return nil
}

func (p probe) post(ctx context.Context, address string, review apiextensionsv1.ConversionReview) (*apiextensionsv1.ConversionReview, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+address+p.path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := p.client.Do(request)
	if err != nil {
		return nil, &failure{err}
	}
	defer response.Body.Close()
	const most = 1 << 20 // far above what a probe is answered with
	text, err := io.ReadAll(io.LimitReader(response.Body, most))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		var status metav1.Status
		if json.Unmarshal(text, &status) == nil && status.Message != "" {
			return nil, fmt.Errorf("%s: %s", response.Status, status.Message)
		}
		return nil, errors.New(response.Status)
	}
	answer := new(apiextensionsv1.ConversionReview)
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, fmt.Errorf("the answer is no ConversionReview: %w", err)
	}
	return answer, nil
}

// failure is why a request was not answered.
type failure struct{ error }

func (f *failure) Error() string { return stable(f.error.Error()) }
func (f *failure) Unwrap() error { return f.error }

// stable leaves out of a text what differs each time that the same thing fails,
// our own port and the time: what is said of it must stay the same.
func stable(text string) string {
	for _, part := range []string{`(?:read|write) tcp \S+->`, `current time \S+ is `} {
		text = regexp.MustCompile(part).ReplaceAllString(text, "")
	}
	return text
}

func defaultDial() func(ctx context.Context, network, address string) (net.Conn, error) {
	return (&net.Dialer{Timeout: dialTimeout}).DialContext
}
