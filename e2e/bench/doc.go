// Package bench measures Crosswalk's handler against that of
// controller-runtime, which most conversion webhooks are built with, on the
// same reviews in one run. Every answer is first proved equal.
package bench
