// Package faults breaks what Crosswalk depends on, one thing after the other, and tests that
// statuses, metrics, health and crosswalk doctor report each fault soon. The commands that
// doctor prints are run.
package faults
