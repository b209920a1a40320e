// Package validation decides about writes.
//
// A [Reviewer] looks at one AdmissionRequest and gives a [Verdict]: every reason
// against the write with its field, warnings, and for a mutation the object as it
// should be. Reviewers know no HTTP and do no I/O; what they may look up comes to
// them through an interface. The package webhook turns reviewers into the answers
// that the API server understands.
package validation
