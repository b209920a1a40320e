// Package audit tests crosswalk audit on a real API server, which is the oracle: what audit finds
// about an object is what the API server answers if the object is created again.
package audit
