package builtin

import "sync"

// The sources of all defaults are the defaults.go of k8s.io/kubernetes/pkg/apis, the
// markers +default of k8s.io/api, and the feature gates that Kubernetes 1.36 has on.

// defaults holds the defaults that the API server sets.
var defaults = sync.OnceValue(func() *walker {
	return newWalker(ofPods(), ofVolumes(), ofCore(), ofWorkloads(), ofTheRest())
})

// value sets an empty value.
func value[T comparable](at *T, to T) {
	var empty T
	if *at == empty {
		*at = to
	}
}

// pointer sets a nil pointer.
func pointer[T any](at **T, to T) {
	if *at == nil {
		*at = &to
	}
}
