// Package offline converts the objects in files, for crosswalk convert.
//
// It changes only objects of kinds with a table. Every other document, and everything between
// documents, is copied byte for byte. A document that cannot be converted is reported and left
// out. The others are converted nevertheless.
package offline
