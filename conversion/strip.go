package conversion

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Strip appends object without Crosswalk's own annotations to dst. It is meant
// for export: what the object's version cannot hold is gone from the copy.
// Annotations and metadata that held nothing else are removed, too.
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
