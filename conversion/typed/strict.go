package typed

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/object"
)

// Check finds what of now, which somebody wants to write over old, the code returns
// an error or panics for, and what has no room in annotations. old is nil when the
// object is created. What the code says is for the one who writes.
//
// Only what the write changes is to blame: that the code converts the object with
// the old value, or without any, shows the place. What the code drops in silence is
// kept, and no finding. Errors are of type *conversion.Error.
func (c *Converter) Check(now, old []byte) ([]conversion.Finding, error) {
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
		findings = append(findings, conversion.Finding{Message: "no other version could show it: " + err.Error()})
	}
	for _, to := range c.versions {
		if to == version || version != c.hub && to != c.hub {
			continue
		}
		head, err := readHead(document, version, to, new(conversion.Notes))
		if err != nil {
			return nil, c.fail(document, version, to, err)
		}
		if field, err := blame(c.way(head, version, to), viewOf(document), before, old == nil); err != nil {
			findings = append(findings, conversion.Finding{Field: field, Message: refusal(to, err)})
		}
	}
	for _, none := range c.guard().NoRoom(now, old, version) {
		findings = append(findings, conversion.Finding{Field: none.Places, Message: none.Message})
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
		return fmt.Sprintf("%s could not show it: %s; write another value, and tell who maintains the code", to, said)
	}
	return fmt.Sprintf("%s could not show it: the code that converts it says: %s; write a value that it converts", to, said)
}
