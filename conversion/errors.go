package conversion

import (
	"fmt"
	"strings"
)

// Error says which object could not be converted, where and why. It never
// holds a value of the object.
type Error struct {
	Kind      string
	Namespace string
	Name      string
	// From and To are versions without their group; From is empty where the
	// object's version could not be read.
	From, To string
	// Pointer is a JSON pointer (RFC 6901) to the place, empty for the whole
	// object.
	Pointer string
	// Offset is the byte offset in the object, or -1 where there is none.
	Offset int
	// Reason says what is wrong, and how to mend it where that is not plain.
	Reason string
	// Cause is that of the context, where nobody waits for the conversion any more, and nil
	// where it failed for another reason.
	Cause error
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error formats as
//
//	CronTab default/backup: v1beta1 to v1: at /spec/hostPort (byte 214): reason
func (e *Error) Error() string {
	var b strings.Builder
	kind := e.Kind
	if kind == "" {
		kind = "object"
	}
	b.WriteString(kind)
	switch {
	case e.Namespace != "" && e.Name != "":
		fmt.Fprintf(&b, " %s/%s", e.Namespace, e.Name)
	case e.Name != "":
		fmt.Fprintf(&b, " %s", e.Name)
	}
	switch {
	case e.From != "" && e.To != "":
		fmt.Fprintf(&b, ": %s to %s", e.From, e.To)
	case e.To != "":
		fmt.Fprintf(&b, ": to %s", e.To)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, ": at %s", e.Pointer)
		if e.Offset >= 0 {
			fmt.Fprintf(&b, " (byte %d)", e.Offset)
		}
	} else if e.Offset >= 0 {
		fmt.Fprintf(&b, ": at byte %d", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Reason)
	return b.String()
}
