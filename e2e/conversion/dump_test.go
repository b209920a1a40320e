package conversion

import (
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	crconversion "sigs.k8s.io/controller-runtime/pkg/conversion"
)

// A kind as kubebuilder scaffolds it, with conversions that lose what they can: a
// shell, a time zone, and all of metadata but the name.

// dumpV1 is the hub.
type dumpV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Image    string `json:"image,omitempty"`
		Host     string `json:"host,omitempty"`
		Port     int32  `json:"port,omitempty"`
		TimeZone string `json:"timeZone,omitempty"`
		Revision int64  `json:"revision,omitempty"`
	} `json:"spec,omitempty"`
}

// dumpV1beta1 converts itself.
type dumpV1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Image    string `json:"image,omitempty"`
		HostPort string `json:"hostPort,omitempty"`
		Shell    string `json:"shell,omitempty"`
		Revision int64  `json:"revision,omitempty"`
	} `json:"spec,omitempty"`
}

func (d *dumpV1) DeepCopyObject() runtime.Object      { out := *d; return &out }
func (d *dumpV1beta1) DeepCopyObject() runtime.Object { out := *d; return &out }

func (*dumpV1) Hub() {}

func (d *dumpV1beta1) ConvertTo(raw crconversion.Hub) error {
	hub := raw.(*dumpV1)
	hub.Name, hub.Namespace = d.Name, d.Namespace
	hub.Spec.Image, hub.Spec.Revision = d.Spec.Image, d.Spec.Revision
	if d.Spec.HostPort == "" {
		return nil
	}
	host, port, _ := strings.Cut(d.Spec.HostPort, ":")
	number, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		return fmt.Errorf("%q does not end with a port", d.Spec.HostPort)
	}
	hub.Spec.Host, hub.Spec.Port = host, int32(number)
	return nil
}

func (d *dumpV1beta1) ConvertFrom(raw crconversion.Hub) error {
	hub := raw.(*dumpV1)
	d.Name, d.Namespace = hub.Name, hub.Namespace
	d.Spec.Image, d.Spec.Revision = hub.Spec.Image, hub.Spec.Revision
	if hub.Spec.Host != "" {
		d.Spec.HostPort = hub.Spec.Host + ":" + strconv.Itoa(int(hub.Spec.Port))
	}
	return nil
}
