// Package corpus holds policies as clusters have them, with the writes that they are
// about, and compares what crosswalk admit says of every write with what a real API
// server does: the verdict, what kubectl prints, what policies are shown, and what they have changed.
//
// Every folder is a set: policies.yaml; cases.yaml, the writes with the verdicts that are
// expected, as in docs/policies.md; and, where they are needed, CRDs in crds.yaml, and
// other objects that there are in there.yaml. Expectations are for readers and for admit alone;
// the API server is held against all that admit says.
package corpus
