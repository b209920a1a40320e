// Package hostile holds the end-to-end tests of requests that no API server sends, or
// not so many at once: they go to the real program over TLS, and each must get a clear
// answer and leave it serving.
package hostile
