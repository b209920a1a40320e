package builtin

import (
	"strings"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"
	resources "k8s.io/component-helpers/resource"
)

func ofPods() []change {
	return []change{
		in(func(p *corev1.Pod) {
			for _, containers := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
				for i := range containers {
					requestLimits(&containers[i].Resources)
					if p.Spec.HostNetwork {
						for n := range containers[i].Ports {
							value(&containers[i].Ports[n].HostPort, containers[i].Ports[n].ContainerPort)
						}
					}
				}
			}
			if p.Spec.Resources != nil {
				limitHugePages(p)
				requestOfPod(p)
			}
			pointer(&p.Spec.EnableServiceLinks, true)
		}),
		in(func(s *corev1.PodSpec) {
			value(&s.DNSPolicy, corev1.DNSClusterFirst)
			value(&s.RestartPolicy, corev1.RestartPolicyAlways)
			pointer(&s.SecurityContext, corev1.PodSecurityContext{})
			pointer(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
			value(&s.SchedulerName, corev1.DefaultSchedulerName)
		}),
		in(func(c *corev1.Container) {
			value(&c.ImagePullPolicy, pullPolicy(c.Image))
			value(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
			value(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
		}),
		in(func(c *corev1.EphemeralContainerCommon) {
			value(&c.ImagePullPolicy, pullPolicy(c.Image))
			value(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
			value(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
		}),
		in(func(p *corev1.ContainerPort) { value(&p.Protocol, corev1.ProtocolTCP) }),
		in(func(p *corev1.Probe) {
			value(&p.TimeoutSeconds, 1)
			value(&p.PeriodSeconds, 10)
			value(&p.SuccessThreshold, 1)
			value(&p.FailureThreshold, 3)
		}),
		in(func(a *corev1.HTTPGetAction) {
			value(&a.Path, "/")
			value(&a.Scheme, corev1.URISchemeHTTP)
		}),
		in(func(a *corev1.GRPCAction) { pointer(&a.Service, "") }),
		in(func(s *corev1.ObjectFieldSelector) { value(&s.APIVersion, "v1") }),
		in(func(s *corev1.FileKeySelector) { pointer(&s.Optional, false) }),
		in(func(l *corev1.ResourceList) {
			for name, quantity := range *l {
				quantity.RoundUp(-3) // at most three decimal places
				(*l)[name] = quantity
			}
		}),
	}
}

// pullPolicy returns the default for an image: an image that may change is always pulled.
func pullPolicy(image string) corev1.PullPolicy {
	named, err := reference.ParseNormalizedNamed(image)
	if err != nil {
		return corev1.PullIfNotPresent
	}
	if tagged, ok := reference.TagNameOnly(named).(reference.Tagged); ok && tagged.Tag() == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// requestLimits sets missing requests to the limits.
func requestLimits(r *corev1.ResourceRequirements) {
	if r.Limits != nil {
		complete(&r.Requests, r.Limits)
		if r.Requests == nil {
			r.Requests = corev1.ResourceList{}
		}
	}
}

// complete adds missing entries to a list.
func complete(list *corev1.ResourceList, from corev1.ResourceList) {
	for name, quantity := range from {
		if _, named := (*list)[name]; named {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = quantity.DeepCopy()
	}
}

// limitHugePages sets the limits of huge pages of a Pod that has resources but no such request:
// to those of its containers.
func limitHugePages(p *corev1.Pod) {
	r := p.Spec.Resources
	if len(r.Limits) == 0 && len(r.Requests) == 0 {
		return
	}
	for name, quantity := range resources.AggregateContainerLimits(p, resources.PodResourcesOptions{}) {
		if _, requested := r.Requests[name]; isHugePages(name) && !requested {
			complete(&r.Limits, corev1.ResourceList{name: quantity})
		}
	}
}

// requestOfPod sets the requests of a Pod with limits of its own: to the requests of its
// containers, and otherwise to the limits.
func requestOfPod(p *corev1.Pod) {
	r := p.Spec.Resources
	if len(r.Limits) == 0 {
		return
	}
	for name, quantity := range resources.AggregateContainerRequests(p, resources.PodResourcesOptions{}) {
		if resources.IsSupportedPodLevelResource(name) && !isHugePages(name) {
			complete(&r.Requests, corev1.ResourceList{name: quantity})
		}
	}
	for name, quantity := range r.Limits {
		if resources.IsSupportedPodLevelResource(name) {
			complete(&r.Requests, corev1.ResourceList{name: quantity})
		}
	}
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}
