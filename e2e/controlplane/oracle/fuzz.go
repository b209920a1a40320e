package main

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	discoveryv1beta1 "k8s.io/api/discovery/v1beta1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/randfill"
)

// ownFuncs fill what Kubernetes' own fuzzers leave to chance, and chance never
// makes: the values that a hand-written converter looks for.
func ownFuncs(serializer.CodecFactory) []any {
	return []any{
		// No converter looks at the rest, and it would be half of every object.
		func(m *metav1.ObjectMeta, c randfill.Continue) {
			c.Fill(&m.Name)
			c.Fill(&m.Namespace)
			c.Fill(&m.UID)
			c.Fill(&m.CreationTimestamp)
			c.Fill(&m.Labels)
			c.Fill(&m.Annotations)
		},
		// The fuzzers fill every pointer to a type that they have a function for.
		func(m *autoscalingv2.MetricTarget, c randfill.Continue) {
			c.FillNoCustom(m)
			m.Value, m.AverageValue = orNone(m.Value, c), orNone(m.AverageValue, c)
		},
		func(m *autoscalingv2.MetricValueStatus, c randfill.Continue) {
			c.FillNoCustom(m)
			m.Value, m.AverageValue = orNone(m.Value, c), orNone(m.AverageValue, c)
		},
		func(m *autoscalingv2.MetricSpec, c randfill.Continue) {
			c.FillNoCustom(m)
			if oneIn(c, 3) {
				*m = autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
					Name:   corev1.ResourceCPU,
					Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: ptr.To(c.Rand.Int31n(200))},
				}}
				if oneIn(c, 5) {
					c.Fill(&m.Resource.Target)
				}
			}
		},
		func(m *autoscalingv2.MetricStatus, c randfill.Continue) {
			c.FillNoCustom(m)
			if oneIn(c, 3) {
				m.Type, m.Resource = autoscalingv2.ResourceMetricSourceType, &autoscalingv2.ResourceMetricStatus{Name: corev1.ResourceCPU}
				c.Fill(&m.Resource.Current)
			}
		},
		func(b *networkingv1beta1.IngressBackend, c randfill.Continue) {
			c.FillNoCustom(b)
			if oneIn(c, 3) {
				b.ServiceName = ""
			}
			if oneIn(c, 3) {
				b.ServicePort = intstr.IntOrString{}
			}
		},
		func(e *discoveryv1beta1.Endpoint, c randfill.Continue) {
			c.FillNoCustom(e)
			addTopology(&e.Topology, e.NodeName, c)
		},
		func(e *discoveryv1.Endpoint, c randfill.Continue) {
			c.FillNoCustom(e)
			addTopology(&e.DeprecatedTopology, e.NodeName, c)
		},
		func(l *flowcontrolv1beta3.LimitedPriorityLevelConfiguration, c randfill.Continue) {
			c.FillNoCustom(l)
			if oneIn(c, 3) {
				l.NominalConcurrencyShares = 0
			}
		},
		func(l *flowcontrolv1.LimitedPriorityLevelConfiguration, c randfill.Continue) {
			c.FillNoCustom(l)
			if oneIn(c, 3) {
				l.NominalConcurrencyShares = ptr.To[int32](0)
			}
		},
	}
}

// addTopology adds the labels that have a meaning of their own, the host's name
// sometimes equal to the node's.
func addTopology(topology *map[string]string, node *string, c randfill.Continue) {
	add := func(name, value string) {
		if *topology == nil {
			*topology = map[string]string{}
		}
		(*topology)[name] = value
	}
	if oneIn(c, 3) {
		add(corev1.LabelTopologyZone, c.String(0))
	}
	if oneIn(c, 3) {
		add(corev1.LabelHostname, c.String(0))
	}
	if node != nil && oneIn(c, 3) {
		add(corev1.LabelHostname, *node)
	}
}

func orNone(q *resource.Quantity, c randfill.Continue) *resource.Quantity {
	if c.Bool() {
		return nil
	}
	return q
}

func oneIn(c randfill.Continue, n int) bool { return c.Rand.Intn(n) == 0 }
