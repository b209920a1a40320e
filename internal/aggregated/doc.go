// Package aggregated serves two API groups of Crosswalk behind APIServices. In the first, users
// who may create conversions get an object in another version. In the second, the API server
// asks the webhook for verdicts, and identifies itself by doing so.
//
// The server uses the same library as Kubernetes' API server, so clients find what they know:
// discovery, OpenAPI, negotiated encodings, dry run and strict fields. It stores nothing, and
// reads no object of the cluster. The cluster's API server authenticates and authorizes the
// callers.
//
// The path of a request is: Kubernetes' API server, which has authenticated it, and passes it
// on with a certificate of its front proxy and the user's name in headers → delegated.go, which
// trusts the headers because of the certificate, and asks whether the user is authorized →
// conversions.go, which finds the table and converts, or reviews.go, which passes it to the
// webhook.
package aggregated
