package builtin

import (
	"regexp"
	"sync"

	apiextensionsinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
	apiregistrationinstall "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
)

// types holds the Go types of all kinds of the API server itself. CRDs and APIServices come
// with their defaults and internal forms, because their servers are libraries.
var types = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(kubernetes.AddToScheme(s))
	apiextensionsinstall.Install(s)
	apiregistrationinstall.Install(s)
	return s
})

// stable matches the versions that an API server serves by default.
var stable = regexp.MustCompile(`^v[0-9]+$`)

// Recognizes reports whether a kind is one of Kubernetes itself, in a stable version.
func Recognizes(kind schema.GroupVersionKind) bool {
	return stable.MatchString(kind.Version) && types().Recognizes(kind)
}
