package builtin

import (
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
)

// gates clear the fields behind feature gates that are off in Kubernetes 1.36.
//
// The sources are the functions dropDisabledFields of k8s.io/kubernetes.
var gates = sync.OnceValue(func() []*walker {
	var all []*walker
	for _, gate := range [][]change{
		{
			in(func(c *corev1.Container) { c.Lifecycle = withoutStopSignal(c.Lifecycle) }),
			in(func(c *corev1.EphemeralContainerCommon) { c.Lifecycle = withoutStopSignal(c.Lifecycle) }),
		},
		{in(func(s *corev1.PodSpec) { s.SchedulingGroup = nil })},
		{in(func(s *corev1.PodStatus) { s.NodeAllocatableResourceClaimStatuses = nil })},
		{in(func(s *corev1.VolumeMountStatus) { s.VolumeStatus = nil })},
		{in(func(p *corev1.VolumeProjection) { p.ClusterTrustBundle = nil })},
		{in(func(p *corev1.VolumeProjection) { p.PodCertificate = nil })},
		//lint:ignore SA1019 the API server still drops it
		{in(func(s *corev1.NodeSpec) { s.ConfigSource = nil })},
		{in(func(s *corev1.NodeStatus) { s.Config = nil })},
		{in(func(s *coordinationv1.LeaseSpec) { s.Strategy = nil })},
		{in(func(s *coordinationv1.LeaseSpec) { s.PreferredHolder = nil })},
		{in(func(d *resourcev1.Device) { d.NodeAllocatableResourceMappings = nil })},
		{in(func(d *resourcev1.Device) {
			for name, a := range d.Attributes {
				a.BoolValues, a.IntValues, a.StringValues, a.VersionValues = nil, nil, nil, nil
				d.Attributes[name] = a
			}
		})},
		{in(func(s *storagev1.CSIDriverSpec) { s.PreventPodSchedulingIfMissing = nil })},
	} {
		all = append(all, newWalker(gate))
	}
	return all
})

// dropGated clears the fields of every gate that the old object does not use.
func dropGated(object, old runtime.Object) {
	for _, gate := range gates() {
		if old == nil || !changes(gate, old) {
			gate.visit(object)
		}
	}
}

// changes reports whether an object has a field that is behind a gate.
func changes(gate *walker, object runtime.Object) bool {
	without := object.DeepCopyObject()
	gate.visit(without)
	return !equality.Semantic.DeepEqual(without, object)
}

func withoutStopSignal(l *corev1.Lifecycle) *corev1.Lifecycle {
	if l == nil || l.StopSignal == nil {
		return l
	}
	l.StopSignal = nil
	if *l == (corev1.Lifecycle{}) {
		return nil
	}
	return l
}
