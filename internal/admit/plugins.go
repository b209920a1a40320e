package admit

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

var pods = corev1.SchemeGroupVersion.WithKind("Pod")

// plugins are what the API server's own admission plugins, of those that are on unless it
// is told otherwise, make of an object that is created, before any policy is asked. What
// they refuse is not known here, and of other objects only those that are given.
//
// The sources are k8s.io/kubernetes/plugin/pkg/admission, in the order of
// pkg/kubeapiserver/options/plugins.go.
var plugins = map[schema.GroupVersionKind]func(*world, map[string]any) (map[string]any, error){
	pods: making(limitRanges, serviceAccount, priority, tolerations, runtimeClass),
	corev1.SchemeGroupVersion.WithKind("Node"):                     making(notReady),
	corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"):    making(storageClass, protected[corev1.PersistentVolumeClaim]("kubernetes.io/pvc-protection")),
	corev1.SchemeGroupVersion.WithKind("PersistentVolume"):         making(protected[corev1.PersistentVolume]("kubernetes.io/pv-protection")),
	storagev1.SchemeGroupVersion.WithKind("VolumeAttributesClass"): making(protected[storagev1.VolumeAttributesClass]("kubernetes.io/vac-protection")),
	networkingv1.SchemeGroupVersion.WithKind("Ingress"):            making(ingressClass),
}

// making makes what is in a map pass plugins as the type that they know.
func making[T any](each ...func(*world, *T) error) func(*world, map[string]any) (map[string]any, error) {
	return func(there *world, object map[string]any) (map[string]any, error) {
		typed := new(T)
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, typed); err != nil {
			return nil, err
		}
		for _, plugin := range each {
			if err := plugin(there, typed); err != nil {
				return nil, err
			}
		}
		return runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	}
}

// given is the object of a name that is given, nil where there is none.
func given[T any](there *world, namespace, name string) (*T, error) {
	kind, err := kindOf[T]()
	if err != nil {
		return nil, err
	}
	object, err := there.Get(context.Background(), kind, namespace, name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	typed := new(T)
	return typed, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed)
}

// allGiven are all objects of a type in a namespace.
func allGiven[T any](there *world, namespace string) ([]*T, error) {
	kind, err := kindOf[T]()
	if err != nil {
		return nil, err
	}
	objects, err := there.List(context.Background(), kind, namespace, labels.Everything())
	if err != nil {
		return nil, err
	}
	var all []*T
	for _, object := range objects {
		typed := new(T)
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, typed); err != nil {
			return nil, err
		}
		all = append(all, typed)
	}
	return all, nil
}

func kindOf[T any]() (schema.GroupVersionKind, error) {
	kinds, _, err := scheme.Scheme.ObjectKinds(any(new(T)).(runtime.Object))
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	return kinds[0], nil
}

// notReady taints a Node that nobody has looked at yet (nodetaint).
func notReady(_ *world, node *corev1.Node) error {
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	if !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
	return nil
}

// storageClass gives a claim the class that is the default (storageclass/setdefault).
func storageClass(there *world, claim *corev1.PersistentVolumeClaim) error {
	if _, said := claim.Annotations[corev1.BetaStorageClassAnnotation]; said || claim.Spec.StorageClassName != nil {
		return nil
	}
	all, err := allGiven[storagev1.StorageClass](there, "")
	if err != nil {
		return err
	}
	for _, class := range newest(all) {
		if class.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" || class.Annotations["storageclass.beta.kubernetes.io/is-default-class"] == "true" {
			claim.Spec.StorageClassName = &class.Name
			return nil
		}
	}
	return nil
}

// ingressClass gives an Ingress the class that is the default (defaultingressclass).
func ingressClass(there *world, ingress *networkingv1.Ingress) error {
	if _, said := ingress.Annotations["kubernetes.io/ingress.class"]; said || ingress.Spec.IngressClassName != nil {
		return nil
	}
	all, err := allGiven[networkingv1.IngressClass](there, "")
	if err != nil {
		return err
	}
	for _, class := range newest(all) {
		if class.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true" {
			ingress.Spec.IngressClassName = &class.Name
			return nil
		}
	}
	return nil
}

// newest orders objects as those do who look for a default: the newest first, and of two
// as old the first by name.
func newest[T metav1.Object](all []T) []T {
	slices.SortStableFunc(all, func(a, b T) int {
		if byAge := b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time); byAge != 0 {
			return byAge
		}
		return strings.Compare(a.GetName(), b.GetName())
	})
	return all
}

// protected keeps what is in use from being deleted (storageobjectinuseprotection).
func protected[T any, P interface {
	*T
	metav1.Object
}](finalizer string) func(*world, *T) error {
	return func(_ *world, object *T) error {
		if all := P(object).GetFinalizers(); !slices.Contains(all, finalizer) {
			P(object).SetFinalizers(append(all, finalizer))
		}
		return nil
	}
}
