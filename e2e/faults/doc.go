// Package faults breaks what Crosswalk depends on, one thing after the other, and tests that
// statuses, metrics and health report each fault soon.
package faults
