package webhook_test

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// CronTabV1 is the hub, as kubebuilder scaffolds it.
type CronTabV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Host string `json:"host,omitempty"`
		Port string `json:"port,omitempty"`
	} `json:"spec,omitempty"`
}

// CronTabV1beta1 is what converts itself to it.
type CronTabV1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		HostPort string `json:"hostPort,omitempty"`
		Shell    string `json:"shell,omitempty"`
	} `json:"spec,omitempty"`
}

func (*CronTabV1) Hub() {}

func (c *CronTabV1beta1) ConvertTo(raw conversion.Hub) error {
	hub := raw.(*CronTabV1)
	hub.ObjectMeta = c.ObjectMeta
	hub.Spec.Host, hub.Spec.Port, _ = strings.Cut(c.Spec.HostPort, ":")
	return nil
}

func (c *CronTabV1beta1) ConvertFrom(raw conversion.Hub) error {
	hub := raw.(*CronTabV1)
	c.ObjectMeta = hub.ObjectMeta
	c.Spec.HostPort = hub.Spec.Host + ":" + hub.Spec.Port
	return nil
}

func (c *CronTabV1) DeepCopyObject() runtime.Object      { out := *c; return &out }
func (c *CronTabV1beta1) DeepCopyObject() runtime.Object { out := *c; return &out }
