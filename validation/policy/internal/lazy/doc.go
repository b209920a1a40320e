// Package lazy gives CEL the values of a JSON text without decoding it.
//
// An object or a list is looked into when an expression first reaches it: its
// members are found, and nothing below them is read. What no expression reaches
// is skipped over and never copied. To an expression there is no difference from
// the decoded object that apiserver gives its own policies: numbers are integers
// where they are written as such and fit an int64, and doubles otherwise.
//
// Values are for one goroutine, and for as long as the text stays unchanged.
// Strings are copies, so a result may outlive the text.
package lazy
