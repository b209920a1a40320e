package builtin

import (
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// beginPod sets the first status of a Pod and expands matchLabelKeys and AppArmor annotations.
func beginPod(p *corev1.Pod) {
	p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: p.Status.QOSClass}
	value(&p.Status.QOSClass, qualityOf(&p.Spec))
	if len(p.Spec.SchedulingGates) > 0 {
		p.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Now(),
			Reason: corev1.PodReasonSchedulingGated, Message: "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
	if a := p.Spec.Affinity; a != nil {
		var terms []*corev1.PodAffinityTerm
		if a.PodAffinity != nil {
			terms = append(terms, termsOf(a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)...)
		}
		if a.PodAntiAffinity != nil {
			terms = append(terms, termsOf(a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution)...)
		}
		for _, t := range terms {
			requireLabels(t.LabelSelector, p.Labels, t.MatchLabelKeys, metav1.LabelSelectorOpIn)
			requireLabels(t.LabelSelector, p.Labels, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
		}
	}
	for _, c := range p.Spec.TopologySpreadConstraints {
		requireLabels(c.LabelSelector, p.Labels, c.MatchLabelKeys, metav1.LabelSelectorOpIn)
	}
	if p.Spec.OS == nil || p.Spec.OS.Name != corev1.Windows {
		for _, context := range contextsOf(&p.Spec) {
			confine(p, context.name, context.at)
		}
	}
}

func termsOf(preferred []corev1.WeightedPodAffinityTerm, required []corev1.PodAffinityTerm) []*corev1.PodAffinityTerm {
	var all []*corev1.PodAffinityTerm
	for i := range preferred {
		all = append(all, &preferred[i].PodAffinityTerm)
	}
	for i := range required {
		all = append(all, &required[i])
	}
	return all
}

// requireLabels adds the values of the Pod's own labels to a selector.
func requireLabels(selector *metav1.LabelSelector, has map[string]string, keys []string, operator metav1.LabelSelectorOperator) {
	for _, key := range keys {
		if value, found := has[key]; found && selector != nil {
			selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
		}
	}
}

// contextOf is a container's name and the place of its security context.
type contextOf struct {
	name string
	at   **corev1.SecurityContext
}

func contextsOf(s *corev1.PodSpec) []contextOf {
	var all []contextOf
	for _, list := range [][]corev1.Container{s.InitContainers, s.Containers} {
		for i := range list {
			all = append(all, contextOf{list[i].Name, &list[i].SecurityContext})
		}
	}
	for i := range s.EphemeralContainers {
		c := &s.EphemeralContainers[i]
		all = append(all, contextOf{c.Name, &c.SecurityContext})
	}
	return all
}

// confine sets the AppArmor profile of a container from the deprecated annotation.
func confine(p *corev1.Pod, container string, at **corev1.SecurityContext) {
	annotation, found := p.Annotations[corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix+container]
	if !found || *at != nil && (*at).AppArmorProfile != nil {
		return
	}
	profile := new(corev1.AppArmorProfile)
	switch name, local := strings.CutPrefix(annotation, corev1.DeprecatedAppArmorBetaProfileNamePrefix); {
	case annotation == corev1.DeprecatedAppArmorBetaProfileNameUnconfined:
		profile.Type = corev1.AppArmorProfileTypeUnconfined
	case annotation == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault:
		profile.Type = corev1.AppArmorProfileTypeRuntimeDefault
	case local && name != "" && name == strings.TrimSpace(name) && len(name) < 4096: // a path
		profile.Type, profile.LocalhostProfile = corev1.AppArmorProfileTypeLocalhost, &name
	default:
		return
	}
	if p.Spec.SecurityContext != nil && equality.Semantic.DeepEqual(profile, p.Spec.SecurityContext.AppArmorProfile) {
		return
	}
	pointer(at, corev1.SecurityContext{})
	(*at).AppArmorProfile = profile
}

// qualityOf returns the QoS class of a Pod: Guaranteed if all containers have limits for CPU
// and memory that equal their requests, BestEffort if none has any, Burstable otherwise.
func qualityOf(s *corev1.PodSpec) corev1.PodQOSClass {
	var all []corev1.ResourceRequirements
	if s.Resources != nil {
		all = append(all, *s.Resources)
	} else {
		for _, c := range slices.Concat(s.Containers, s.InitContainers) {
			all = append(all, c.Resources)
		}
	}
	requests, limits, guaranteed := corev1.ResourceList{}, corev1.ResourceList{}, true
	for i, r := range all {
		sumUp(requests, r.Requests)
		// Limits at the level of the Pod are checked only if there are any.
		if limited := sumUp(limits, r.Limits); limited < 2 && (s.Resources == nil || len(all[i].Limits) > 0) {
			guaranteed = false
		}
	}
	switch {
	case len(requests) == 0 && len(limits) == 0:
		return corev1.PodQOSBestEffort
	case guaranteed && equality.Semantic.DeepEqual(requests, limits):
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// sumUp adds CPU and memory of a list to a total, and returns how many of the two are above
// zero.
func sumUp(total, list corev1.ResourceList) int {
	count := 0
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if quantity := list[name]; quantity.Sign() > 0 {
			count++
			quantity.Add(total[name])
			total[name] = quantity
		}
	}
	return count
}

// keepPod restores the fields of a Pod that a write to its status does not change.
func keepPod(object, old *corev1.Pod) {
	object.DeletionTimestamp, object.OwnerReferences = nil, old.OwnerReferences
	value(&object.Status.QOSClass, old.Status.QOSClass)
	value(&object.Status.ObservedGeneration, old.Status.ObservedGeneration)
	seen := map[corev1.PodConditionType][]int64{}
	for _, c := range old.Status.Conditions {
		seen[c.Type] = append(seen[c.Type], c.ObservedGeneration)
	}
	for i := range object.Status.Conditions {
		c := &object.Status.Conditions[i]
		if before := seen[c.Type]; len(before) > 0 {
			value(&c.ObservedGeneration, before[0])
			seen[c.Type] = before[1:]
		}
	}
}

func keepAllButEphemeral(object, old *corev1.Pod) {
	ephemeral := object.Spec.EphemeralContainers
	object.Spec, object.Status = old.Spec, old.Status
	resetMetadata(object, old)
	object.Spec.EphemeralContainers = ephemeral
}

// keepAllButResources restores everything but the resources of a Pod and its containers. If
// the containers are not the same as before, validation rejects the write, and the object is
// left unchanged.
func keepAllButResources(object, old *corev1.Pod) {
	if len(object.Spec.Containers) != len(old.Spec.Containers) || len(object.Spec.InitContainers) != len(old.Spec.InitContainers) {
		return
	}
	resources := object.Spec.Resources
	containers, initial := resized(object.Spec.Containers, old.Spec.Containers), resized(object.Spec.InitContainers, old.Spec.InitContainers)
	object.Spec, object.Status = old.Spec, old.Status
	resetMetadata(object, old)
	object.Spec.Resources, object.Spec.Containers, object.Spec.InitContainers = resources, containers, initial
}

func resized(is, was []corev1.Container) []corev1.Container {
	if len(is) == 0 {
		return is
	}
	all := slices.Clone(was)
	for i, c := range is {
		if c.Name != all[i].Name {
			return is
		}
		all[i].Resources, all[i].ResizePolicy = c.Resources, c.ResizePolicy
	}
	return all
}

// selectPods sets the selector of a Job and the labels of its Pods, unless the Job has
// manualSelector.
func selectPods(j *batchv1.Job) {
	if j.Spec.ManualSelector != nil && *j.Spec.ManualSelector {
		return
	}
	given := map[string]string{
		"job-name": j.Name, batchv1.JobNameLabel: j.Name,
		"controller-uid": string(j.UID), batchv1.ControllerUidLabel: string(j.UID),
	}
	for name, text := range given {
		labelled(&j.Spec.Template.Labels, name, text)
	}
	pointer(&j.Spec.Selector, metav1.LabelSelector{})
	labelled(&j.Spec.Selector.MatchLabels, batchv1.ControllerUidLabel, string(j.UID))
}

// labelled adds a label if it is missing.
func labelled(labels *map[string]string, name, text string) {
	if *labels == nil {
		*labels = map[string]string{}
	}
	if _, found := (*labels)[name]; !found {
		(*labels)[name] = text
	}
}

// In v1 a DaemonSet has the generation of its template in an annotation.

func beginTemplateGeneration(d *appsv1.DaemonSet) {
	if templateGeneration(d) < 1 {
		setTemplateGeneration(d, 1)
	}
}

func countTemplateGeneration(object, old *appsv1.DaemonSet) {
	generation := templateGeneration(old)
	if !equality.Semantic.DeepEqual(object.Spec.Template, old.Spec.Template) {
		generation++
	}
	setTemplateGeneration(object, generation)
}

func templateGeneration(d *appsv1.DaemonSet) int64 {
	generation, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0
	}
	return generation
}

func setTemplateGeneration(d *appsv1.DaemonSet, generation int64) {
	metav1.SetMetaDataAnnotation(&d.ObjectMeta, appsv1.DeprecatedTemplateGeneration, strconv.FormatInt(generation, 10))
}
