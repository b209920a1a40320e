package main

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// letterV1 is a letter in the version v1, the hub.
type letterV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		To   []string `json:"to,omitempty"`
		Text string   `json:"text,omitempty"`
	} `json:"spec,omitempty"`
}

// letterV1beta1 is a letter in the version v1beta1, with a stamp, of which its
// conversions know nothing.
type letterV1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		To    string `json:"to,omitempty"`
		Text  string `json:"text,omitempty"`
		Stamp string `json:"stamp,omitempty"`
	} `json:"spec,omitempty"`
}

func (*letterV1) Hub() {}

func (l *letterV1beta1) ConvertTo(raw conversion.Hub) error {
	hub := raw.(*letterV1)
	hub.ObjectMeta, hub.Spec.Text = l.ObjectMeta, l.Spec.Text
	if l.Spec.To != "" {
		hub.Spec.To = strings.Split(l.Spec.To, ", ")
	}
	return nil
}

func (l *letterV1beta1) ConvertFrom(raw conversion.Hub) error {
	hub := raw.(*letterV1)
	l.ObjectMeta, l.Spec.Text = hub.ObjectMeta, hub.Spec.Text
	l.Spec.To = strings.Join(hub.Spec.To, ", ")
	return nil
}

// DeepCopyObject is what a runtime.Scheme asks for. Conversion makes no copies.
func (l *letterV1) DeepCopyObject() runtime.Object {
	c := *l
	l.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Spec.To = append([]string(nil), l.Spec.To...)
	return &c
}

// DeepCopyObject is that of letterV1.
func (l *letterV1beta1) DeepCopyObject() runtime.Object {
	c := *l
	l.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}
