package webhooks

import "strings"

// Shorten keeps a message within what a condition holds (metav1.Condition).
func Shorten(message string) string {
	const most, more = 32768, " ..."
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most-len(more)], "") + more
}
