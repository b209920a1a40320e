package webhook

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// timeoutOf returns how long the API server waits for the answer to r, or 0 if r does not
// contain that. The API server puts it, in whole seconds, into the query of the URL
// (k8s.io/apiserver/pkg/admission/plugin/webhook/validating/dispatcher.go).
func timeoutOf(r *http.Request) (time.Duration, error) {
	if r.URL.RawQuery == "" {
		return 0, nil
	}
	value, alone := strings.CutPrefix(r.URL.RawQuery, "timeout=")
	if !alone || strings.ContainsAny(value, "&;%+") {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return 0, malformed("the query of the URL is malformed")
		}
		if !query.Has("timeout") {
			return 0, nil
		}
		value = query.Get("timeout")
	}
	timeout, err := time.ParseDuration(value)
	if err != nil || timeout <= 0 {
		return 0, malformed("timeout in the URL is not a duration above 0, such as 10s")
	}
	return timeout, nil
}
