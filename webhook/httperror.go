package webhook

import (
	"log/slog"
	"net/http"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// httpError is an answer that is not a review: one sentence for a person.
type httpError struct {
	status   int
	sentence string
	// retry asks the client to try again in a second. client-go does so for 429 and 5xx, up to
	// ten times (k8s.io/client-go/rest/with_retry.go).
	retry bool
	// close ends the connection after the answer.
	close bool
	// shed explains why a correct request was refused. It is empty otherwise.
	shed shed
	// attrs are logged with it.
	attrs []slog.Attr
}

func (e *httpError) Error() string { return strconv.Itoa(e.status) + ": " + e.sentence }

// Status makes httpError an APIStatus (k8s.io/apimachinery/pkg/api/errors), for handlers that
// answer with those.
func (e *httpError) Status() metav1.Status {
	status := metav1.Status{Status: metav1.StatusFailure, Message: e.sentence, Reason: reason(e.status), Code: int32(e.status)}
	if e.retry {
		status.Details = &metav1.StatusDetails{RetryAfterSeconds: 1}
	}
	return status
}

// write answers with a metav1.Status. For any other body, client-go keeps only the status code
// (Result.Error in k8s.io/client-go/rest/request.go), and the API server could not tell the
// user what is wrong.
func (e *httpError) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	if e.retry {
		h.Set("Retry-After", "1")
	}
	if e.close {
		h.Set("Connection", "close")
	}
	w.WriteHeader(e.status)
	body := []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"` + metav1.StatusFailure + `","message":`)
	body = jsontext.Quote(body, shorten(e.sentence))
	body = append(body, `,"reason":"`...)
	body = append(body, reason(e.status)...)
	body = append(body, `","code":`...)
	body = strconv.AppendInt(body, int64(e.status), 10)
	_, _ = w.Write(append(body, "}\n"...)) // a client that is gone needs no answer
}

// reason returns the StatusReason for a status code.
func reason(status int) metav1.StatusReason {
	switch status {
	case http.StatusBadRequest:
		return metav1.StatusReasonBadRequest
	case http.StatusNotFound:
		return metav1.StatusReasonNotFound
	case http.StatusMethodNotAllowed:
		return metav1.StatusReasonMethodNotAllowed
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return metav1.StatusReasonTimeout
	case http.StatusRequestEntityTooLarge:
		return metav1.StatusReasonRequestEntityTooLarge
	case http.StatusUnsupportedMediaType:
		return metav1.StatusReasonUnsupportedMediaType
	case http.StatusServiceUnavailable:
		return metav1.StatusReasonServiceUnavailable
	}
	return metav1.StatusReasonInternalError
}
