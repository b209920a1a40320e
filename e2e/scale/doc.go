// Package scale holds what is measured of a cluster with hundreds of kinds and policies:
// how soon all hold, how much memory that takes, and that nothing is written where nothing
// changes.
package scale
