package webhook

import "github.com/crosswalk-dev/crosswalk/conversion"

// Converter converts the objects of one kind. *conversion.Converter is one.
type Converter interface {
	// Name is the name of the CRD, as in crontabs.stable.example.com.
	Name() string
	Group() string
	Kind() string
	// Versions are all versions of the CRD.
	Versions() []string
	// Fingerprint tells the table apart from any other, also in a URL path:
	// lower-case hex.
	Fingerprint() string
	// ConvertNoting appends the object, converted to the version `to`, to dst
	// and adds to notes. It is called by many goroutines at once and must not
	// keep or change object. It must fail unless object is I-JSON (RFC 7493):
	// nobody else looks at all of its bytes. What it appends must be a JSON
	// object.
	ConvertNoting(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}
