package webhook

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Converter converts the objects of one kind. *conversion.Converter is one, for
// tables, and *typed.Converter, for Go code.
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
	// object. Once ctx is done it should return at once, with any error.
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}

// Kept is a Converter of a table that was kept under the fingerprint that another
// process gave it: one of another release, or with other Go functions.
type Kept interface {
	// Compiled is the fingerprint that this process gives the table.
	Compiled() string
}

// Guardian is a Converter that also looks at writes, for [Guard] and [StrictWrites].
// *conversion.Converter and *typed.Converter are both. Errors of its methods mean
// that what is written is no object of the kind, which the API server refuses itself.
type Guardian interface {
	// Guard appends the object that is written to dst with the stashes that count
	// and nothing else changed; old is nil where it is created. manager is the
	// field manager of the request, empty where it names none.
	Guard(ctx context.Context, dst, object, old []byte, manager string) ([]byte, error)
	// Check finds what other versions could not show of what the write changes.
	Check(ctx context.Context, object, old []byte) ([]conversion.Finding, error)
	// ConvertNoting is that of Converter.
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
	// Schema is the schema of a version, nil where it has none: what a stash holds
	// is checked by it.
	Schema(version string) *apiextensionsv1.JSONSchemaProps
}
