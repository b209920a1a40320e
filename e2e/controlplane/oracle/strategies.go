package main

import (
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// target is what is written: objects of a kind, or a subresource of theirs.
type target struct{ group, kind, subresource string }

// strategies are what the API server asks what becomes of an object that is written.
func strategies() map[target]rest.RESTUpdateStrategy {
	return map[target]rest.RESTUpdateStrategy{
		{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", ""}:        validatingadmissionpolicy.NewStrategy(nil, nil),
		{"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", "status"}:  validatingadmissionpolicy.NewStatusStrategy(validatingadmissionpolicy.NewStrategy(nil, nil)),
		{"admissionregistration.k8s.io", "MutatingAdmissionPolicy", ""}:          mutatingadmissionpolicy.NewStrategy(nil, nil),
		{"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", ""}: validatingadmissionpolicybinding.NewStrategy(nil, nil, nil),
		{"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding", ""}:   mutatingadmissionpolicybinding.NewStrategy(nil, nil, nil),
		{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", ""}:   validatingwebhookconfiguration.Strategy,
		{"admissionregistration.k8s.io", "MutatingWebhookConfiguration", ""}:     mutatingwebhookconfiguration.Strategy,
		{"apps", "ControllerRevision", ""}:                                       controllerrevision.Strategy,
		{"apps", "DaemonSet", ""}:                                                daemonset.Strategy,
		{"apps", "DaemonSet", "status"}:                                          daemonset.StatusStrategy,
		{"apps", "Deployment", ""}:                                               deployment.Strategy,
		{"apps", "Deployment", "status"}:                                         deployment.StatusStrategy,
		{"apps", "ReplicaSet", ""}:                                               replicaset.Strategy,
		{"apps", "ReplicaSet", "status"}:                                         replicaset.StatusStrategy,
		{"apps", "StatefulSet", ""}:                                              statefulset.Strategy,
		{"apps", "StatefulSet", "status"}:                                        statefulset.StatusStrategy,
		{"autoscaling", "HorizontalPodAutoscaler", ""}:                           horizontalpodautoscaler.Strategy,
		{"autoscaling", "HorizontalPodAutoscaler", "status"}:                     horizontalpodautoscaler.StatusStrategy,
		{"batch", "CronJob", ""}:                                                 cronjob.Strategy,
		{"batch", "CronJob", "status"}:                                           cronjob.StatusStrategy,
		{"batch", "Job", ""}:                                                     job.Strategy,
		{"batch", "Job", "status"}:                                               job.StatusStrategy,
		{"certificates.k8s.io", "CertificateSigningRequest", ""}:                 certificates.Strategy,
		{"certificates.k8s.io", "CertificateSigningRequest", "status"}:           certificates.StatusStrategy,
		{"certificates.k8s.io", "CertificateSigningRequest", "approval"}:         certificates.ApprovalStrategy,
		{"coordination.k8s.io", "Lease", ""}:                                     lease.Strategy,
		{"", "ConfigMap", ""}:                                                    configmap.Strategy,
		{"", "Endpoints", ""}:                                                    endpoint.Strategy,
		{"", "Event", ""}:                                                        event.Strategy,
		{"", "LimitRange", ""}:                                                   limitrange.Strategy,
		{"", "Namespace", ""}:                                                    namespace.Strategy,
		{"", "Namespace", "status"}:                                              namespace.StatusStrategy,
		{"", "Namespace", "finalize"}:                                            namespace.FinalizeStrategy,
		{"", "Node", ""}:                                                         node.Strategy,
		{"", "Node", "status"}:                                                   node.StatusStrategy,
		{"", "PersistentVolume", ""}:                                             persistentvolume.Strategy,
		{"", "PersistentVolume", "status"}:                                       persistentvolume.StatusStrategy,
		{"", "PersistentVolumeClaim", ""}:                                        persistentvolumeclaim.Strategy,
		{"", "PersistentVolumeClaim", "status"}:                                  persistentvolumeclaim.StatusStrategy,
		{"", "Pod", ""}:                                                          pod.Strategy,
		{"", "Pod", "status"}:                                                    pod.StatusStrategy,
		{"", "Pod", "ephemeralcontainers"}:                                       pod.EphemeralContainersStrategy,
		{"", "Pod", "resize"}:                                                    pod.ResizeStrategy,
		{"", "PodTemplate", ""}:                                                  podtemplate.Strategy,
		{"", "ReplicationController", ""}:                                        replicationcontroller.Strategy,
		{"", "ReplicationController", "status"}:                                  replicationcontroller.StatusStrategy,
		{"", "ResourceQuota", ""}:                                                resourcequota.Strategy,
		{"", "ResourceQuota", "status"}:                                          resourcequota.StatusStrategy,
		{"", "Secret", ""}:                                                       secret.Strategy,
		{"", "Service", ""}:                                                      service.Strategy,
		{"", "Service", "status"}:                                                service.StatusStrategy,
		{"", "ServiceAccount", ""}:                                               serviceaccount.Strategy,
		{"discovery.k8s.io", "EndpointSlice", ""}:                                endpointslice.Strategy,
		{"flowcontrol.apiserver.k8s.io", "FlowSchema", ""}:                       flowschema.Strategy,
		{"flowcontrol.apiserver.k8s.io", "FlowSchema", "status"}:                 flowschema.StatusStrategy,
		{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", ""}:       prioritylevelconfiguration.Strategy,
		{"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", "status"}: prioritylevelconfiguration.StatusStrategy,
		{"networking.k8s.io", "Ingress", ""}:                                     ingress.Strategy,
		{"networking.k8s.io", "Ingress", "status"}:                               ingress.StatusStrategy,
		{"networking.k8s.io", "IngressClass", ""}:                                ingressclass.Strategy,
		{"networking.k8s.io", "IPAddress", ""}:                                   ipaddress.Strategy,
		{"networking.k8s.io", "NetworkPolicy", ""}:                               networkpolicy.Strategy,
		{"networking.k8s.io", "ServiceCIDR", ""}:                                 servicecidr.Strategy,
		{"networking.k8s.io", "ServiceCIDR", "status"}:                           servicecidr.StatusStrategy,
		{"node.k8s.io", "RuntimeClass", ""}:                                      runtimeclass.Strategy,
		{"policy", "PodDisruptionBudget", ""}:                                    poddisruptionbudget.Strategy,
		{"policy", "PodDisruptionBudget", "status"}:                              poddisruptionbudget.StatusStrategy,
		{"rbac.authorization.k8s.io", "ClusterRole", ""}:                         clusterrole.Strategy,
		{"rbac.authorization.k8s.io", "ClusterRoleBinding", ""}:                  clusterrolebinding.Strategy,
		{"rbac.authorization.k8s.io", "Role", ""}:                                role.Strategy,
		{"rbac.authorization.k8s.io", "RoleBinding", ""}:                         rolebinding.Strategy,
		{"resource.k8s.io", "DeviceClass", ""}:                                   deviceclass.Strategy,
		{"resource.k8s.io", "ResourceClaim", ""}:                                 resourceclaim.NewStrategy(nil, nil),
		{"resource.k8s.io", "ResourceClaim", "status"}:                           resourceclaim.NewStatusStrategy(resourceclaim.NewStrategy(nil, nil)),
		{"resource.k8s.io", "ResourceClaimTemplate", ""}:                         resourceclaimtemplate.NewStrategy(nil),
		{"resource.k8s.io", "ResourceSlice", ""}:                                 resourceslice.Strategy,
		{"scheduling.k8s.io", "PriorityClass", ""}:                               priorityclass.Strategy,
		{"storage.k8s.io", "CSIDriver", ""}:                                      csidriver.Strategy,
		{"storage.k8s.io", "CSINode", ""}:                                        csinode.Strategy,
		{"storage.k8s.io", "CSIStorageCapacity", ""}:                             csistoragecapacity.Strategy,
		{"storage.k8s.io", "StorageClass", ""}:                                   storageclass.Strategy,
		{"storage.k8s.io", "VolumeAttachment", ""}:                               volumeattachment.Strategy,
		{"storage.k8s.io", "VolumeAttachment", "status"}:                         volumeattachment.StatusStrategy,
		{"storage.k8s.io", "VolumeAttributesClass", ""}:                          volumeattributesclass.Strategy,
	}
}
