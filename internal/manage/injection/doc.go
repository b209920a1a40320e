// Package injection keeps CA bundles in the objects that ask for them:
// CustomResourceDefinitions, webhook configurations and APIServices with the annotation
// crosswalk.dev/inject-ca: "true", for Crosswalk's own, or crosswalk.dev/inject-ca-from, for
// that of a Secret whose owner has consented.
//
// It watches metadata only, because a cluster may hold thousands of CRDs, and
// reads an object whole when it is about to look at its bundles. What to write
// is for package certs/inject to say.
package injection
