// Package injection tests that CA bundles reach the objects that ask for them on
// a real API server: with the rights of deploy/base and no others, among other
// managers of the same objects.
package injection
