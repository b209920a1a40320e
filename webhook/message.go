package webhook

import (
	"strings"
	"unicode/utf8"
)

// shorten makes a message valid UTF-8 of at most maxMessage bytes.
func shorten(message string) string { return shortenTo(message, maxMessage) }

// shortenTo makes a message valid UTF-8 of at most so many bytes. It cuts out the middle: the
// beginning names the object, and the end what is wrong.
func shortenTo(message string, most int) string {
	message = strings.ToValidUTF8(message, "\uFFFD")
	if len(message) <= most {
		return message
	}
	const gap = " … "
	head, tail := (most-len(gap))/2, len(message)-(most-len(gap))/2
	for !utf8.RuneStart(message[head]) {
		head--
	}
	for !utf8.RuneStart(message[tail]) {
		tail++
	}
	return message[:head] + gap + message[tail:]
}
