// Package doctor looks for what keeps Crosswalk from working in a cluster. It walks the way of a
// request, from the API server to the stashes of stored objects, and reports what is wrong, why,
// and a command.
//
// The walk is a list of checks ([Run]), one file for each. A check reads the cluster and adds
// findings. It trusts what it sees itself more than the statuses that crosswalk manage writes,
// because manage may be what does not work: a conversion through the API server shows whether
// conversions work, and the serving certificate is compared with every caBundle. Statuses are
// what only manage knows.
//
// Nothing is written. What the API server refuses to tell is reported as not checked, and never
// as fine.
package doctor
