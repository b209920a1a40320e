// Package verify tests conversion tables against the laws of conversion.
//
// It generates objects from structural schemas, converts them between every pair of versions, and
// reports each violation of a law as a [Counterexample], reduced to a small table and object:
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
// A [Judge] tests one table and counts what it has tried; [RunTable] stops at the first violation. L7
// needs the table before: [Subject.After]. L8 measures time and memory; it is tested apart, by package
// internal/proof, which also tests the laws by tables that it generates. The laws here
// depend neither on the clock nor on a global source of randomness: the same seed gives the
// same run.
package verify
