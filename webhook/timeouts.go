package webhook

import (
	"net/http"
	"time"
)

const (
	// readHeaderTimeout also bounds the TLS handshake. A client that needs longer for a
	// kilobyte of headers is broken, or holds connections open on purpose.
	readHeaderTimeout = 10 * time.Second
	// readTimeout bounds the whole request. The API server gives up after 30 s (the timeout of
	// a conversion webhook is fixed: apiServerTimeout in k8s.io/apiextensions-apiserver), so
	// nobody waits for a request that takes longer to arrive.
	readTimeout = 30 * time.Second
	// writeTimeout runs from the end of the headers to the end of the answer, so it includes
	// the time to read the body. It is a little longer than the client waits: the client's
	// deadline should be reached first, because the client reports it.
	writeTimeout = 35 * time.Second
	// idleTimeout must exceed the client's, which is 90 s (net/http's DefaultTransport;
	// client-go sets the same). Otherwise the server could close a connection just as the
	// client sends a POST on it, and a POST is not retried.
	idleTimeout = 120 * time.Second
	// maxHeaderBytes is far above the API server's few hundred bytes.
	maxHeaderBytes = 64 << 10
)

func setTimeouts(s *http.Server) {
	s.ReadHeaderTimeout = readHeaderTimeout
	s.ReadTimeout = readTimeout
	s.WriteTimeout = writeTimeout
	s.IdleTimeout = idleTimeout
	s.MaxHeaderBytes = maxHeaderBytes
}
