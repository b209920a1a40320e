package webhook

import (
	"io"
	"net/http"
	"strconv"
)

// httpError is an answer that is not a review: one sentence for a person. The
// API server shows it as the cause of the failed request.
type httpError struct {
	status   int
	sentence string
	// retry asks the client to come again in a second. client-go does so for
	// 429 and 5xx, up to ten times (k8s.io/client-go/rest/with_retry.go).
	retry bool
	// close ends the connection after the answer.
	close bool
}

func (e *httpError) Error() string { return strconv.Itoa(e.status) + ": " + e.sentence }

func (e *httpError) write(w http.ResponseWriter) {
	h := w.Header()
	// client-go shows the text of an error to the user only if it is text/plain.
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	if e.retry {
		h.Set("Retry-After", "1")
	}
	if e.close {
		h.Set("Connection", "close")
	}
	w.WriteHeader(e.status)
	_, _ = io.WriteString(w, e.sentence+"\n") // a client that is gone needs no answer
}
