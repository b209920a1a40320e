// Package reach finds crosswalk serve as the API server does: every ready replica, the Service,
// and the CA bundle with which they are trusted. The managing role asks them first, so that the
// API server is never configured to call a server that does not answer.
package reach
