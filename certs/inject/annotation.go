package inject

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// Ask is what the annotations of an object ask for. The zero Ask asks for nothing.
type Ask struct {
	// Own is Crosswalk's own bundle.
	Own bool
	// Secret names the Secret whose CA the object asks for. It may be empty.
	Secret types.NamespacedName
}

// None reports whether nothing is asked for.
func (a Ask) None() bool { return a == Ask{} }

// Asked reads the annotations of an object.
func Asked(annotations map[string]string) (Ask, error) {
	var ask Ask
	switch value, set := annotations[v1alpha1.AnnotationInjectCA]; {
	case value == "true":
		ask.Own = true
	case set && value != "false":
		return Ask{}, fmt.Errorf(`the annotation %s is %q, want "true" or "false"`, v1alpha1.AnnotationInjectCA, value)
	}
	value, set := annotations[v1alpha1.AnnotationInjectCAFrom]
	if !set {
		return ask, nil
	}
	if ask.Own {
		return Ask{}, fmt.Errorf("the annotations %s and %s ask for two CAs; remove one", v1alpha1.AnnotationInjectCA, v1alpha1.AnnotationInjectCAFrom)
	}
	namespace, name, _ := strings.Cut(value, "/")
	if len(validation.IsDNS1123Label(namespace)) > 0 || len(validation.IsDNS1123Subdomain(name)) > 0 {
		return Ask{}, fmt.Errorf("the annotation %s is %q, want the namespace and the name of a Secret, such as kube-system/metrics-server-tls",
			v1alpha1.AnnotationInjectCAFrom, value)
	}
	return Ask{Secret: types.NamespacedName{Namespace: namespace, Name: name}}, nil
}

// certManager returns the annotation that makes cert-manager's cainjector keep an object's
// bundles, or "" (github.com/cert-manager/cert-manager, pkg/controller/cainjector/sources.go).
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
