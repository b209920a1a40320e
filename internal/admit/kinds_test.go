package admit

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The plurals of Kubernetes' own kinds that are not made with an s alone, and which of
// them live in a namespace, as kubectl api-resources says.
func TestKindsOfKubernetesItself(t *testing.T) {
	k := &kinds{}
	for _, test := range []struct {
		group, version, kind, resource string
		namespaced                     bool
	}{
		{"", "v1", "Pod", "pods", true},
		{"", "v1", "Endpoints", "endpoints", true},
		{"", "v1", "Namespace", "namespaces", false},
		{"", "v1", "Node", "nodes", false},
		{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true},
		{"", "v1", "PersistentVolume", "persistentvolumes", false},
		{"apps", "v1", "Deployment", "deployments", true},
		{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true},
		{"networking.k8s.io", "v1", "Ingress", "ingresses", true},
		{"networking.k8s.io", "v1", "IngressClass", "ingressclasses", false},
		{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true},
		{"networking.k8s.io", "v1", "IPAddress", "ipaddresses", false},
		{"networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs", false},
		{"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false},
		{"storage.k8s.io", "v1", "StorageClass", "storageclasses", false},
		{"storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities", true},
		{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", false},
		{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false},
		{"rbac.authorization.k8s.io", "v1", "Role", "roles", true},
	} {
		found, err := k.find(schema.GroupVersionKind{Group: test.group, Version: test.version, Kind: test.kind})
		if err != nil || found.resource.Resource != test.resource || found.namespaced != test.namespaced {
			t.Errorf("%s: got %+v, %v", test.kind, found, err)
		}
	}
}
