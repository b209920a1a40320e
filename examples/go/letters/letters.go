// Package letters has the kind Letter in two versions, and Go code that converts between
// them. The code knows nothing of the stamp, which only v1beta1 has.
package letters

import (
	_ "embed"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

// V1 is a letter in the version v1, the hub.
type V1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		To   []string `json:"to,omitempty"`
		Text string   `json:"text,omitempty"`
	} `json:"spec,omitempty"`
}

// V1beta1 is a letter in the version v1beta1.
type V1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		To    string `json:"to,omitempty"`
		Text  string `json:"text,omitempty"`
		Stamp string `json:"stamp,omitempty"`
	} `json:"spec,omitempty"`
}

// Hub makes V1 a conversion.Hub.
func (*V1) Hub() {}

// ConvertTo implements conversion.Convertible.
func (l *V1beta1) ConvertTo(raw conversion.Hub) error {
	hub := raw.(*V1)
	hub.ObjectMeta, hub.Spec.Text = l.ObjectMeta, l.Spec.Text
	if l.Spec.To != "" {
		hub.Spec.To = strings.Split(l.Spec.To, ", ")
	}
	return nil
}

// ConvertFrom implements conversion.Convertible.
func (l *V1beta1) ConvertFrom(raw conversion.Hub) error {
	hub := raw.(*V1)
	l.ObjectMeta, l.Spec.Text = hub.ObjectMeta, hub.Spec.Text
	l.Spec.To = strings.Join(hub.Spec.To, ", ")
	return nil
}

// DeepCopyObject implements runtime.Object, as the generated code of controller-gen does.
func (l *V1) DeepCopyObject() runtime.Object {
	c := *l
	l.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Spec.To = slices.Clone(l.Spec.To)
	return &c
}

// DeepCopyObject implements runtime.Object.
func (l *V1beta1) DeepCopyObject() runtime.Object {
	c := *l
	l.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// Scheme knows the types of both versions.
func Scheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &V1{}, "v1beta1": &V1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Letter"}, object)
	}
	return scheme
}

//go:embed crd.yaml
var definition []byte

// Converter converts letters by the code above. Raise the revision when the code changes.
func Converter() (*typed.Converter, error) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict(definition, crd); err != nil {
		return nil, err
	}
	return typed.New(crd, Scheme(), "v1")
}
