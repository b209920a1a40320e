package builtin

import (
	"reflect"
	"slices"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// strategies holds the types that need more than a restored status and spec.
//
// The sources are the strategy.go of k8s.io/kubernetes/pkg/registry,
// k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator.
var strategies = sync.OnceValue(func() map[reflect.Type]strategy {
	all := map[reflect.Type]strategy{}
	for _, one := range []interface {
		add(map[reflect.Type]strategy)
	}{
		of[admissionregistrationv1.MutatingAdmissionPolicy]{generation: bySpec},
		of[admissionregistrationv1.MutatingAdmissionPolicyBinding]{generation: bySpec},
		of[admissionregistrationv1.ValidatingAdmissionPolicy]{generation: bySpec, updated: status(resetMetadata[admissionregistrationv1.ValidatingAdmissionPolicy])},
		of[admissionregistrationv1.ValidatingAdmissionPolicyBinding]{generation: bySpec},
		of[admissionregistrationv1.MutatingWebhookConfiguration]{generation: []string{"Webhooks"}},
		of[admissionregistrationv1.ValidatingWebhookConfiguration]{generation: []string{"Webhooks"}},

		of[appsv1.DaemonSet]{generation: bySpec, created: beginTemplateGeneration, updated: map[string]func(object, old *appsv1.DaemonSet){"": countTemplateGeneration}},
		of[appsv1.Deployment]{
			// A change of annotations increments the generation, because they are copied to
			// ReplicaSets.
			generation: []string{"Spec", "Annotations"},
			updated:    status(func(object, old *appsv1.Deployment) { object.Labels = old.Labels }),
		},
		of[appsv1.ReplicaSet]{generation: bySpec},
		of[appsv1.StatefulSet]{generation: bySpec},
		of[batchv1.CronJob]{generation: bySpec},
		of[batchv1.Job]{generation: bySpec, created: selectPods},

		of[certificatesv1.CertificateSigningRequest]{by: signFor, updated: map[string]func(object, old *certificatesv1.CertificateSigningRequest){
			"": func(object, old *certificatesv1.CertificateSigningRequest) { object.Spec = old.Spec },
			"approval": func(object, old *certificatesv1.CertificateSigningRequest) {
				datesOf(object, old)
				conditions := object.Status.Conditions
				object.Spec, object.Status = old.Spec, old.Status
				object.Status.Conditions = conditions
			},
			"status": func(object, old *certificatesv1.CertificateSigningRequest) {
				keepConditions(object, old, certificatesv1.CertificateApproved)
				keepConditions(object, old, certificatesv1.CertificateDenied)
				datesOf(object, old)
			},
		}},

		of[corev1.Namespace]{
			created: func(n *corev1.Namespace) {
				n.Status.Phase = corev1.NamespaceActive
				n.Spec.Finalizers = withOne(n.Spec.Finalizers, corev1.FinalizerKubernetes)
				labelWithName(n)
			},
			updated: map[string]func(object, old *corev1.Namespace){
				"": func(object, old *corev1.Namespace) {
					object.Spec.Finalizers = old.Spec.Finalizers
					labelWithName(object)
				},
				"finalize": func(object, old *corev1.Namespace) {
					object.Status = old.Status
					labelWithName(object)
				},
				"status": func(object, _ *corev1.Namespace) { labelWithName(object) },
			},
		},
		of[corev1.Node]{status: true}, // a Node's kubelet sends the first status
		of[corev1.PersistentVolume]{created: beginPending, updated: status(datePhase)},
		of[corev1.PersistentVolumeClaim]{
			created: func(c *corev1.PersistentVolumeClaim) { agreeOnSource(&c.Spec, nil) },
			updated: map[string]func(object, old *corev1.PersistentVolumeClaim){
				"": func(object, old *corev1.PersistentVolumeClaim) { agreeOnSource(&object.Spec, &old.Spec) },
			},
		},
		of[corev1.Pod]{generation: bySpec, status: true, created: beginPod, updated: map[string]func(object, old *corev1.Pod){
			"status":              keepPod,
			"ephemeralcontainers": keepAllButEphemeral,
			"resize":              keepAllButResources,
		}},
		of[corev1.PodTemplate]{generation: []string{"Template"}},
		of[corev1.ReplicationController]{generation: bySpec},
		of[corev1.Secret]{updated: map[string]func(object, old *corev1.Secret){
			"": func(object, old *corev1.Secret) { value(&object.Type, old.Type) },
		}},
		of[corev1.Service]{created: beginService, updated: map[string]func(object, old *corev1.Service){"": keepAllocated}},
		of[corev1.ServiceAccount]{created: nameSecrets, updated: map[string]func(object, old *corev1.ServiceAccount){
			"": func(object, _ *corev1.ServiceAccount) { nameSecrets(object) },
		}},

		of[discoveryv1.EndpointSlice]{
			generation: []string{"AddressType", "Endpoints", "Ports", "Labels"},
			created:    func(s *discoveryv1.EndpointSlice) { dropTopology(s, nil) },
			updated:    map[string]func(object, old *discoveryv1.EndpointSlice){"": dropTopology},
		},
		of[flowcontrolv1.FlowSchema]{generation: bySpec, updated: status(func(object, old *flowcontrolv1.FlowSchema) {
			object.ObjectMeta = withManagedFields(old.ObjectMeta, object)
		})},
		of[flowcontrolv1.PriorityLevelConfiguration]{generation: bySpec, updated: status(func(object, old *flowcontrolv1.PriorityLevelConfiguration) {
			object.ObjectMeta = withManagedFields(old.ObjectMeta, object)
		})},
		of[networkingv1.Ingress]{generation: bySpec},
		of[networkingv1.IngressClass]{generation: bySpec},
		of[networkingv1.NetworkPolicy]{generation: bySpec},
		of[networkingv1.ServiceCIDR]{updated: status(resetMetadata[networkingv1.ServiceCIDR])},
		of[policyv1.PodDisruptionBudget]{generation: bySpec},
		of[resourcev1.DeviceClass]{generation: bySpec},
		of[resourcev1.ResourceClaim]{updated: status(func(object, old *resourcev1.ResourceClaim) {
			resetMetadata(object, old)
			forgetDevices(object, old)
		})},
		of[resourcev1.ResourceSlice]{generation: bySpec},
		of[schedulingv1.PriorityClass]{generation: []string{}},
		// A new object has no generation; the first change sets it to 1.
		of[storagev1.CSIDriver]{generation: bySpec, created: func(d *storagev1.CSIDriver) { d.Generation = 0 }},
		of[storagev1.VolumeAttachment]{updated: status(resetMetadata[storagev1.VolumeAttachment])},

		of[apiextensionsv1.CustomResourceDefinition]{
			generation: bySpec,
			created:    storeVersion,
			updated: map[string]func(object, old *apiextensionsv1.CustomResourceDefinition){
				"": func(object, _ *apiextensionsv1.CustomResourceDefinition) { storeVersion(object) },
			},
		},
		of[apiregistrationv1.APIService]{
			created: beginLocal,
			updated: status(func(object, old *apiregistrationv1.APIService) {
				object.Labels, object.Annotations = old.Labels, old.Annotations
				object.Finalizers, object.OwnerReferences = old.Finalizers, old.OwnerReferences
			}),
		},
	} {
		one.add(all)
	}
	return all
})

// status is the table of a type that prepares writes to its status, and no others.
func status[T any](do func(object, old *T)) map[string]func(object, old *T) {
	return map[string]func(object, old *T){"status": do}
}

func withManagedFields(old metav1.ObjectMeta, object metav1.Object) metav1.ObjectMeta {
	old.ManagedFields = object.GetManagedFields()
	return old
}

// beginLocal marks an APIService without a Service as available.
func beginLocal(s *apiregistrationv1.APIService) {
	if s.Spec.Service == nil {
		s.Status.Conditions = []apiregistrationv1.APIServiceCondition{{
			Type: apiregistrationv1.Available, Status: apiregistrationv1.ConditionTrue, LastTransitionTime: metav1.Now(),
			Reason: "Local", Message: "Local APIServices are always available",
		}}
	}
}

// storeVersion adds the storage version to status.storedVersions.
func storeVersion(crd *apiextensionsv1.CustomResourceDefinition) {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = withOne(crd.Status.StoredVersions, v.Name)
			return
		}
	}
}

// dropTopology clears deprecatedTopology, which clients could write in v1beta1 only. A node
// name that the old EndpointSlice had there is moved to nodeName.
func dropTopology(object, old *discoveryv1.EndpointSlice) {
	nodes := map[string]bool{}
	if old != nil {
		if equality.Semantic.DeepEqual(old.Endpoints, object.Endpoints) {
			return
		}
		for _, e := range old.Endpoints {
			nodes[e.DeprecatedTopology[corev1.LabelHostname]] = true
		}
	}
	for i := range object.Endpoints {
		e := &object.Endpoints[i]
		if name, found := e.DeprecatedTopology[corev1.LabelHostname]; found && e.NodeName == nil && nodes[name] && validName(name) {
			e.NodeName = &name
		}
		e.DeprecatedTopology = nil
	}
}

// device identifies a device of a claim.
type device struct{ driver, pool, device, share string }

func allocatedTo(c *resourcev1.ResourceClaim) map[device]bool {
	all := map[device]bool{}
	if c.Status.Allocation == nil {
		return all
	}
	for _, r := range c.Status.Allocation.Devices.Results {
		share := ""
		if r.ShareID != nil {
			share = string(*r.ShareID)
		}
		all[device{r.Driver, r.Pool, r.Device, share}] = true
	}
	return all
}

// forgetDevices drops the status of devices that are no longer allocated to the claim.
func forgetDevices(object, old *resourcev1.ResourceClaim) {
	had, has := allocatedTo(old), allocatedTo(object)
	object.Status.Devices = slices.DeleteFunc(object.Status.Devices, func(d resourcev1.AllocatedDeviceStatus) bool {
		share := ""
		if d.ShareID != nil {
			share = *d.ShareID
		}
		one := device{d.Driver, d.Pool, d.Device, share}
		return had[one] && !has[one]
	})
}

// signFor records the author of a CertificateSigningRequest.
func signFor(r *certificatesv1.CertificateSigningRequest, user authenticationv1.UserInfo) {
	r.Spec.Username, r.Spec.UID, r.Spec.Groups, r.Spec.Extra = user.Username, user.UID, user.Groups, nil
	for name, all := range user.Extra {
		if r.Spec.Extra == nil {
			r.Spec.Extra = map[string]certificatesv1.ExtraValue{}
		}
		r.Spec.Extra[name] = certificatesv1.ExtraValue(all)
	}
}

// keepConditions restores the conditions of a type, if their number has not changed.
func keepConditions(object, old *certificatesv1.CertificateSigningRequest, of certificatesv1.RequestConditionType) {
	is, was := conditionsOf(object, of), conditionsOf(old, of)
	if len(is) != len(was) {
		return
	}
	for i, at := range is {
		object.Status.Conditions[at] = old.Status.Conditions[was[i]]
	}
}

// conditionsOf returns the indexes of the conditions of a type.
func conditionsOf(r *certificatesv1.CertificateSigningRequest, of certificatesv1.RequestConditionType) []int {
	var at []int
	for i, c := range r.Status.Conditions {
		if c.Type == of {
			at = append(at, i)
		}
	}
	return at
}

// datesOf sets missing lastUpdateTime and lastTransitionTime of conditions.
func datesOf(object, old *certificatesv1.CertificateSigningRequest) {
	now := metav1.Now()
	for i := range object.Status.Conditions {
		c := &object.Status.Conditions[i]
		value(&c.LastUpdateTime, now)
		if !c.LastTransitionTime.IsZero() {
			continue
		}
		c.LastTransitionTime = now
		for _, o := range old.Status.Conditions {
			if o.Type == c.Type && o.Status == c.Status && !o.LastTransitionTime.IsZero() {
				c.LastTransitionTime = o.LastTransitionTime
				break
			}
		}
	}
}
