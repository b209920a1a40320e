package bench

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	groupVersionV1      = schema.GroupVersion{Group: "bench.crosswalk.dev", Version: "v1"}
	groupVersionV1beta1 = schema.GroupVersion{Group: "bench.crosswalk.dev", Version: "v1beta1"}
)

// hub and spoke are CronTab in v1 and v1beta1, as kubebuilder would scaffold
// them.
type hub struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              hubSpec `json:"spec,omitempty"`
	Status            status  `json:"status,omitempty"`
}

type hubSpec struct {
	CronSpec string   `json:"cronSpec,omitempty"`
	Image    string   `json:"image,omitempty"`
	Replicas *int32   `json:"replicas,omitempty"`
	Host     string   `json:"host,omitempty"`
	Port     string   `json:"port,omitempty"`
	Env      []envVar `json:"env,omitempty"`
}

type spoke struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              spokeSpec `json:"spec,omitempty"`
	Status            status    `json:"status,omitempty"`
}

type spokeSpec struct {
	CronSpec string   `json:"cronSpec,omitempty"`
	Image    string   `json:"image,omitempty"`
	Replicas *int32   `json:"replicas,omitempty"`
	HostPort string   `json:"hostPort,omitempty"`
	Env      []envVar `json:"env,omitempty"`
}

type envVar struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
}

type status struct {
	Replicas      int32  `json:"replicas,omitempty"`
	LabelSelector string `json:"labelSelector,omitempty"`
}

func (h *hub) DeepCopyObject() runtime.Object {
	out := *h
	h.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Replicas = copyOf(h.Spec.Replicas)
	out.Spec.Env = append([]envVar(nil), h.Spec.Env...)
	return &out
}

func (s *spoke) DeepCopyObject() runtime.Object {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Replicas = copyOf(s.Spec.Replicas)
	out.Spec.Env = append([]envVar(nil), s.Spec.Env...)
	return &out
}

func copyOf(n *int32) *int32 {
	if n == nil {
		return nil
	}
	m := *n
	return &m
}
