package webhook

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestRefusals: what is answered before anything is converted.
func TestRefusals(t *testing.T) {
	h := NewHandler(Options{MaxBodyBytes: 1000, Tables: loaded(t, nil,
		func(dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) {
			t.Error("converted")
			return dst, nil
		})})
	json := map[string]string{"Content-Type": "application/json"}
	tests := []struct {
		name, method, path string
		header             map[string]string
		body               string
		status             int
		want               string
	}{
		{"another path", "POST", "/", json, "", 404, "this path does not exist; use /convert or /convert/{fingerprint of a table}"},
		{"a path below", "POST", "/convert/", json, "", 404, "this path does not exist; use /convert or /convert/{fingerprint of a table}"},
		{"no fingerprint", "POST", "/convert/xyz", json, "", 404, "this path does not exist; use /convert or /convert/{fingerprint of a table}"},
		{"a path that is not clean", "POST", "//convert", json, "", 404, "this path does not exist; use /convert or /convert/{fingerprint of a table}"},
		{"GET", "GET", "/convert", json, "", 405, "the method is not allowed; use POST"},
		{"PUT with a fingerprint", "PUT", "/convert/0123abcd", json, "", 405, "the method is not allowed; use POST"},
		{"no media type", "POST", "/convert", nil, review1(star), 415, "the Content-Type is missing; send application/json"},
		{"another media type", "POST", "/convert", map[string]string{"Content-Type": "application/yaml"}, review1(star), 415, "the Content-Type is wrong; send application/json"},
		{"a media type that is none", "POST", "/convert", map[string]string{"Content-Type": "; ;"}, review1(star), 415, "the Content-Type is wrong; send application/json"},
		{"compressed", "POST", "/convert", map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"}, review1(star), 415,
			"the body has a Content-Encoding; send it without one"},
		{"too large", "POST", "/convert", json, strings.Repeat(" ", 1001), 413, "the body is larger than 1000 bytes, the limit of this server"},
		{"malformed", "POST", "/convert", json, "{", 400, "the body is not valid JSON: byte 1: the JSON ends too early; expected a member name or }"},
		{"empty", "POST", "/convert", json, "", 400, "the body is empty; send a ConversionReview"},
		{"another kind", "POST", "/convert", json, review1(strings.ReplaceAll(star, "Star", "Planet")), 503, "no table is loaded yet for kind Planet of group sky.dev"},
		{"another group", "POST", "/convert", json, strings.ReplaceAll(review1(star), "sky.dev/v1\"", "sea.dev/v1\""), 503, "no table is loaded yet for kind Star of group sea.dev"},
		{"another fingerprint", "POST", "/convert/ffff", json, review1(star), 503, "the table with the fingerprint in the path is not loaded yet; stars.sky.dev has 0123abcd"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "http://host"+test.path, strings.NewReader(test.body))
			for name, value := range test.header {
				r.Header.Set(name, value)
			}
			got := do(h, r)
			got.refused(t, test.status, test.want)
			wantRetry, wantAllow := "", ""
			if test.status == 503 {
				wantRetry = "1"
			}
			if test.status == 405 {
				wantAllow = "POST"
			}
			if retry, allow := got.header.Get("Retry-After"), got.header.Get("Allow"); retry != wantRetry || allow != wantAllow {
				t.Errorf("Retry-After %q, Allow %q", retry, allow)
			}
		})
	}
}

// TestNothingLoaded: a replica that has no table yet makes the API server ask
// again.
func TestNothingLoaded(t *testing.T) {
	got := post(t, NewHandler(Options{Tables: NewTables(nil)}), "/convert", review1(star))
	got.refused(t, http.StatusServiceUnavailable, "no table is loaded yet for kind Star of group sky.dev")
	if retry := got.header.Get("Retry-After"); retry != "1" {
		t.Errorf("Retry-After %q, want 1", retry)
	}
}

// TestMediaTypes: parameters and letter case do not matter.
func TestMediaTypes(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	for _, mediaType := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON;q=1", "application/json;"} {
		r := httptest.NewRequest(http.MethodPost, "/convert", strings.NewReader(review1()))
		r.Header.Set("Content-Type", mediaType)
		r.Header.Set("Content-Encoding", "identity")
		do(h, r).expect(t, http.StatusOK, success())
	}
}

func TestHandlerNeedsTables(t *testing.T) {
	defer func() {
		if p := recover(); p != "webhook: Options.Tables is nil" {
			t.Errorf("panic %v", p)
		}
	}()
	NewHandler(Options{})
}

// TestAnswerHeaders: the length is announced, so that a long answer does not
// go out in chunks.
func TestAnswerHeaders(t *testing.T) {
	got := post(t, NewHandler(Options{Tables: loaded(t, nil, rename)}), "/convert", review1(star))
	if v := got.header.Get("Content-Type"); v != "application/json" {
		t.Errorf("Content-Type %q", v)
	}
	if v := got.header.Get("Content-Length"); v == "" || v == "0" {
		t.Errorf("Content-Length %q", v)
	}
}
