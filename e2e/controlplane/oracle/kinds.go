package main

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
)

// kind is a built-in kind with two versions that Kubernetes still converts, though
// it no longer serves all of them.
type kind struct {
	schema.GroupKind
	plural     string
	namespaced bool
	old, new   string
	// elements is how long the fuzzers make lists and maps. A list of one cannot
	// show that elements are mixed up, but a CronJob has lists within lists.
	elements int
	// keeps is the prefix of the annotations in which the old version's converter
	// keeps what that version has no field for.
	keeps string
}

func kinds() []kind {
	return []kind{
		{schema.GroupKind{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}, "horizontalpodautoscalers", true, "v1", "v2", 3, "autoscaling.alpha.kubernetes.io/"},
		{schema.GroupKind{Group: "networking.k8s.io", Kind: "Ingress"}, "ingresses", true, "v1beta1", "v1", 3, ""},
		{schema.GroupKind{Group: "flowcontrol.apiserver.k8s.io", Kind: "FlowSchema"}, "flowschemas", false, "v1beta3", "v1", 3, ""},
		{schema.GroupKind{Group: "flowcontrol.apiserver.k8s.io", Kind: "PriorityLevelConfiguration"}, "prioritylevelconfigurations", false, "v1beta3", "v1", 3, ""},
		{schema.GroupKind{Group: "batch", Kind: "CronJob"}, "cronjobs", true, "v1beta1", "v1", 1, ""},
		{schema.GroupKind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}, "endpointslices", true, "v1beta1", "v1", 3, ""},
	}
}

// find returns the kind with the given plural name.
func find(plural string) (kind, error) {
	var known []string
	for _, k := range kinds() {
		if k.plural == plural {
			return k, nil
		}
		known = append(known, k.plural)
	}
	return kind{}, fmt.Errorf("unknown kind %q; there are %s", plural, strings.Join(known, ", "))
}
