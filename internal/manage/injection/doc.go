// Package injection keeps Crosswalk's CA bundle in the objects that ask for it:
// CustomResourceDefinitions, webhook configurations and APIServices with the
// annotation crosswalk.dev/inject-ca: "true".
//
// It watches metadata only, because a cluster may hold thousands of CRDs, and
// reads an object whole when it is about to look at its bundles. What to write
// is for package certs/inject to say.
package injection
