package webhook

import "github.com/crosswalk-dev/crosswalk/internal/jsontext"

// review is a ConversionReview as it was sent. It holds positions in the body
// and next to nothing decoded.
type review struct {
	version reviewVersion
	// uid is the JSON string, quotes included: it is handed back as it came.
	uid jsontext.Span
	// group and desired are the halves of desiredAPIVersion.
	group, desired []byte
	// objects end with the first that has a problem.
	objects []element
}

// work is how much memory the work on the review takes, besides its body and its answer:
// that on its largest object, since it is one after the other, and what is noted of all.
func (r *review) work() int {
	var largest int32
	for i := range r.objects {
		largest = max(largest, r.objects[i].span.End-r.objects[i].span.Start)
	}
	return int(largest)*workPerByte + cap(r.objects)*elementSize
}

// element is one entry of request.objects.
type element struct {
	span jsontext.Span
	// kind and apiVersion are these members' strings, quotes included; empty
	// where the member is missing or no string, or the entry no object.
	kind, apiVersion jsontext.Span
	isObject         bool
}

// problem says why nobody could convert e, or nothing.
func (e *element) problem(body []byte) string {
	switch {
	case !e.isObject:
		return "is " + describe(e.span.Bytes(body)) + ", want an object"
	case !isString(e.kind, body), e.kind.End-e.kind.Start == int32(len(`""`)):
		return "has no kind"
	}
	return ""
}

// reviewVersion is the version of the review itself: the answer has the same.
type reviewVersion int

const (
	reviewV1 reviewVersion = iota
	reviewV1beta1
)

func (v reviewVersion) String() string {
	if v == reviewV1beta1 {
		return "apiextensions.k8s.io/v1beta1"
	}
	return "apiextensions.k8s.io/v1"
}
