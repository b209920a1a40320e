package tell

import "strings"

const (
	maxMessage = 32768 // of a condition, in bytes (metav1.Condition)
	maxNote    = 1024  // of an Event, in bytes (k8s.io/api/events/v1)
)

// Message returns a text that fits into a condition.
func Message(text string) string { return cut(text, maxMessage) }

// Note returns a text that fits into an Event.
func Note(text string) string { return cut(text, maxNote) }

func cut(text string, most int) string {
	const more = " ..."
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-len(more)], "") + more
}
