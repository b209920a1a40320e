package builtin

import (
	"maps"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// kept applies the losses of the API server's internal form to an object: that form has fewer
// fields than the written one, or other fields.
//
// The sources are the conversion.go of k8s.io/kubernetes/pkg/apis.
var kept = sync.OnceValue(func() *walker {
	return newWalker([]change{
		in(func(p *corev1.Pod) {
			maps.DeleteFunc(p.Annotations, func(name, _ string) bool {
				return strings.HasPrefix(name, "pod.alpha.kubernetes.io/init-container") || strings.HasPrefix(name, "pod.beta.kubernetes.io/init-container")
			})
			if t := p.Spec.TerminationGracePeriodSeconds; t != nil && *t < 0 {
				*t = 1
			}
		}),
		in(func(s *corev1.PodSpec) {
			value(&s.ServiceAccountName, s.DeprecatedServiceAccount)
			s.DeprecatedServiceAccount = s.ServiceAccountName
		}),
		in(func(s *corev1.PodStatus) {
			first(&s.PodIP, &s.PodIPs, func(ip *corev1.PodIP) *string { return &ip.IP })
		}),
		in(func(s *corev1.NodeSpec) {
			first(&s.PodCIDR, &s.PodCIDRs, func(cidr *string) *string { return cidr })
		}),
		in(func(s *corev1.Secret) {
			for name, text := range s.StringData {
				if s.Data == nil {
					s.Data = map[string][]byte{}
				}
				s.Data[name] = []byte(text)
			}
			s.StringData = nil
		}),
		in(func(s *appsv1.StatefulSet) {
			for i := range s.Spec.VolumeClaimTemplates {
				claim := &s.Spec.VolumeClaimTemplates[i]
				claim.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PersistentVolumeClaim"))
			}
			if u := s.Spec.UpdateStrategy.RollingUpdate; u != nil {
				pointer(&u.Partition, 0)
			}
		}),
		in(func(d *appsv1.DaemonSet) {
			if _, found := d.Annotations[appsv1.DeprecatedTemplateGeneration]; !found {
				if d.Annotations == nil {
					d.Annotations = map[string]string{}
				}
				d.Annotations[appsv1.DeprecatedTemplateGeneration] = "0"
			}
		}),
		in(func(u *appsv1.RollingUpdateDaemonSet) {
			pointer(&u.MaxUnavailable, intstr.FromInt32(0))
			pointer(&u.MaxSurge, intstr.FromInt32(0))
		}),
		in(func(u *appsv1.RollingUpdateDeployment) {
			pointer(&u.MaxUnavailable, intstr.FromInt32(0))
			pointer(&u.MaxSurge, intstr.FromInt32(0))
		}),
		in(func(h *autoscalingv1.HorizontalPodAutoscaler) {
			if h.Annotations["autoscaling.alpha.kubernetes.io/metrics"] == "" {
				pointer(&h.Spec.TargetCPUUtilizationPercentage, 80)
			}
		}),
	})
})

// first makes a single value and the first element of a list equal. The single value takes
// precedence if it is set.
func first[T any](alone *string, list *[]T, of func(*T) *string) {
	if *alone != "" && (len(*list) == 0 || *of(&(*list)[0]) != *alone) {
		*list = make([]T, 1)
		*of(&(*list)[0]) = *alone
	}
	if len(*list) > 0 {
		*alone = *of(&(*list)[0])
	}
}
