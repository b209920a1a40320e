package typed

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/writes"
)

// Guard appends now, which a client wants to write over old, to dst, with the valid stashes.
// [conversion.Converter.Guard] does the same for tables.
func (c *Converter) Guard(ctx context.Context, dst, now, old []byte, manager string) ([]byte, error) {
	document, version, err := c.read(now, c.hub, object.LargestMaxSize)
	if err != nil {
		return dst, err
	}
	if old != nil {
		if err := object.Check(old); err != nil {
			return dst, c.fail(nil, version, version, err)
		}
	}
	out := c.guard(ctx).Settle(dst, now, old, version, manager)
	if err := caller.Gone(ctx); err != nil {
		return dst, c.fail(document, version, version, err)
	}
	return out, nil
}

// guard returns the guard of the kind. Its result is of no use after ctx is done.
func (c *Converter) guard(ctx context.Context) writes.Guard {
	return writes.Guard{
		Group: c.group, Versions: c.versions, HasStatus: c.hasStatus,
		Convert: func(text []byte, to string) ([]byte, int, error) {
			_, from, err := c.read(text, to, object.LargestMaxSize)
			if err != nil || from == to {
				return text, 0, err
			}
			var notes conversion.Notes
			made, err := c.convert(ctx, nil, text, from, to, &notes)
			return made, notes.LeftOut, err
		},
	}
}

// Schema returns the schema of a version from the CRD, or nil if there is none. It must not be
// modified.
func (c *Converter) Schema(version string) *apiextensionsv1.JSONSchemaProps {
	return c.schemas[version]
}
