package webhook

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Converter converts the objects of one kind. *conversion.Converter implements it for tables,
// and *typed.Converter for Go code.
type Converter interface {
	// Name returns the name of the CRD, such as crontabs.stable.example.com.
	Name() string
	Group() string
	Kind() string
	// Versions returns all versions of the CRD.
	Versions() []string
	// Fingerprint identifies the table, also in a URL path. It is lower-case hex.
	Fingerprint() string
	// ConvertNoting converts the object to the version `to`, appends the result to dst, and
	// adds to notes. Many goroutines call it at once. It must not keep or change object. It
	// must fail unless object is I-JSON (RFC 7493), because nothing else validates all bytes of
	// the object. The result must be a JSON object. Once ctx is done, ConvertNoting should
	// return at once, with any error.
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}

// Kept is a Converter whose table has the fingerprint that another process gave it: a process
// of another release, or with other Go functions.
type Kept interface {
	// Compiled returns the fingerprint that this process gives the table.
	Compiled() string
}

// Guardian is a Converter that also checks writes, for [Guard] and [StrictWrites].
// *conversion.Converter and *typed.Converter implement it. An error of its methods means that
// the written object is not an object of the kind. The API server rejects such an object
// itself.
type Guardian interface {
	// Guard appends the written object to dst, with the stashes that are valid and nothing else
	// changed. old is nil if the object is created. manager is the field manager of the
	// request, or empty.
	Guard(ctx context.Context, dst, object, old []byte, manager string) ([]byte, error)
	// Check finds the values of a write that other versions can't represent. It ignores values
	// that the write does not change.
	Check(ctx context.Context, object, old []byte) ([]conversion.Finding, error)
	// ConvertNoting is the same as in Converter.
	ConvertNoting(ctx context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
	// Schema returns the schema of a version, or nil if it has none. Values in a stash are
	// checked against it.
	Schema(version string) *apiextensionsv1.JSONSchemaProps
}
