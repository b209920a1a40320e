// Package oracle holds tables against Kubernetes' own converters, and what Crosswalk knows
// of Kubernetes' own kinds against Kubernetes.
//
// Each folder is a built-in kind that Kubernetes converts in compiled Go:
// crosswalk.yaml says the same as a table, and differences.yaml lists where the
// two do not agree, and why. The table of HorizontalPodAutoscaler is the example's. The
// program in e2e/controlplane/oracle fills objects with Kubernetes' fuzzers and says what
// its converters make of them; the CRDs are the schemas that Kubernetes publishes, as
// that program prints them.
//
// In the same way, objects of every kind are read by [builtin.Read] and by Kubernetes.
package oracle
