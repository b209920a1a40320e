// Package arming points the spec.conversion of CustomResourceDefinitions at
// Crosswalk, takes it back, and says in each Crosswalk's status how it stands.
//
// A CRD is armed only after every ready replica of serve, and the Service in
// front of them, has answered a conversion by the very table rightly, and after
// the API server itself has reached a replica through a canary. It is disarmed
// only where no object can need a conversion any more.
package arming
