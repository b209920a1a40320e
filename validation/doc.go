// Package validation decides about writes.
//
// A [Reviewer] reviews one AdmissionRequest and returns a [Verdict]: every cause of a denial
// with its field, warnings, and for a mutation the new object. Reviewers know no HTTP and do no
// I/O. They look up other objects through an interface. The package webhook encodes their
// verdicts for the API server.
package validation
