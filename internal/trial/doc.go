// Package trial puts the tables of a configuration to the laws of conversion, for
// crosswalk verify: with generated objects, with real ones from files and from a
// cluster, and with what both tell about the rows.
package trial
