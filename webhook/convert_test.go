package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

const starV1 = `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{"name":"sol","namespace":"milkyway"},"spec":{"mass":1}}`

func TestConvert(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	v1beta1 := func(s string) string {
		return strings.Replace(s, "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1", 1)
	}
	tests := []struct{ name, path, body, want string }{
		{"one object", "/convert", review1(star), success(starV1)},
		{"with a query, as the API server sends it", "/convert?timeout=30s", review1(star), success(starV1)},
		{"the fingerprint of the table", "/convert/0123abcd", review1(star), success(starV1)},
		{"three objects, in order", "/convert", review1(star, strings.Replace(star, "sol", "vega", 1), star),
			success(starV1, strings.Replace(starV1, "sol", "vega", 1), starV1)},
		{"none", "/convert", review1(), success()},
		{"none with a fingerprint", "/convert/ffff", review1(), success()},
		{"v1beta1", "/convert", v1beta1(review1(star)), v1beta1(success(starV1))},
		{"a uid with an escape", "/convert", strings.Replace(review1(star), `"u-1"`, `"\u0022"`, 1), strings.Replace(success(starV1), `"u-1"`, `"\u0022"`, 1)},
		{"objects of several versions", "/convert", review1(star, starV1), success(starV1, starV1)},
		{"no metadata", "/convert", review1(`{"apiVersion":"sky.dev/v1beta1","kind":"Star","spec":{}}`),
			success(`{"apiVersion":"sky.dev/v1","kind":"Star","spec":{},"metadata":{}}`)},
		{"an escaped kind", "/convert", review1(`{"apiVersion":"sky.dev/v1beta1","kind":"S\u0074ar"}`),
			success(`{"apiVersion":"sky.dev/v1","kind":"S\u0074ar","metadata":{}}`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			post(t, h, test.path, test.body).expect(t, http.StatusOK, test.want)
		})
	}
}

// TestFailures: one object that cannot be converted fails the review, with a
// message that says which.
func TestFailures(t *testing.T) {
	tests := []struct {
		name    string
		convert func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
		objects []string
		want    string
	}{
		{"an error of the converter", func(dst, _ []byte, to string, _ *conversion.Notes) ([]byte, error) {
			return append(dst, "half"...), &conversion.Error{Kind: "Star", Namespace: "milkyway", Name: "sol", From: "v1beta1", To: to,
				Pointer: "/spec/mass", Offset: 101, Reason: `too "heavy"`}
		}, []string{star}, `Star milkyway/sol: v1beta1 to v1: at /spec/mass (byte 101): too "heavy"`},
		{"a panic", func([]byte, []byte, string, *conversion.Notes) ([]byte, error) { panic("the object says secret") },
			[]string{star}, "Star milkyway/sol: v1beta1 to v1: the converter panicked; Crosswalk's log has the details"},
		{"a panic with a nameless object", func([]byte, []byte, string, *conversion.Notes) ([]byte, error) { panic(1) },
			[]string{`{"kind":"Star","metadata":{"name":7}}`}, "Star: to v1: the converter panicked; Crosswalk's log has the details"},
		{"no object comes back", func(dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) { return append(dst, "null"...), nil },
			[]string{star}, "Star milkyway/sol: v1beta1 to v1: the converter did not return a JSON object; this is a defect of the converter"},
		{"nothing comes back", func(dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) { return dst, nil },
			[]string{star}, "Star milkyway/sol: v1beta1 to v1: the converter did not return a JSON object; this is a defect of the converter"},
		{"the third fails", func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
			if bytes.Contains(object, []byte("vega")) {
				return dst, errors.New("Star milkyway/vega: v1beta1 to v1: no")
			}
			return rename(dst, object, to, n)
		}, []string{star, star, strings.Replace(star, "sol", "vega", 1)}, "Star milkyway/vega: v1beta1 to v1: no"},
		{"an entry that is no object", rename, []string{star, "null"}, "request.objects[1] is null instead of an object"},
		{"an entry that is a list", rename, []string{"[]"}, "request.objects[0] is an array instead of an object"},
		{"no kind", rename, []string{`{"apiVersion":"sky.dev/v1beta1"}`}, "request.objects[0] has no kind"},
		{"a kind that is no string", rename, []string{`{"kind":7}`}, "request.objects[0] has no kind"},
		{"a message without end", func([]byte, []byte, string, *conversion.Notes) ([]byte, error) {
			return nil, errors.New(strings.Repeat("a", 5000) + "\xff" + strings.Repeat("é", 5000))
		}, []string{star}, strings.Repeat("a", 1021) + " … " + strings.Repeat("é", 510)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := NewHandler(Options{Tables: loaded(t, nil, test.convert)})
			post(t, h, "/convert", review1(test.objects...)).expect(t, http.StatusOK, failed(test.want))
		})
	}
}

// TestPanicIsLogged without anything of the object: a panic's text could hold
// a part of it.
func TestPanicIsLogged(t *testing.T) {
	var log bytes.Buffer
	h := NewHandler(Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Tables: loaded(t, nil, func(_, object []byte, _ string, _ *conversion.Notes) ([]byte, error) {
			panic(fmt.Sprintf("cannot bear %s", object))
		}),
	})
	post(t, h, "/convert", review1(star))
	for _, want := range []string{`level=ERROR msg="panic while converting"`, "uid=u-1", "panic=string", "convert_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "mass") || strings.Contains(log.String(), "cannot bear") {
		t.Errorf("the log holds the object:\n%s", log.String())
	}
}

// TestClientGone: nobody waits, so the rest of a list is not converted once a millisecond
// is over.
func TestClientGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	converted, clock := 0, time.Unix(0, 0)
	h := NewHandler(Options{Now: func() time.Time { return clock }, Tables: loaded(t, nil, func(dst, object []byte, to string, n *conversion.Notes) ([]byte, error) {
		converted++
		clock = clock.Add(100 * time.Microsecond)
		cancel()
		return rename(dst, object, to, n)
	})})
	objects := make([]string, 1000)
	for i := range objects {
		objects[i] = star
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/convert", strings.NewReader(review1(objects...)))
	r.Header.Set("Content-Type", "application/json")
	got := do(h, r)
	if converted != 11 || got.body != "" || got.status != http.StatusServiceUnavailable {
		t.Errorf("%d objects converted, answered %d with %d bytes", converted, got.status, len(got.body))
	}
}

// TestNothingOfTheLastRequest: exchanges and buffers are reused, and hold
// nothing of the request before.
func TestNothingOfTheLastRequest(t *testing.T) {
	h := NewHandler(Options{Tables: loaded(t, nil, rename)})
	for range 100 {
		post(t, h, "/convert", review1(star, star)).expect(t, http.StatusOK, success(starV1, starV1))
		post(t, h, "/convert", review1("1")).expect(t, http.StatusOK, failed("request.objects[0] is a number instead of an object"))
		post(t, h, "/convert", review1()).expect(t, http.StatusOK, success())
		post(t, h, "/convert/ffff", review1(star)).refused(t, http.StatusServiceUnavailable,
			"the table with the fingerprint in the path is not loaded yet; stars.sky.dev has 0123abcd")
		post(t, h, "/convert", "[").refused(t, http.StatusBadRequest, "the body is not valid JSON: byte 1: the JSON ends too early; expected an element or ]")
	}
}
