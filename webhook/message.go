package webhook

import (
	"strings"
	"unicode/utf8"
)

// shorten makes a message valid UTF-8 of at most maxMessage bytes. The middle
// goes: the beginning names the object, the end says what is wrong.
func shorten(message string) string {
	message = strings.ToValidUTF8(message, "\uFFFD")
	if len(message) <= maxMessage {
		return message
	}
	const gap = " … "
	head, tail := (maxMessage-len(gap))/2, len(message)-(maxMessage-len(gap))/2
	for !utf8.RuneStart(message[head]) {
		head--
	}
	for !utf8.RuneStart(message[tail]) {
		tail++
	}
	return message[:head] + gap + message[tail:]
}
