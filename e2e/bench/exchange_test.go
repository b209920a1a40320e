package bench

import (
	"bytes"
	"io"
	"net/http"
)

// exchange posts one body to a handler again and again, and adds nothing to
// what the handler allocates.
type exchange struct {
	handler http.Handler
	request *http.Request
	content []byte
	body    bytes.Reader
	header  http.Header
	status  int
	keep    bool
	answer  []byte
	written int
}

func newExchange(h http.Handler, path string, content []byte) *exchange {
	e := &exchange{handler: h, content: content, header: http.Header{}}
	e.request, _ = http.NewRequest(http.MethodPost, "https://crosswalk.system.svc:443"+path+"?timeout=30s", nil)
	e.request.Header.Set("Content-Type", "application/json")
	e.request.ContentLength = int64(len(content))
	e.request.Body = io.NopCloser(&e.body)
	return e
}

func (e *exchange) post() {
	e.body.Reset(e.content)
	clear(e.header)
	e.status, e.answer, e.written = http.StatusOK, e.answer[:0], 0
	e.handler.ServeHTTP(e, e.request)
}

// Header, WriteHeader and Write make it an http.ResponseWriter.
func (e *exchange) Header() http.Header { return e.header }

func (e *exchange) WriteHeader(status int) { e.status = status }

func (e *exchange) Write(p []byte) (int, error) {
	e.written += len(p)
	if e.keep {
		e.answer = append(e.answer, p...)
	}
	return len(p), nil
}
