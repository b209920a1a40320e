// Package jsontext handles the syntax of JSON: it finds and validates values in bytes, and does
// not interpret them.
//
// A [Scanner] moves over bytes by position and decodes nothing. It accepts I-JSON (RFC 7493):
// valid UTF-8, no lone surrogates, no member twice in one object. All positions and spans are
// byte offsets into the scanner's input.
package jsontext
