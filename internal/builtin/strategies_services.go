package builtin

import (
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// The API server allocates free addresses and ports for Services. Here they are made up, from
// the usual ranges and always the same, as in a cluster that has only IPv4.
const (
	madeUpIPv4     = "10.96.0.100"
	madeUpIPv6     = "fd00:10:96::100"
	madeUpNodePort = 30000
)

// beginService allocates the addresses and ports that the type of a new Service needs.
//
// The source is k8s.io/kubernetes/pkg/registry/core/service/storage.
func beginService(s *corev1.Service) {
	if s.Spec.ClusterIP != "" && len(s.Spec.ClusterIPs) == 0 {
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
	allocate(s, nil)
}

// keepAllocated restores allocated addresses and ports that the client left out, allocates
// what the new type needs, and clears what it does not need.
func keepAllocated(object, old *corev1.Service) {
	was, is := &old.Spec, &object.Spec
	if needsAddress(is) && needsAddress(was) {
		value(&is.ClusterIP, was.ClusterIP)
	}
	if len(is.ClusterIPs) == 0 && (is.ClusterIP == was.ClusterIP || needsAddress(is) && needsAddress(was)) {
		is.ClusterIPs = slices.Clone(was.ClusterIPs)
	}
	if needsNodePorts(is) && needsNodePorts(was) {
		keepNodePorts(is.Ports, was.Ports)
	}
	if needsHealthCheck(is) && needsHealthCheck(was) {
		value(&is.HealthCheckNodePort, was.HealthCheckNodePort)
	}
	allocate(object, old)
	dropUnneeded(object, old)
}

func needsAddress(s *corev1.ServiceSpec) bool { return s.Type != corev1.ServiceTypeExternalName }

func needsNodePorts(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
}

func needsHealthCheck(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

// keepNodePorts restores the node ports of ports with the same name, unless another port uses
// the number now.
func keepNodePorts(is, was []corev1.ServicePort) {
	named := map[string]int32{}
	for _, p := range was {
		named[p.Name] = p.NodePort
	}
	taken := map[int32]bool{}
	for _, p := range is {
		taken[p.NodePort] = true
	}
	for i := range is {
		if number := named[is[i].Name]; !taken[number] {
			value(&is[i].NodePort, number)
		}
	}
}

// allocate sets the addresses and ports that a Service needs and lacks.
func allocate(object, old *corev1.Service) {
	s := &object.Spec
	if needsAddress(s) {
		chooseFamilies(s, old)
		if s.ClusterIP != corev1.ClusterIPNone {
			giveAddresses(s)
		}
		first(&s.ClusterIP, &s.ClusterIPs, func(ip *string) *string { return ip })
	}
	allocates := s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer && (s.AllocateLoadBalancerNodePorts == nil || *s.AllocateLoadBalancerNodePorts)
	next := int32(madeUpNodePort)
	free := func() int32 {
		for s.HealthCheckNodePort == next || slices.ContainsFunc(s.Ports, func(p corev1.ServicePort) bool { return p.NodePort == next }) {
			next++
		}
		return next
	}
	for i := range s.Ports {
		if p := &s.Ports[i]; allocates && p.NodePort == 0 {
			if old == nil {
				p.NodePort = numberOfOther(s.Ports, *p)
			}
			value(&p.NodePort, free())
		}
	}
	if needsHealthCheck(s) {
		value(&s.HealthCheckNodePort, free())
	}
}

// numberOfOther returns the node port of the same port for another protocol: in a new Service
// both get one number.
func numberOfOther(ports []corev1.ServicePort, port corev1.ServicePort) int32 {
	for _, p := range ports {
		if p.Port == port.Port && p.NodePort != 0 {
			return p.NodePort
		}
	}
	return 0
}

// chooseFamilies sets ipFamilyPolicy and ipFamilies.
func chooseFamilies(s *corev1.ServiceSpec, old *corev1.Service) {
	if old != nil && prefersAsBefore(s, &old.Spec) {
		return
	}
	alone := s.ClusterIP == corev1.ClusterIPNone && len(s.Selector) == 0
	policy := corev1.IPFamilyPolicySingleStack
	if alone {
		policy = corev1.IPFamilyPolicyRequireDualStack
	}
	if old != nil && old.Spec.IPFamilyPolicy != nil {
		policy = *old.Spec.IPFamilyPolicy
	}
	pointer(&s.IPFamilyPolicy, policy)
	single := *s.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack
	if old != nil && single {
		if slices.Equal(s.ClusterIPs, old.Spec.ClusterIPs) {
			s.ClusterIPs = s.ClusterIPs[:min(1, len(s.ClusterIPs))]
		}
		if slices.Equal(s.IPFamilies, old.Spec.IPFamilies) {
			s.IPFamilies = s.IPFamilies[:min(1, len(s.IPFamilies))]
		}
	}
	for i, ip := range s.ClusterIPs {
		if i >= len(s.IPFamilies) && ip != corev1.ClusterIPNone {
			s.IPFamilies = append(s.IPFamilies, familyOf(ip))
		}
	}
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	// A Service without an address and a selector may have both families.
	if alone && !single && len(s.IPFamilies) == 1 {
		other := corev1.IPv6Protocol
		if s.IPFamilies[0] == other {
			other = corev1.IPv4Protocol
		}
		s.IPFamilies = append(s.IPFamilies, other)
	}
}

// prefersAsBefore reports whether a Service still prefers two families and has not changed
// its addresses.
func prefersAsBefore(is, was *corev1.ServiceSpec) bool {
	prefers := func(policy *corev1.IPFamilyPolicy) bool {
		return policy != nil && *policy == corev1.IPFamilyPolicyPreferDualStack
	}
	return is.Type == was.Type && prefers(is.IPFamilyPolicy) && (prefers(was.IPFamilyPolicy) || was.IPFamilyPolicy == nil) &&
		is.ClusterIP == was.ClusterIP && slices.Equal(is.ClusterIPs, was.ClusterIPs) && slices.Equal(is.IPFamilies, was.IPFamilies)
}

func familyOf(ip string) corev1.IPFamily {
	if address, err := netip.ParseAddr(ip); err == nil && address.Is6() {
		return corev1.IPv6Protocol
	}
	return corev1.IPv4Protocol
}

func giveAddresses(s *corev1.ServiceSpec) {
	for i, family := range s.IPFamilies {
		if i == len(s.ClusterIPs) {
			s.ClusterIPs = append(s.ClusterIPs, "")
		}
		made := madeUpIPv4
		if family == corev1.IPv6Protocol {
			made = madeUpIPv6
		}
		value(&s.ClusterIPs[i], made)
	}
}

// dropUnneeded clears fields that the new type does not need, unless the client changed them.
func dropUnneeded(object, old *corev1.Service) {
	was, is := &old.Spec, &object.Spec
	if needsAddress(was) && !needsAddress(is) {
		if is.ClusterIP == was.ClusterIP && slices.Equal(is.ClusterIPs, was.ClusterIPs) {
			is.ClusterIP, is.ClusterIPs = "", nil
		}
		if equality.Semantic.DeepEqual(is.IPFamilies, was.IPFamilies) {
			is.IPFamilies = nil
		}
		if equality.Semantic.DeepEqual(is.IPFamilyPolicy, was.IPFamilyPolicy) {
			is.IPFamilyPolicy = nil
		}
	}
	if needsNodePorts(was) && !needsNodePorts(is) && !slices.ContainsFunc(is.Ports, func(p corev1.ServicePort) bool {
		return p.NodePort != 0 && !slices.ContainsFunc(was.Ports, func(o corev1.ServicePort) bool { return o.NodePort == p.NodePort })
	}) {
		for i := range is.Ports {
			is.Ports[i].NodePort = 0
		}
	}
	if needsHealthCheck(was) && !needsHealthCheck(is) && is.HealthCheckNodePort == was.HealthCheckNodePort {
		is.HealthCheckNodePort = 0
	}
	if balanced := was.Type == corev1.ServiceTypeLoadBalancer && is.Type != corev1.ServiceTypeLoadBalancer; balanced {
		if equality.Semantic.DeepEqual(is.AllocateLoadBalancerNodePorts, was.AllocateLoadBalancerNodePorts) {
			is.AllocateLoadBalancerNodePorts = nil
		}
		if equality.Semantic.DeepEqual(is.LoadBalancerClass, was.LoadBalancerClass) {
			is.LoadBalancerClass = nil
		}
	}
	if reachable(was) && !reachable(is) && is.ExternalTrafficPolicy == was.ExternalTrafficPolicy {
		is.ExternalTrafficPolicy = ""
	}
	if is.Type != corev1.ServiceTypeLoadBalancer {
		object.Status.LoadBalancer = corev1.LoadBalancerStatus{}
	}
}

// reachable reports whether a Service can be reached from outside.
func reachable(s *corev1.ServiceSpec) bool {
	return needsNodePorts(s) || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
}
