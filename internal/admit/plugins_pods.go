package admit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// limitRanges sets the default requests and limits of containers (limitranger).
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
		var set []string
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
						set = append(set, fmt.Sprintf("%s %s for %s %s", names, of.what, list.what, c.Name))
					}
				}
			}
		}
		if len(set) > 0 {
			metav1.SetMetaDataAnnotation(&pod.ObjectMeta, "kubernetes.io/limit-ranger", "LimitRanger plugin set: "+strings.Join(set, "; "))
		}
	}
	return nil
}

// fill adds missing entries to a list, and returns their names.
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

// tokenPath is the folder with the token of a container's ServiceAccount.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// serviceAccount sets the ServiceAccount of a Pod, and mounts its token. An account that is not
// given is assumed to exist without settings.
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
	for _, set := range []*bool{account.AutomountServiceAccountToken, pod.Spec.AutomountServiceAccountToken} {
		if set != nil {
			mount = *set
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

// priority sets the priority of a Pod. A class that is not given has no effect.
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

// tolerations allows a Pod to stay for a while on a Node that is not ready
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

// runtimeClass adds the settings of a Pod's class (runtimeclass). The API server rejects a Pod
// that contradicts its class.
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

// merged removes tolerations that others cover, and all but the first of equal ones
// (k8s.io/kubernetes/pkg/util/tolerations, MergeTolerations).
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

// covers reports whether one toleration tolerates everything that another does.
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
