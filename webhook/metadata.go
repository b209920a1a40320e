package webhook

import (
	"bytes"
	"errors"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// withMetadata adds "metadata":{} to the object at dst[start:] unless it has that member. The
// API server rejects a converted object without it, even if the object in the request had none
// (restoreObjectMeta in
// k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go).
//
// It reads up to the metadata, which the API server sorts before spec, and trusts the converter
// to have written valid JSON.
func withMetadata(s *jsontext.Scanner, dst []byte, start int) ([]byte, error) {
	s.Reset(dst)
	pos := s.Space(start)
	if pos == len(dst) || dst[pos] != '{' {
		return dst, errNoObject
	}
	members := 0
	o := s.Object(pos)
	for {
		name, more, err := o.Next()
		if err != nil {
			return dst, errNoObject
		}
		if !more {
			break
		}
		members++
		if isMetadata(name, dst) {
			return dst, nil
		}
		if o.End, err = s.Value(o.Value, 4); err != nil {
			return dst, errNoObject
		}
	}
	dst = dst[:o.End-1]
	if members > 0 {
		dst = append(dst, ',')
	}
	return append(dst, `"metadata":{}}`...), nil
}

var errNoObject = errors.New("the converter did not return a JSON object; this is a defect of the converter")

func isMetadata(name jsontext.Name, src []byte) bool {
	if name.Escaped {
		return string(jsontext.Unquote(nil, name.Bytes(src))) == "metadata"
	}
	return bytes.Equal(name.Bytes(src), []byte("metadata"))
}
