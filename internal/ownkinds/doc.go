// Package ownkinds reviews writes of objects that Crosswalk depends on: its own kinds, and
// spec.conversion of CRDs that it converts.
package ownkinds
