package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// waitReady returns when the API server answers for clients: its own readiness
// checks pass and the namespace default exists, which a controller inside it
// creates a little later.
func (s *apiServer) waitReady(ctx context.Context, p pki) error {
	client, err := p.adminClient()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	for {
		var last error
		for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
			if last = get(ctx, client, "https://"+loopback(s.port)+path); last != nil {
				break
			}
		}
		if last == nil {
			return nil
		}
		select {
		case <-s.exited:
			return fmt.Errorf("it ended before it was ready: %w", s.exitError())
		case <-ctx.Done():
			return fmt.Errorf("not ready in time: %w", last)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// exitError explains the end of a process that should not have ended.
func (s *apiServer) exitError() error {
	if s.err == nil {
		return errors.New("exit status 0")
	}
	return s.err
}

func (p pki) adminClient() (*http.Client, error) {
	cert, err := tls.LoadX509KeyPair(p.adminCert, p.adminKey)
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(p.caCert)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s holds no certificate; remove the folder to make new ones", p.caCert)
	}
	return &http.Client{
		Timeout: 5 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{
			RootCAs: roots, Certificates: []tls.Certificate{cert},
		}},
	}, nil
}

func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<10))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", url, resp.Status, body)
	}
	return nil
}
