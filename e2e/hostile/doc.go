// Package hostile holds the end-to-end test of requests that no API server sends:
// they go to the real program over TLS, and each must get a clear answer and leave
// it serving.
package hostile
