package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Strip appends object to dst, without Crosswalk's own annotations. Use it for exports. The
// copy lacks the values that the object's version can't represent. Strip also removes
// annotations and metadata that contained nothing else.
func Strip(dst, text []byte) ([]byte, error) {
	out, err := object.Strip(dst, text)
	if err != nil {
		return dst, &Error{Offset: offset(err), Reason: err.Error()}
	}
	return out, nil
}

func offset(err error) int {
	if syntax, ok := err.(*jsontext.SyntaxError); ok {
		return syntax.Offset
	}
	return -1
}
