package webhook

import "github.com/crosswalk-dev/crosswalk/internal/jsontext"

// maxMessage bounds the message of a Failure review, which the API server passes to the user.
// Names in an object can be as long as the body.
const maxMessage = 2048

// appendHead begins a review. uid is a JSON string, quotes included.
func appendHead(dst []byte, version reviewVersion, uid []byte) []byte {
	dst = append(dst, `{"kind":"ConversionReview","apiVersion":"`...)
	dst = append(dst, version.String()...)
	dst = append(dst, `","response":{"uid":`...)
	return append(dst, uid...)
}

// appendSuccessHead begins a successful review, up to its first object.
func appendSuccessHead(dst []byte, version reviewVersion, uid []byte) []byte {
	return append(appendHead(dst, version, uid), `,"convertedObjects":[`...)
}

// appendSuccessTail ends a successful review.
func appendSuccessTail(dst []byte) []byte {
	return append(dst, `],"result":{"status":"Success"}}}`...)
}

// appendFailure appends a whole review that fails. It has convertedObjects, because the API
// requires that field, and leaves it empty, because the API server ignores it.
func appendFailure(dst []byte, version reviewVersion, uid []byte, message string) []byte {
	dst = append(appendHead(dst, version, uid), `,"convertedObjects":[],"result":{"status":"Failure","message":`...)
	dst = jsontext.Quote(dst, shorten(message))
	return append(dst, `}}}`...)
}
