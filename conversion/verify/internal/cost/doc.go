// Package cost tests law L8: a conversion costs at most a few times what decoding its object does.
//
// Whoever may write an object may make it as large as the API server allows, and fill its
// annotations with stashes that no conversion has written. Neither may keep a conversion busy,
// nor fill the memory. [Law] is what a conversion may cost, [Measure] measures what it costs,
// and [Judge] tests a [Family] of objects by the law: one way to write an object, with a
// quarter, a half and the whole of a size.
//
// # Families
//
// [Families] has a family for each object that once cost too much or that could, with a name of its
// own (named.go, mappings.go). For some tables it also pairs a field that grows in one version with a
// place of another version, and fills the stash of that version in every way there is (pairings.go,
// forge.go): as a stash of this table, whose entries are valid, and as a stash of another table, whose
// entries have to be proved. [Drawn] does the same at random for generated tables (drawn.go, places.go,
// grow.go). The known shortfalls are listed with their numbers in shortfalls.go. Remove them from there
// when they are mended.
//
// # Time
//
// Times are CPU times: that of the conversion and that of encoding/json, in the same process
// one after the other. The least of several runs is taken, because other work can only make them
// longer. The garbage collector's work is part of both. A result that seems too slow is measured
// once more. Short work is repeated until it can be measured.
//
// Growth is tested apart from size, by the exponent of the time between a quarter and the whole.
// So quadratic growth is found with objects that are small enough to be measured.
//
// # Callers that are gone
//
// An API server gives up after some time. A conversion must end soon after that, so it checks
// again and again whether its caller is still there. The time between two checks is measured with the
// largest object, in CPU time again. The parsing of one string by a row of text is never interrupted.
//
// # Memory
//
// The limit is for the most memory that is alive at once during the conversion, without the room for its
// result, which the caller provides. All that a conversion allocates is an upper bound that is
// cheap to measure: if that is within the law, so is the conversion. Otherwise the object is converted
// some times more while the collector runs after every 5 % of growth, and the largest live size is
// taken. [StopTheWorld] makes each such size exact. On a busy machine not every one is seen, so
// one run is not enough.
package cost
