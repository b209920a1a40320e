package webhook

import (
	"mime"
	"net/http"
	"strings"
)

// checkMediaType fails with an *httpError unless the body is plain JSON.
func checkMediaType(h http.Header) error {
	value := h.Get("Content-Type")
	if value != "application/json" { // what the API server sends
		mediaType, _, err := mime.ParseMediaType(value)
		if err != nil && mediaType == "" || mediaType != "application/json" {
			if value == "" {
				return unsupported("the Content-Type is missing; send application/json")
			}
			return unsupported("the Content-Type is wrong; send application/json")
		}
	}
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return unsupported("the body has a Content-Encoding; send it without one")
	}
	return nil
}

func unsupported(sentence string) error {
	return &httpError{status: http.StatusUnsupportedMediaType, sentence: sentence}
}
