package webhooks

import "strings"

// Shorten cuts a message to the size that a condition allows (metav1.Condition).
func Shorten(message string) string {
	const most, more = 32768, " ..."
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most-len(more)], "") + more
}
