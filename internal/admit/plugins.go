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

// plugins are the changes that the API server's default admission plugins make to a new object,
// before any policy is evaluated. Their denials are not included, and they see only the given
// objects.
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

// making applies plugins to a map through its Go type.
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

// given returns the given object with a name, or nil.
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

// allGiven returns all given objects of a type in a namespace.
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

// notReady taints a new Node (nodetaint).
func notReady(_ *world, node *corev1.Node) error {
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	if !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
	return nil
}

// storageClass sets the default class of a claim (storageclass/setdefault).
func storageClass(there *world, claim *corev1.PersistentVolumeClaim) error {
	if _, found := claim.Annotations[corev1.BetaStorageClassAnnotation]; found || claim.Spec.StorageClassName != nil {
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

// ingressClass sets the default class of an Ingress (defaultingressclass).
func ingressClass(there *world, ingress *networkingv1.Ingress) error {
	if _, found := ingress.Annotations["kubernetes.io/ingress.class"]; found || ingress.Spec.IngressClassName != nil {
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

// newest sorts objects in the order in which plugins look for a default: the newest first, and
// objects of the same age by name.
func newest[T metav1.Object](all []T) []T {
	slices.SortStableFunc(all, func(a, b T) int {
		if byAge := b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time); byAge != 0 {
			return byAge
		}
		return strings.Compare(a.GetName(), b.GetName())
	})
	return all
}

// protected adds the finalizer that protects a volume in use from deletion
// (storageobjectinuseprotection).
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
