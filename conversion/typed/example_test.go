package typed_test

import (
	"fmt"
	"os"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

// cronTabV1 is the hub.
type cronTabV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Host string `json:"host,omitempty"`
		Port string `json:"port,omitempty"`
	} `json:"spec,omitempty"`
}

// cronTabV1beta1 is the spoke.
type cronTabV1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		HostPort string `json:"hostPort,omitempty"`
	} `json:"spec,omitempty"`
}

func (c *cronTabV1) DeepCopyObject() runtime.Object      { out := *c; return &out }
func (c *cronTabV1beta1) DeepCopyObject() runtime.Object { out := *c; return &out }

// Two functions convert between the types of two versions. They lose timeZone, which
// neither type has, and Crosswalk keeps it.
func ExampleSpoke() {
	toHub := func(spoke *cronTabV1beta1, hub *cronTabV1) error {
		hub.ObjectMeta = spoke.ObjectMeta
		hub.Spec.Host, hub.Spec.Port, _ = strings.Cut(spoke.Spec.HostPort, ":")
		return nil
	}
	fromHub := func(hub *cronTabV1, spoke *cronTabV1beta1) error {
		spoke.ObjectMeta = hub.ObjectMeta
		spoke.Spec.HostPort = hub.Spec.Host + ":" + hub.Spec.Port
		return nil
	}

	crd := new(apiextensionsv1.CustomResourceDefinition)
	text, err := os.ReadFile("../../examples/crontab/crd.yaml")
	if err != nil {
		panic(err)
	}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		panic(err)
	}
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &cronTabV1{}, "v1beta1": &cronTabV1beta1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: "CronTab"}, object)
	}
	converter, err := typed.New(crd, scheme, "v1.4.2", typed.Hub("v1"), typed.Spoke("v1beta1", toHub, fromHub))
	if err != nil {
		panic(err)
	}

	v1beta1, err := converter.Convert(nil, []byte(
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"host":"h","port":"1","timeZone":"UTC"}}`), "v1beta1")
	if err != nil {
		panic(err)
	}
	v1, err := converter.Convert(nil, v1beta1, "v1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(v1))
	// Output:
	// {"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"host":"h","port":"1","timeZone":"UTC"}}
}
