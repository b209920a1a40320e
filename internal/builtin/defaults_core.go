package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func ofCore() []change {
	return []change{
		in(service),
		in(func(e *corev1.EndpointPort) { value(&e.Protocol, corev1.ProtocolTCP) }),
		in(func(n *corev1.Namespace) {
			if n.Name == "" {
				return
			}
			if n.Labels == nil {
				n.Labels = map[string]string{}
			}
			n.Labels[corev1.LabelMetadataName] = n.Name
		}),
		in(func(s *corev1.NamespaceStatus) { value(&s.Phase, corev1.NamespaceActive) }),
		in(func(s *corev1.NodeStatus) {
			if s.Allocatable == nil {
				s.Allocatable = s.Capacity
			}
		}),
		in(func(m *corev1.ConfigMap) {
			if m.Data == nil {
				m.Data = map[string]string{}
			}
		}),
		in(func(s *corev1.Secret) { value(&s.Type, corev1.SecretTypeOpaque) }),
		in(func(c *corev1.ReplicationController) {
			pointer(&c.Spec.Replicas, 1)
			if c.Spec.Template == nil || c.Spec.Template.Labels == nil {
				return
			}
			if len(c.Spec.Selector) == 0 {
				c.Spec.Selector = c.Spec.Template.Labels
			}
			if len(c.Labels) == 0 {
				c.Labels = c.Spec.Template.Labels
			}
		}),
		in(func(l *corev1.LimitRangeItem) {
			if l.Type != corev1.LimitTypeContainer {
				return
			}
			for _, list := range []*corev1.ResourceList{&l.Default, &l.DefaultRequest} {
				if *list == nil {
					*list = corev1.ResourceList{}
				}
			}
			complete(&l.Default, l.Max)
			complete(&l.DefaultRequest, l.Default)
			complete(&l.DefaultRequest, l.Min)
		}),
	}
}

func service(s *corev1.Service) {
	spec := &s.Spec
	value(&spec.SessionAffinity, corev1.ServiceAffinityNone)
	switch c := spec.SessionAffinityConfig; {
	case spec.SessionAffinity == corev1.ServiceAffinityNone:
		spec.SessionAffinityConfig = nil
	case spec.SessionAffinity == corev1.ServiceAffinityClientIP && (c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil):
		timeout := corev1.DefaultClientIPServiceAffinitySeconds
		spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &timeout}}
	}
	value(&spec.Type, corev1.ServiceTypeClusterIP)
	for i := range spec.Ports {
		port := &spec.Ports[i]
		value(&port.Protocol, corev1.ProtocolTCP)
		if port.TargetPort == intstr.FromInt32(0) || port.TargetPort == intstr.FromString("") {
			port.TargetPort = intstr.FromInt32(port.Port)
		}
	}
	outside := spec.Type == corev1.ServiceTypeLoadBalancer || spec.Type == corev1.ServiceTypeNodePort
	if outside || spec.Type == corev1.ServiceTypeClusterIP && len(spec.ExternalIPs) > 0 {
		value(&spec.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	if outside || spec.Type == corev1.ServiceTypeClusterIP {
		pointer(&spec.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if spec.Type == corev1.ServiceTypeLoadBalancer {
		pointer(&spec.AllocateLoadBalancerNodePorts, true)
		for i := range s.Status.LoadBalancer.Ingress {
			if ingress := &s.Status.LoadBalancer.Ingress[i]; ingress.IP != "" {
				pointer(&ingress.IPMode, corev1.LoadBalancerIPModeVIP)
			}
		}
	}
}
