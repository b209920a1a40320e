// Package ownkinds decides about writes of what Crosswalk itself lives on: its own
// kinds, and the spec.conversion of CRDs that it converts.
package ownkinds
