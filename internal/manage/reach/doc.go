// Package reach finds crosswalk serve as the API server does: every ready replica,
// the Service in front of them, and the CA bundle by which they are believed. What
// changes a cluster asks them first, so that the API server is never told of
// somebody who would not answer.
package reach
