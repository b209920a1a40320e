// Package migrate holds the end-to-end tests of `crosswalk migrate`: a real API
// server and etcd, the real program, and Crosswalk as the converter. What a
// migration changes, and what it leaves alone, is read from etcd.
package migrate
