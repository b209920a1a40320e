package webhook

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// envelope holds what the members around the objects say, as spans of the body
// that are empty where the member is missing.
type envelope struct {
	body, kind, apiVersion, request, uid, desired, objects jsontext.Span
}

// check fills in rev from the envelope, or says in an *httpError why nobody
// could answer it with a review.
func (e *envelope) check(body []byte, rev *review) error {
	if e.body.End == 0 {
		return malformed("the body is empty, want a ConversionReview")
	}
	if body[e.body.Start] != '{' {
		return malformed("the body is " + describe(e.body.Bytes(body)) + ", want a ConversionReview")
	}
	kind, err := wantString(body, e.kind, "kind")
	if err != nil {
		return err
	}
	apiVersion, err := wantString(body, e.apiVersion, "apiVersion")
	if err != nil {
		return err
	}
	switch {
	case string(kind) != "ConversionReview":
		return malformed("kind is not ConversionReview")
	case string(apiVersion) == reviewV1.String():
		rev.version = reviewV1
	case string(apiVersion) == reviewV1beta1.String():
		rev.version = reviewV1beta1
	default:
		return malformed("apiVersion is neither " + reviewV1.String() + " nor " + reviewV1beta1.String())
	}
	if err := want(body, e.request, "request", '{', "an object"); err != nil {
		return err
	}
	uid, err := wantString(body, e.uid, "request.uid")
	if err != nil {
		return err
	}
	if len(uid) == 0 {
		return malformed("request.uid is empty")
	}
	rev.uid = e.uid
	desired, err := wantString(body, e.desired, "request.desiredAPIVersion")
	if err != nil {
		return err
	}
	group, version, ok := bytes.Cut(desired, []byte{'/'})
	if !ok || len(group) == 0 || len(version) == 0 || bytes.IndexByte(version, '/') >= 0 {
		return malformed("request.desiredAPIVersion is not of the form group/version")
	}
	rev.group, rev.desired = group, version
	// A Go client without objects sends null, and the types make no difference
	// between that, an empty array and nothing at all.
	if e.objects.End == 0 || body[e.objects.Start] == 'n' {
		return nil
	}
	return want(body, e.objects, "request.objects", '[', "an array")
}

// wantString returns the characters of a string.
func wantString(body []byte, span jsontext.Span, name string) ([]byte, error) {
	if err := want(body, span, name, '"', "a string"); err != nil {
		return nil, err
	}
	return text(body, span), nil
}

// want fails unless there is a value that begins with first.
func want(body []byte, span jsontext.Span, name string, first byte, what string) error {
	if span.End == 0 {
		return malformed(name + " is missing")
	}
	if body[span.Start] != first {
		return malformed(name + " is " + describe(span.Bytes(body)) + ", want " + what)
	}
	return nil
}

// text returns the characters of the string, quotes included, at span. They
// are the body's own bytes unless there are escapes.
func text(body []byte, span jsontext.Span) []byte {
	inside := body[span.Start+1 : span.End-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return jsontext.Unquote(nil, inside)
}

// describe says what kind of value begins with these bytes.
func describe(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// place is where in a review the decoder is.
type place struct{ object int }

func (p place) String() string {
	if p.object < 0 {
		return ""
	}
	return "in request.objects[" + strconv.Itoa(p.object) + "]: "
}

func malformed(sentence string) error {
	return &httpError{status: http.StatusBadRequest, sentence: sentence}
}
