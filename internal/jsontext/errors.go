package jsontext

import "fmt"

// SyntaxError describes what is wrong with a text, and where.
type SyntaxError struct {
	// Offset is the byte offset of the error.
	Offset int
	// Reason explains the error. Of the input it contains only single characters and member
	// names.
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason)
}

func unexpected(src []byte, pos int, want string) error {
	if pos >= len(src) {
		return &SyntaxError{Offset: pos, Reason: "the JSON ends too early; expected " + want}
	}
	return &SyntaxError{Offset: pos, Reason: fmt.Sprintf("unexpected %q; expected %s", rune(src[pos]), want)}
}
