package webhook

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// envelope holds the members around the objects, as spans of the body. A span is empty if the
// member is missing.
type envelope struct {
	header
	desired, objects jsontext.Span
}

// check fills in rev from the envelope. It fails with an *httpError that explains why no review
// can answer the body.
func (e *envelope) check(body []byte, rev *review) error {
	of, err := e.header.check(body, "ConversionReview", [...]string{reviewV1.String(), reviewV1beta1.String()})
	if err != nil {
		return err
	}
	rev.version, rev.uid = reviewVersion(of), e.uid
	desired, err := wantString(body, e.desired, "request.desiredAPIVersion")
	if err != nil {
		return err
	}
	group, version, ok := bytes.Cut(desired, []byte{'/'})
	if !ok || len(group) == 0 || len(version) == 0 || bytes.IndexByte(version, '/') >= 0 {
		return malformed("request.desiredAPIVersion is not of the form group/version")
	}
	rev.group, rev.desired = group, version
	// A Go client without objects sends null. The types do not distinguish null, an empty array
	// and a missing member.
	if e.objects.End == 0 || body[e.objects.Start] == 'n' {
		return nil
	}
	return want(body, e.objects, "request.objects", '[', "an array")
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
