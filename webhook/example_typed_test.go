package webhook_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/webhook"
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

// Types that convert themselves, served by the same server as tables are. The code
// loses the shell, and an address without a colon.
func ExampleNewHandler_typed() {
	group := schema.GroupVersion{Group: "stable.example.com"}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(group.WithKind("CronTab").GroupKind().WithVersion("v1"), &CronTabV1{})
	scheme.AddKnownTypeWithName(group.WithKind("CronTab").GroupKind().WithVersion("v1beta1"), &CronTabV1beta1{})

	// Usually read from the file that is applied, or from the cluster.
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "crontabs.stable.example.com"}}
	crd.Spec.Group, crd.Spec.Names.Kind = group.Group, "CronTab"
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1beta1"}, {Name: "v1"}}

	converter, err := typed.New(crd, scheme, "v1.4.2")
	if err != nil {
		panic(err)
	}
	tables := webhook.NewTables(nil)
	if err := tables.Replace([]webhook.Converter{converter}); err != nil {
		panic(err)
	}
	handler := webhook.NewHandler(webhook.Options{Tables: tables})

	server := httptest.NewServer(handler)
	defer server.Close()
	response, err := http.Post(server.URL+"/convert", "application/json", strings.NewReader(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
		"request": {"uid": "7", "desiredAPIVersion": "stable.example.com/v1", "objects": [
			{"apiVersion": "stable.example.com/v1beta1", "kind": "CronTab", "metadata": {"name": "a"}, "spec": {"hostPort": "h:1", "shell": "/bin/dash"}}]}}`))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.Status)

	v1, err := converter.Convert(nil, []byte(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"h","shell":"/bin/dash"}}`), "v1")
	if err != nil {
		panic(err)
	}
	back, err := converter.Convert(nil, v1, "v1beta1")
	if err != nil {
		panic(err)
	}
	fmt.Println(string(back))
	// Output:
	// 200 OK
	// {"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"h","shell":"/bin/dash"}}
}
