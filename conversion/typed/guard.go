package typed

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/writes"
)

// Guard appends now, which somebody wants to write over old, to dst with the stashes
// that count, as [conversion.Converter.Guard] does for tables.
func (c *Converter) Guard(dst, now, old []byte, manager string) ([]byte, error) {
	_, version, err := c.read(now, c.hub, object.LargestMaxSize)
	if err != nil {
		return dst, err
	}
	if old != nil {
		if err := object.Check(old); err != nil {
			return dst, c.fail(nil, version, version, err)
		}
	}
	return c.guard().Settle(dst, now, old, version, manager), nil
}

func (c *Converter) guard() writes.Guard {
	return writes.Guard{
		Group: c.group, Versions: c.versions, HasStatus: c.hasStatus,
		Convert: func(object []byte, to string) ([]byte, int, error) {
			var notes conversion.Notes
			out, err := c.converted(nil, object, to, conversion.LargestMaxSize, &notes)
			return out, notes.LeftOut, err
		},
	}
}

// Schema is the schema of a version as the CRD has it, nil where it has none. It
// must not be changed.
func (c *Converter) Schema(version string) *apiextensionsv1.JSONSchemaProps {
	return c.schemas[version]
}
