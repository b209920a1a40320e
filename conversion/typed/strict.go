package typed

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/caller"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// Check returns the fields of now for which the code returns an error or panics, and the values
// for which annotations have no room. old is the object before the write, or nil on a creation.
// The messages contain the text of the code's errors, for the writer of the object.
//
// Check reports only fields that the write changes. It finds them by converting the object with
// the old value of a field, or without the field. Values that the code drops without an error
// are kept, and not reported. Check stops when ctx is done, as ConvertNoting does. Errors are
// of type *conversion.Error.
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

// refused returns the field of a document that the code fails to convert to a version.
func (c *Converter) refused(ctx context.Context, document, before map[string]any, version, to string, created bool) (findings []conversion.Finding, err error) {
	defer caller.Catch(&err)
	head, err := readHead(document, new(way.Made), [2]string{version, to}, 0)
	if err != nil {
		return nil, err
	}
	if field, err := blame(c.direction(ctx, head, version, to), viewOf(document), before, created); err != nil {
		findings = append(findings, conversion.Finding{Field: field, Message: refusal(to, err)})
	}
	return findings, nil
}

// maxMessage is the most bytes of the code's error in a message, so that the remedy is not cut
// off.
const maxMessage = 512

// refusal returns the message for the writer of an object.
func refusal(to string, err error) string {
	message := strings.ToValidUTF8(err.Error(), "\uFFFD")
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	if _, panicked := errors.AsType[*panicError](err); panicked {
		return fmt.Sprintf("the value can't be represented in %s: %s; use another value, and report this to the maintainer of the code", to, message)
	}
	return fmt.Sprintf("the value can't be represented in %s: the code that converts it returns: %s; use a value that it converts", to, message)
}
