// Package cost judges law L8: a conversion costs no more than its object is worth.
//
// Whoever may write an object may make it as large as the API server takes, and fill its
// annotations with stashes that no conversion has written. Neither may keep a conversion busy,
// nor fill the memory. [Law] says what a conversion may cost, [Measure] measures what it costs,
// and [Judge] holds a [Family] of objects against the law: one way to write an object, at a
// quarter, a half and the whole of a size.
//
// # Families
//
// [Families] has a family for each object that once cost too much or that could, by a name of its
// own (named.go, mappings.go). Then it pairs a place that grows in one version with a place of
// another version, for a few tables, and fills the stash of that version in every way there
// is (pairings.go, forge.go): as the table's own, which conversions believe, and as that of
// another table, of which they try which have a place. [Drawn] does the same at random for tables that are
// generated (drawn.go, places.go, grow.go). What falls short of the law today is listed with
// its numbers in shortfalls.go. Whoever mends something strikes it from there.
//
// # Time
//
// Times are CPU times: that of the conversion and that of encoding/json, in the same process
// one after the other. The least of several runs counts, since other work can only make them
// longer. The garbage collector's work is part of both. What seems too slow is measured once
// more before it is called so. Short work is repeated until it can be measured.
//
// Growth is judged apart from size: by the exponent of the time between a quarter and the whole.
// So what is quadratic is found on objects that are small enough to be measured.
//
// # Callers that go
//
// An API server gives up after some time. What it has given up must end soon, so a conversion
// looks again and again whether its caller is still there. How long it works between two looks is
// measured on the largest object, in CPU time again. The reading of one string by a row of text
// is never interrupted.
//
// # Memory
//
// What counts is the most that is alive at once during the conversion, without the room for its
// result, which the caller provides. All that a conversion allocates is an upper bound that is
// cheap to measure: where that is within the law, so is the conversion. Only otherwise is the
// object converted twice more while the collector runs after every 5 % of growth, and the most
// that any collection finds alive counts, the lesser of the two. The collector takes for alive
// what is allocated while it marks, so the number is somewhat too large if anything. The tree is
// measured likewise: what is alive because of it.
package cost
