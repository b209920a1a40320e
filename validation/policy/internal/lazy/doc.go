// Package lazy provides the values of a JSON text to CEL without decoding it.
//
// An object or a list is opened when an expression first reaches it: its members are found, and
// nothing below them is read. Values that no expression reaches are skipped and never copied.
// To an expression there is no difference from the decoded object in apiserver's own policies:
// numbers are integers if they are written as such and fit an int64, and doubles otherwise.
//
// Values are for one goroutine, and for as long as the text does not change. Strings are
// copies, so a result may be used longer than the text.
package lazy
