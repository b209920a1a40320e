// Package controllers holds the end-to-end tests of Kubernetes' own controllers
// on converted objects: the garbage collector, the namespace controller and the
// storage version migrator, while Crosswalk answers and while it does not.
package controllers
