package conversion

import (
	"fmt"
	"strings"
)

// Error is a failed conversion: the object, the field and the reason. It never contains a value
// of the object.
type Error struct {
	Kind      string
	Namespace string
	Name      string
	// From and To are versions without their group. From is empty if the object's version could
	// not be read.
	From, To string
	// Pointer is a JSON pointer (RFC 6901) to the field, empty for the whole object.
	Pointer string
	// Offset is the byte offset in the object, or -1 if there is none.
	Offset int
	// Reason is what is wrong, with the remedy unless it is obvious.
	Reason string
	// Cause is the cause of the context if the client has stopped waiting, and nil for all
	// other errors.
	Cause error
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error returns the message in this form:
//
// CronTab default/backup: v1beta1 to v1: at /spec/hostPort (byte 214): reason
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
