package jsontext

import "fmt"

// SyntaxError says what is wrong with the text and where.
type SyntaxError struct {
	// Offset is the byte offset of what is wrong.
	Offset int
	// Reason says what is wrong, without any of the input but single
	// characters and member names.
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason)
}

func unexpected(src []byte, pos int, want string) error {
	if pos >= len(src) {
		return &SyntaxError{Offset: pos, Reason: "the JSON ends too early, want " + want}
	}
	return &SyntaxError{Offset: pos, Reason: fmt.Sprintf("unexpected %q, want %s", rune(src[pos]), want)}
}
