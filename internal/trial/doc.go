// Package trial checks the tables of a configuration against the laws of conversion, for
// crosswalk verify: with generated objects, with real ones from files and from a cluster. It
// also reports what the objects tell about each row.
package trial
