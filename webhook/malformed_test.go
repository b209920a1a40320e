package webhook

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestMalformedComesFirst: what is inside the objects is validated by their
// converters, and only as far as those get. Whatever else is wrong with a
// review, a body that is no JSON is answered as such.
func TestMalformedComesFirst(t *testing.T) {
	fails := func(dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) { return dst, errors.New("no") }
	panics := func([]byte, []byte, string, *conversion.Notes) ([]byte, error) { panic("no") }
	tests := []struct {
		name    string
		convert func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
		objects []string
		want    string // after the place
	}{
		{"the object that fails", fails, []string{`{"kind":"Star","a":"\ud800"}`}, "[0]: byte 153: a lone surrogate is not a character"},
		{"behind one that fails", fails, []string{star, `{"kind":"Star","a":01}`}, "[1]: byte 267: unexpected '1'; expected a comma or }"},
		{"behind one that panics", panics, []string{star, `{"a":[{"b":1,"b":2}]}`}, "[1]: byte 260: the member \"b\" occurs twice in one object"},
		{"behind a kind that nobody converts", rename, []string{`{"kind":"Planet"}`, `{"a":[}}`}, "[1]: byte 157: unexpected '}'; expected a value"},
		{"behind what is no object", rename, []string{"1", "{\"a\":\"\xff\"}"}, "[1]: byte 141: invalid UTF-8 in a string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := NewHandler(Options{Tables: loaded(t, nil, test.convert)})
			post(t, h, "/convert", review1(test.objects...)).refused(t, http.StatusBadRequest,
				"the body is not valid JSON: in request.objects"+test.want)
		})
	}
}

// TestMalformedInside: the engine's converters do validate.
func TestMalformedInside(t *testing.T) {
	h := NewHandler(Options{Tables: crontabs(t)})
	for _, inside := range []string{`{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", "01", `[}`, `{"a"]`} {
		for _, place := range []string{`"spec":{`, `"metadata":{`, `"labels":{`, `"kind":"CronTab",`} {
			body := strings.Replace(crontabReview(1200, 1), place, place+`"x":`+inside+`,`, 1)
			if got := post(t, h, "/convert", body); got.status != http.StatusBadRequest || !strings.Contains(got.body, "in request.objects[0]: byte") {
				t.Errorf("%s after %s: got %d %.300s", inside, place, got.status, got.body)
			}
		}
	}
}
