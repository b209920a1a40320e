package inject

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Wanted says whether an object with these annotations asks for Crosswalk's
// bundle.
func Wanted(annotations map[string]string) (bool, error) {
	switch value, set := annotations[v1alpha1.AnnotationInjectCA]; {
	case value == "true":
		return true, nil
	case !set || value == "false":
		return false, nil
	default:
		return false, fmt.Errorf(`the annotation %s is %q, want "true" or "false"`, v1alpha1.AnnotationInjectCA, value)
	}
}

// certManager returns the annotation that makes cert-manager's cainjector keep
// an object's bundles, if there is one (github.com/cert-manager/cert-manager,
// pkg/controller/cainjector/sources.go).
func certManager(annotations map[string]string) string {
	for _, name := range []string{"cert-manager.io/inject-ca-from", "cert-manager.io/inject-ca-from-secret"} {
		if _, set := annotations[name]; set {
			return name
		}
	}
	const apiServer = "cert-manager.io/inject-apiserver-ca"
	if annotations[apiServer] == "true" {
		return apiServer
	}
	return ""
}
