// Package oracle holds tables against Kubernetes' own converters.
//
// Each folder is a built-in kind that Kubernetes converts in compiled Go:
// crosswalk.yaml says the same as a table, and differences.yaml lists where the
// two do not agree, and why. The table of HorizontalPodAutoscaler is the example's. The program in e2e/controlplane/oracle fills objects
// with Kubernetes' fuzzers and says what its converters make of them; the CRDs are
// the schemas that Kubernetes publishes, as that program prints them.
package oracle
