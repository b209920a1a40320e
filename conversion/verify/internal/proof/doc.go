// Package proof judges the engine by tables that are generated, and by what conversions cost. It is
// what `make prove` runs: [Run] tests laws L1 to L7 with tables of package weave and with changes of
// them by package evolve, and [Costs] tests L8 with the families of objects of package cost.
//
// Whoever has a table of their own needs only package verify.
//
// To show that the laws find mistakes, mutants_test.go plants one mistake at a time in the engine.
// The law that is meant for the mistake must find it.
package proof
