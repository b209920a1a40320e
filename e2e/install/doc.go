// Package install holds the end-to-end tests of deploy/ as it is: that it applies,
// that its Pods pass the Pod security that its namespace asks for, and that its
// accounts may do what they need and no more.
package install
