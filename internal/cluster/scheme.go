package cluster

import (
	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// APIService returns the kind of kube-aggregator. It is handled without its Go type, because
// nothing else here needs that module.
func APIService() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "apiregistration.k8s.io", Version: "v1", Kind: "APIService"}
}

// Scheme returns the Go types of the kinds that Crosswalk reads and writes.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := runtime.SchemeBuilder{
		v1alpha1.AddToScheme,
		apiextensionsv1.AddToScheme,
		admissionregistrationv1.AddToScheme,
		appsv1.AddToScheme,
		certmanagerv1.AddToScheme,
		coordinationv1.AddToScheme,
		corev1.AddToScheme,
		discoveryv1.AddToScheme,
		eventsv1.AddToScheme,
	}
	return scheme, builder.AddToScheme(scheme)
}

// Mapper returns the resources of the same kinds. It asks no API server: these kinds are known,
// and a CRD of ours that is not installed yet is waited for like any missing object.
func Mapper() meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(nil)
	for scope, kinds := range map[meta.RESTScope][]schema.GroupVersionKind{
		meta.RESTScopeRoot: {
			v1alpha1.GroupVersion().WithKind(v1alpha1.KindCrosswalk),
			v1alpha1.GroupVersion().WithKind(v1alpha1.KindValidationPolicy),
			v1alpha1.GroupVersion().WithKind(v1alpha1.KindMutationPolicy),
			apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"),
			admissionregistrationv1.SchemeGroupVersion.WithKind("ValidatingWebhookConfiguration"),
			admissionregistrationv1.SchemeGroupVersion.WithKind("MutatingWebhookConfiguration"),
			APIService(),
			corev1.SchemeGroupVersion.WithKind("Namespace"),
		},
		meta.RESTScopeNamespace: {
			CanaryKind(),
			appsv1.SchemeGroupVersion.WithKind("ControllerRevision"),
			appsv1.SchemeGroupVersion.WithKind("Deployment"),
			certmanagerv1.SchemeGroupVersion.WithKind("Certificate"),
			coordinationv1.SchemeGroupVersion.WithKind("Lease"),
			corev1.SchemeGroupVersion.WithKind("Event"),
			corev1.SchemeGroupVersion.WithKind("Pod"),
			corev1.SchemeGroupVersion.WithKind("Secret"),
			corev1.SchemeGroupVersion.WithKind("Service"),
			discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"),
			eventsv1.SchemeGroupVersion.WithKind("Event"),
		},
	} {
		for _, kind := range kinds {
			mapper.Add(kind, scope)
			mapper.Add(kind.GroupVersion().WithKind(kind.Kind+"List"), scope)
		}
	}
	return mapper
}
