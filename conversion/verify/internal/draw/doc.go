// Package draw draws JSON from structural schemas: values for every keyword that CRDs
// allow, names and texts that are hard to carry. It counts the classes of what it drew.
package draw
