package reach

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
	"regexp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

const (
	// answerTimeout is how long one answer may take: a replica that needs longer for one tiny
	// object is not ready.
	answerTimeout = 5 * time.Second
	// dialTimeout is shorter, so that it is always the one that is reported.
	dialTimeout = 2 * time.Second
)

// Client returns a client that trusts only this bundle.
func (s *Serve) Client(bundle inject.Bundle) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle.PEM())
	dial := s.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	return &http.Client{
		Timeout: answerTimeout,
		Transport: &http.Transport{
			DialContext: dial,
			TLSClientConfig: &tls.Config{
				RootCAs:    roots,
				ServerName: s.Service.Name + "." + s.Service.Namespace + ".svc",
			},
		},
	}
}

// Post sends a review of some kind, and reads the answer, which must be of the same kind. It returns
// the header of the answer.
func Post(ctx context.Context, client *http.Client, url, kind string, review, answer any) (http.Header, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, &failure{err}
	}
	defer response.Body.Close()
	const most = 1 << 20 // far more than the answer to a probe
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
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, fmt.Errorf("the answer is not a %s: %w", kind, err)
	}
	return response.Header, nil
}

// failure means that a request was not answered.
type failure struct{ error }

func (f *failure) Error() string { return Stable(f.error.Error()) }
func (f *failure) Unwrap() error { return f.error }

// Unanswered distinguishes a request that was not answered from one with a wrong answer.
func Unanswered(err error) bool {
	var f *failure
	return errors.As(err, &f)
}

// Stable removes from a text what differs each time that the same thing fails, such as our own
// port and the time, so that the message stays the same.
func Stable(text string) string {
	for _, part := range []string{`(?:read|write) tcp \S+->`, `current time \S+ is `} {
		text = regexp.MustCompile(part).ReplaceAllString(text, "")
	}
	return text
}
