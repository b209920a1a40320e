// Package verify tests conversion tables against the laws of conversion.
//
// It generates objects from structural schemas, and tables from nothing, sends
// them through a converter between every pair of versions, and reports what
// breaks a law as a [Counterexample], shrunk to a small table and object:
//
//	L1  A → B → A gives back A.
//	L2  After any edit of the B view, B → A → B gives back the edited view.
//	L3  Any JSON object of a known version converts.
//	L4  The same bytes in give the same bytes out, and repeating trips grows nothing.
//	L5  A → C is A → hub → C, byte for byte.
//	L6  An object born in B needs no annotation unless B holds more than A.
//	L7  What was kept under an earlier table is not lost under a later one.
//	L8  No object costs more than a few times what decoding it does, in time and memory.
//	    A conversion ends soon after its caller has gone.
//
// That the laws find mistakes is proven on mutants: the engine with one mistake
// each, of which every one must break the law that is meant for it (mutants_test.go).
//
// L8 is judged apart from the others, by [Costs], which measures. Nothing else here
// reads a clock, and nothing a global source of randomness: one seed gives one run.
package verify
