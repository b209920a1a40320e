package webhook

import "github.com/crosswalk-dev/crosswalk/internal/jsontext"

// review is a ConversionReview as the API server sent it. It holds positions in the body and
// almost nothing decoded.
type review struct {
	version reviewVersion
	// uid is the JSON string, quotes included. The answer repeats it unchanged.
	uid jsontext.Span
	// group and desired are the two halves of desiredAPIVersion.
	group, desired []byte
	// objects ends with the first element that has a problem.
	objects []element
}

// work returns how much memory the work on the review takes, besides the body and the answer:
// the work on the largest object, because objects are converted one after the other, and the
// elements.
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
	// kind and apiVersion are these members' strings, quotes included. They are empty if the
	// member is missing or not a string, or the entry is not an object.
	kind, apiVersion jsontext.Span
	isObject         bool
}

// problem explains why e cannot be converted, or returns "".
func (e *element) problem(body []byte) string {
	switch {
	case !e.isObject:
		return "is " + describe(e.span.Bytes(body)) + " instead of an object"
	case !isString(e.kind, body), e.kind.End-e.kind.Start == int32(len(`""`)):
		return "has no kind"
	}
	return ""
}

// reviewVersion is the version of the review itself. The answer has the same version.
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
