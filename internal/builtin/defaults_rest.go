package builtin

import (
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func ofTheRest() []change {
	return []change{
		// networking.k8s.io, discovery.k8s.io
		in(func(p *networkingv1.NetworkPolicyPort) { pointer(&p.Protocol, corev1.ProtocolTCP) }),
		in(func(p *networkingv1.NetworkPolicy) {
			if len(p.Spec.PolicyTypes) > 0 {
				return
			}
			p.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
			if len(p.Spec.Egress) > 0 {
				p.Spec.PolicyTypes = append(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
			}
		}),
		in(func(c *networkingv1.IngressClass) {
			if c.Spec.Parameters != nil {
				pointer(&c.Spec.Parameters.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
			}
		}),
		in(func(p *discoveryv1.EndpointPort) {
			pointer(&p.Name, "")
			pointer(&p.Protocol, corev1.ProtocolTCP)
		}),

		// rbac.authorization.k8s.io
		in(func(b *rbacv1.ClusterRoleBinding) { value(&b.RoleRef.APIGroup, rbacv1.GroupName) }),
		in(func(b *rbacv1.RoleBinding) { value(&b.RoleRef.APIGroup, rbacv1.GroupName) }),
		in(func(s *rbacv1.Subject) {
			if s.Kind == rbacv1.UserKind || s.Kind == rbacv1.GroupKind {
				value(&s.APIGroup, rbacv1.GroupName)
			}
		}),

		// storage.k8s.io, scheduling.k8s.io
		in(func(c *storagev1.StorageClass) {
			pointer(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
			pointer(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
		}),
		in(func(d *storagev1.CSIDriver) {
			pointer(&d.Spec.AttachRequired, true)
			pointer(&d.Spec.PodInfoOnMount, false)
			pointer(&d.Spec.StorageCapacity, false)
			pointer(&d.Spec.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
			if len(d.Spec.VolumeLifecycleModes) == 0 {
				d.Spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
			}
			pointer(&d.Spec.RequiresRepublish, false)
			pointer(&d.Spec.SELinuxMount, false)
		}),
		in(func(c *schedulingv1.PriorityClass) { pointer(&c.PreemptionPolicy, corev1.PreemptLowerPriority) }),

		// admissionregistration.k8s.io
		in(func(w *admissionregistrationv1.ValidatingWebhook) {
			pointer(&w.FailurePolicy, admissionregistrationv1.Fail)
			pointer(&w.MatchPolicy, admissionregistrationv1.Equivalent)
			pointer(&w.NamespaceSelector, metav1.LabelSelector{})
			pointer(&w.ObjectSelector, metav1.LabelSelector{})
			pointer(&w.TimeoutSeconds, 10)
		}),
		in(func(w *admissionregistrationv1.MutatingWebhook) {
			pointer(&w.FailurePolicy, admissionregistrationv1.Fail)
			pointer(&w.MatchPolicy, admissionregistrationv1.Equivalent)
			pointer(&w.NamespaceSelector, metav1.LabelSelector{})
			pointer(&w.ObjectSelector, metav1.LabelSelector{})
			pointer(&w.TimeoutSeconds, 10)
			pointer(&w.ReinvocationPolicy, admissionregistrationv1.NeverReinvocationPolicy)
		}),
		in(func(r *admissionregistrationv1.Rule) { pointer(&r.Scope, admissionregistrationv1.AllScopes) }),
		in(func(r *admissionregistrationv1.ServiceReference) { pointer(&r.Port, 443) }),
		in(func(s *admissionregistrationv1.ValidatingAdmissionPolicySpec) {
			pointer(&s.FailurePolicy, admissionregistrationv1.Fail)
		}),
		in(func(s *admissionregistrationv1.MutatingAdmissionPolicySpec) {
			pointer(&s.FailurePolicy, admissionregistrationv1.Fail)
		}),
		in(func(m *admissionregistrationv1.MatchResources) {
			pointer(&m.MatchPolicy, admissionregistrationv1.Equivalent)
			pointer(&m.NamespaceSelector, metav1.LabelSelector{})
			pointer(&m.ObjectSelector, metav1.LabelSelector{})
		}),

		// flowcontrol.apiserver.k8s.io
		in(func(s *flowcontrolv1.FlowSchemaSpec) { value(&s.MatchingPrecedence, 1000) }),
		in(func(c *flowcontrolv1.ExemptPriorityLevelConfiguration) {
			pointer(&c.NominalConcurrencyShares, 0)
			pointer(&c.LendablePercent, 0)
		}),
		in(func(c *flowcontrolv1.LimitedPriorityLevelConfiguration) {
			pointer(&c.NominalConcurrencyShares, 30)
			pointer(&c.LendablePercent, 0)
		}),
		in(func(c *flowcontrolv1.QueuingConfiguration) {
			value(&c.HandSize, 8)
			value(&c.Queues, 64)
			value(&c.QueueLengthLimit, 50)
		}),

		// resource.k8s.io
		in(func(r *resourcev1.ExactDeviceRequest) { devices(&r.AllocationMode, &r.Count) }),
		in(func(r *resourcev1.DeviceSubRequest) { devices(&r.AllocationMode, &r.Count) }),
		in(func(t *resourcev1.DeviceToleration) { value(&t.Operator, resourcev1.DeviceTolerationOpEqual) }),
		in(func(t *resourcev1.DeviceTaint) {
			pointer(&t.TimeAdded, metav1.Time{Time: time.Now().Truncate(time.Second)})
		}),
		in(func(d *resourcev1.Device) {
			for name, mapping := range d.NodeAllocatableResourceMappings {
				pointer(&mapping.AllocationMultiplier, resource.MustParse("1"))
				d.NodeAllocatableResourceMappings[name] = mapping
			}
		}),

		// authentication.k8s.io
		in(func(s *authenticationv1.TokenRequestSpec) { pointer(&s.ExpirationSeconds, 3600) }),
	}
}

func devices(mode *resourcev1.DeviceAllocationMode, count *int64) {
	value(mode, resourcev1.DeviceAllocationModeExactCount)
	if *mode == resourcev1.DeviceAllocationModeExactCount {
		value(count, 1)
	}
}
