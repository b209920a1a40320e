package webhook

import (
	"bytes"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// header holds the members that both kinds of reviews have around their content, as spans of
// the body. A span is empty if the member is missing.
type header struct {
	body, kind, apiVersion, request, uid jsontext.Span
}

// check returns which version of a kind of review the body is. It fails with an *httpError that
// explains why no review can answer the body.
func (h *header) check(body []byte, review string, versions [2]string) (version int, err error) {
	if h.body.End == 0 {
		return 0, malformed("the body is empty; send " + withArticle(review))
	}
	if body[h.body.Start] != '{' {
		return 0, malformed("the body is " + describe(h.body.Bytes(body)) + "; send " + withArticle(review))
	}
	kind, err := wantString(body, h.kind, "kind")
	if err != nil {
		return 0, err
	}
	apiVersion, err := wantString(body, h.apiVersion, "apiVersion")
	if err != nil {
		return 0, err
	}
	switch {
	case string(kind) != review:
		return 0, malformed("kind is not " + review)
	case string(apiVersion) == versions[0]:
	case string(apiVersion) == versions[1]:
		version = 1
	default:
		return 0, malformed("apiVersion is neither " + versions[0] + " nor " + versions[1])
	}
	if err := want(body, h.request, "request", '{', "an object"); err != nil {
		return 0, err
	}
	uid, err := wantString(body, h.uid, "request.uid")
	if err != nil {
		return 0, err
	}
	if len(uid) == 0 {
		return 0, malformed("request.uid is empty")
	}
	return version, nil
}

func withArticle(review string) string {
	if review[0] == 'A' {
		return "an " + review
	}
	return "a " + review
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
		return malformed(name + " is " + describe(span.Bytes(body)) + " instead of " + what)
	}
	return nil
}

// text returns the characters of the string, quotes included, at span. They are the body's own
// bytes unless the string has escapes.
func text(body []byte, span jsontext.Span) []byte {
	inside := body[span.Start+1 : span.End-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return jsontext.Unquote(nil, inside)
}

// describe names the kind of the value that begins with these bytes.
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
