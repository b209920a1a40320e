// Package verify tests conversion tables against the laws of conversion.
//
// It generates objects from structural schemas, and also whole tables. It converts the objects
// between every pair of versions, and reports each violation of a law as a [Counterexample],
// reduced to a small table and object:
//
//	L1  A → B → A gives back A.
//	L2  After any edit of the B view, B → A → B gives back the edited view.
//	L3  Any JSON object of a known version converts.
//	L4  The same bytes in give the same bytes out, and repeated conversions do not grow an object.
//	L5  A → C is A → hub → C, byte for byte.
//	L6  An object born in B needs no annotation unless B holds more than A.
//	L7  What was kept under an earlier table is not lost under a later one.
//	L8  No object costs more than a few times what decoding it does, in time and memory.
//	    A conversion ends soon after its caller has gone.
//
// To show that the laws find mistakes, mutants_test.go plants one mistake at a time in the
// engine. The law that is meant for the mistake must find it.
//
// [Costs] tests L8 apart from the others, because it measures time and memory. The other laws
// depend neither on the clock nor on a global source of randomness: the same seed gives the
// same run.
package verify
