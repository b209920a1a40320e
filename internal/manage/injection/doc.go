// Package injection writes CA bundles into the objects that ask for them:
// CustomResourceDefinitions, webhook configurations and APIServices with the annotation
// crosswalk.dev/inject-ca: "true", for Crosswalk's own CA, or crosswalk.dev/inject-ca-from, for
// the CA of a Secret whose owner has consented.
//
// It watches only metadata, because a cluster may have thousands of CRDs, and reads a whole
// object when it checks its bundles. Package certs/inject decides what to write.
package injection
