// Package complement makes a conversion that loses nothing out of a way that may. It converts,
// restores what was kept for the target's version, converts back, and keeps what then differs from
// the source. docs/architecture.md explains why that is right, and has an example.
//
// The files, in the order in which a conversion needs them:
//
//	step.go, pool.go            the conversion itself, and its memory
//	tree.go, change.go          an object as nodes over its text, and changes of it
//	place.go                    what the plan knows of the place of a value
//	restore.go, locate.go       the places and guards of entries
//	write.go                    entries are put into the view
//	fill.go                     the defaults of what is made for them, or later by rows
//	address.go, index.go        which element an entry is about
//	order.go                    the order of a list
//	hash.go, reads.go           guards
//	prove.go                    entries of an earlier table
//	code.go                     entries of Go code
//	difference.go, elements.go  what converting back loses
//	same.go                     whether two values are the same
//	origin.go                   which element was made of which
//	bundle.go, annotate.go      the stash, within the room that annotations have
//	explain.go, explain_kept.go what is told of all that
//
// Each has its tests beside it. They are stories: an object, an edit, and what comes back.
package complement
