// Package harness starts and drives the programs of an end-to-end test: control
// planes, Crosswalk processes and kubectl. It plays what a cluster would
// otherwise bring, on loopback, and owns every process that it starts: each is
// tied to this process by its standard input or stopped by its Stop method.
//
// Run tests that use it with -count=1: the go command does not see the programs,
// which lie outside the module, and would show results of earlier ones.
package harness
