// Package aggregated serves two API groups of Crosswalk's own behind APIServices. In the
// one, whoever may create conversions gets an object in another version; in the other, the
// API server asks the webhook for verdicts, and shows by that who it is.
//
// It is an API server as Kubernetes' own is, made of the same library, so that clients
// find in it what they know: discovery, OpenAPI, negotiated encodings, dry run and
// strict fields. Nothing is stored, and no object is read from the cluster; who asks,
// and whether he may, is asked of the cluster's API server.
//
// A request walks: Kubernetes' API server, which has authenticated it and passes it on
// with a certificate of its front proxy and the user's name in headers → delegated.go,
// which believes the headers for the certificate's sake, and asks whether the user may →
// conversions.go, which finds the table and converts, or reviews.go, which hands it to the
// webhook.
package aggregated
