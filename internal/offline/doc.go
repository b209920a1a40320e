// Package offline converts the objects in files, for crosswalk convert.
//
// Only what a table is for is touched: every other document, and all that
// stands between documents, comes out byte for byte as it went in. One document
// that cannot be converted is reported and left out; the others are not held up.
package offline
