// Package registration sees that the API server asks Crosswalk about the writes
// that it should, and no others.
package registration
