package typed

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
)

// Check finds what of now, which somebody wants to write over old, the code returns
// an error or panics for, and what has no room in annotations. old is nil when the
// object is created. What the code says is for the one who writes.
//
// Only what the write changes is to blame: that the code converts the object with
// the old value, or without any, shows the place. What the code drops in silence is
// kept, and no finding. It ends with ctx as ConvertNoting does. Errors are of type
// *conversion.Error.
func (c *Converter) Check(ctx context.Context, now, old []byte) ([]conversion.Finding, error) {
	document, version, err := c.read(now, c.hub, object.LargestMaxSize)
	if err != nil {
		return nil, err
	}
	before := viewOf(nil)
	if old != nil {
		last, _, err := c.read(old, c.hub, object.LargestMaxSize)
		if err != nil {
			return nil, err
		}
		before = viewOf(last)
	}
	var findings []conversion.Finding
	if err := checkSize(now, c.maxSize); err != nil && checkSize(old, c.maxSize) == nil {
		findings = append(findings, conversion.Finding{Message: "no other version can represent it: " + err.Error()})
	}
	for _, to := range c.versions {
		if to == version || version != c.hub && to != c.hub {
			continue
		}
		refused, err := c.refused(ctx, document, before, version, to, old == nil)
		if err != nil {
			return nil, c.fail(document, version, to, err)
		}
		findings = append(findings, refused...)
	}
	for _, none := range c.guard(ctx).NoRoom(now, old, version) {
		findings = append(findings, conversion.Finding{Field: none.Places, Message: none.Message})
	}
	if err := caller.Gone(ctx); err != nil {
		return nil, c.fail(document, version, version, err)
	}
	return findings, nil
}

// refused finds what of a document the code does not convert to a version.
func (c *Converter) refused(ctx context.Context, document, before map[string]any, version, to string, created bool) (findings []conversion.Finding, err error) {
	defer caller.Catch(&err)
	head, err := readHead(document, version, to, new(conversion.Notes))
	if err != nil {
		return nil, err
	}
	if field, err := blame(c.way(ctx, head, version, to), viewOf(document), before, created); err != nil {
		findings = append(findings, conversion.Finding{Field: field, Message: refusal(to, err)})
	}
	return findings, nil
}

// maxSaid is how much of the code's words a message holds, so that there is room for
// what to do.
const maxSaid = 512

// refusal tells whoever writes what the code says.
func refusal(to string, err error) string {
	said := strings.ToValidUTF8(err.Error(), "\uFFFD")
	if len(said) > maxSaid {
		said = strings.ToValidUTF8(said[:maxSaid], "") + "…"
	}
	if _, panicked := errors.AsType[*panicError](err); panicked {
		return fmt.Sprintf("the value can't be represented in %s: %s; use another value, and report this to the maintainer of the code", to, said)
	}
	return fmt.Sprintf("the value can't be represented in %s: the code that converts it returns: %s; use a value that it converts", to, said)
}
