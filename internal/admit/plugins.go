package admit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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

// limitRanges fills in what containers ask for and may have (limitranger).
func limitRanges(there *world, pod *corev1.Pod) error {
	all, err := allGiven[corev1.LimitRange](there, pod.Namespace)
	if err != nil {
		return err
	}
	for _, limits := range all {
		requests, most := corev1.ResourceList{}, corev1.ResourceList{}
		for _, limit := range limits.Spec.Limits {
			if limit.Type == corev1.LimitTypeContainer {
				maps.Copy(requests, limit.DefaultRequest)
				maps.Copy(most, limit.Default)
			}
		}
		var said []string
		for _, list := range []struct {
			what       string
			containers []corev1.Container
		}{{"container", pod.Spec.Containers}, {"init container", pod.Spec.InitContainers}} {
			for i := range list.containers {
				c := &list.containers[i]
				for _, of := range []struct {
					what string
					list *corev1.ResourceList
					from corev1.ResourceList
				}{{"request", &c.Resources.Requests, requests}, {"limit", &c.Resources.Limits, most}} {
					if names := fill(of.list, of.from); names != "" {
						said = append(said, fmt.Sprintf("%s %s for %s %s", names, of.what, list.what, c.Name))
					}
				}
			}
		}
		if len(said) > 0 {
			metav1.SetMetaDataAnnotation(&pod.ObjectMeta, "kubernetes.io/limit-ranger", "LimitRanger plugin set: "+strings.Join(said, "; "))
		}
	}
	return nil
}

// fill puts what is missing into a list, and names it.
func fill(list *corev1.ResourceList, from corev1.ResourceList) string {
	var names []string
	for name, value := range from {
		if _, found := (*list)[name]; found {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = value
		names = append(names, string(name))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// tokenPath is where containers find the token of their ServiceAccount.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// serviceAccount says as whom a Pod runs, and mounts the token of that account. One that
// is not given is there, and says nothing.
func serviceAccount(there *world, pod *corev1.Pod) error {
	if _, mirror := pod.Annotations[corev1.MirrorPodAnnotationKey]; mirror {
		return nil
	}
	if pod.Spec.ServiceAccountName == "" {
		pod.Spec.ServiceAccountName = "default"
		pod.Spec.DeprecatedServiceAccount = pod.Spec.ServiceAccountName
	}
	account, err := given[corev1.ServiceAccount](there, pod.Namespace, pod.Spec.ServiceAccountName)
	if err != nil {
		return err
	}
	if account == nil {
		account = new(corev1.ServiceAccount)
	}
	mount := true
	for _, said := range []*bool{account.AutomountServiceAccountToken, pod.Spec.AutomountServiceAccountToken} {
		if said != nil {
			mount = *said
		}
	}
	if mount {
		mountToken(pod)
	}
	if len(pod.Spec.ImagePullSecrets) == 0 {
		pod.Spec.ImagePullSecrets = slices.Clone(account.ImagePullSecrets)
	}
	return nil
}

func mountToken(pod *corev1.Pod) {
	const prefix = "kube-api-access-"
	name, found := prefix+"xxxxx", false
	for _, v := range pod.Spec.Volumes {
		if found = strings.HasPrefix(v.Name, prefix); found {
			name = v.Name
			break
		}
	}
	needed := false
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			mounts := &containers[i].VolumeMounts
			if !slices.ContainsFunc(*mounts, func(m corev1.VolumeMount) bool { return m.MountPath == tokenPath }) {
				*mounts = append(*mounts, corev1.VolumeMount{Name: name, ReadOnly: true, MountPath: tokenPath})
				needed = true
			}
		}
	}
	if found || !needed {
		return
	}
	mode, seconds := corev1.ProjectedVolumeSourceDefaultMode, int64(3607)
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
		DefaultMode: &mode,
		Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: &seconds}},
			{ConfigMap: &corev1.ConfigMapProjection{
				LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"},
				Items:                []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}},
			}},
			{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{
				{Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"}},
			}}},
		},
	}}})
}

// notReady taints a Node that nobody has looked at yet (nodetaint).
func notReady(_ *world, node *corev1.Node) error {
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	if !slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
		node.Spec.Taints = append(node.Spec.Taints, taint)
	}
	return nil
}

// priority says how important a Pod is. Of a class that is not given nothing is known.
func priority(there *world, pod *corev1.Pod) error {
	preempts := corev1.PreemptLowerPriority
	class := &schedulingv1.PriorityClass{PreemptionPolicy: &preempts}
	switch name := pod.Spec.PriorityClassName; name {
	case "":
		all, err := allGiven[schedulingv1.PriorityClass](there, "")
		if err != nil {
			return err
		}
		first := true
		for _, c := range all {
			if c.GlobalDefault && (first || c.Value < class.Value) {
				class, first = c, false
			}
		}
	case "system-cluster-critical":
		class.Value = 2000000000
	case "system-node-critical":
		class.Value = 2000001000
	default:
		known, err := given[schedulingv1.PriorityClass](there, "", name)
		if known == nil || err != nil {
			return err
		}
		class = known
	}
	if class.Name != "" {
		pod.Spec.PriorityClassName = class.Name
	}
	pod.Spec.Priority = &class.Value
	if class.PreemptionPolicy != nil {
		pod.Spec.PreemptionPolicy = class.PreemptionPolicy
	}
	return nil
}

// tolerations lets a Pod stay on a Node for a while that is in trouble
// (defaulttolerationseconds).
func tolerations(_ *world, pod *corev1.Pod) error {
	for _, taint := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		if slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		}) {
			continue
		}
		seconds := int64(300)
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
			Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds,
		})
	}
	return nil
}

// runtimeClass adds what the class of a Pod needs (runtimeclass). Where that does not agree
// with what the Pod says, the API server refuses it.
func runtimeClass(there *world, pod *corev1.Pod) error {
	if pod.Spec.RuntimeClassName == nil {
		return nil
	}
	class, err := given[nodev1.RuntimeClass](there, "", *pod.Spec.RuntimeClassName)
	if class == nil || err != nil {
		return err
	}
	if class.Overhead != nil {
		pod.Spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling == nil {
		return nil
	}
	for name, value := range class.Scheduling.NodeSelector {
		if pod.Spec.NodeSelector == nil {
			pod.Spec.NodeSelector = map[string]string{}
		}
		pod.Spec.NodeSelector[name] = value
	}
	pod.Spec.Tolerations = merged(append(pod.Spec.Tolerations, class.Scheduling.Tolerations...))
	return nil
}

// merged leaves out tolerations that others cover, and of equal ones all but the
// first (k8s.io/kubernetes/pkg/util/tolerations, MergeTolerations).
func merged(all []corev1.Toleration) []corev1.Toleration {
	var kept []corev1.Toleration
	for i, t := range all {
		covered := slices.ContainsFunc(kept, func(other corev1.Toleration) bool { return covers(other, t) }) ||
			slices.ContainsFunc(all[i+1:], func(other corev1.Toleration) bool {
				return !equality.Semantic.DeepEqual(other, t) && covers(other, t)
			})
		if !covered {
			kept = append(kept, t)
		}
	}
	return kept
}

// covers reports whether one tolerates all that another does.
func covers(one, other corev1.Toleration) bool {
	everything := one.Key == "" && one.Operator == corev1.TolerationOpExists
	switch longest := one.TolerationSeconds; {
	case equality.Semantic.DeepEqual(one, other):
		return true
	case one.Key != other.Key && !everything, one.Effect != other.Effect && one.Effect != "":
		return false
	case one.Effect == corev1.TaintEffectNoExecute && longest != nil && (other.TolerationSeconds == nil || *other.TolerationSeconds > *longest):
		return false
	case one.Operator == corev1.TolerationOpExists:
		return true
	}
	return other.Operator == corev1.TolerationOpEqual && one.Value == other.Value
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
