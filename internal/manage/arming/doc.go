// Package arming points spec.conversion of CustomResourceDefinitions at Crosswalk, resets it,
// and writes the result to each Crosswalk's status.
//
// A CRD is armed only after every ready replica of serve, and the Service, have correctly
// converted an object with this very table, and after the API server itself has reached a
// replica through a canary. It is disarmed only if no object can need a conversion any more.
package arming
