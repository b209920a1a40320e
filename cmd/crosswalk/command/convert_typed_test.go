package command

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

// box is a kind whose versions have one type.
type box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int64 `json:"size,omitempty"`
}

func (b *box) DeepCopyObject() runtime.Object { c := *b; return &c }

// boxes is a program with code for boxes of a group, which in v1 are ten times as
// large as in v1beta1.
func boxes(t *testing.T, group, kind string) Options {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name, crd.Spec.Group, crd.Spec.Names.Kind = "boxes."+group, group, kind
	scheme := runtime.NewScheme()
	for _, version := range []string{"v1", "v1beta1"} {
		crd.Spec.Versions = append(crd.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: version})
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: version, Kind: kind}, &box{})
	}
	times := func(in, out *box) error { out.ObjectMeta, out.Size = in.ObjectMeta, 10*in.Size; return nil }
	part := func(in, out *box) error { out.ObjectMeta, out.Size = in.ObjectMeta, in.Size/10; return nil }
	c, err := typed.New(crd, scheme, "1", typed.Hub("v1"), typed.Spoke("v1beta1", times, part))
	if err != nil {
		t.Fatal(err)
	}
	return Options{Typed: []*typed.Converter{c}}
}

// Objects of kinds that the program has code for are converted beside those that there
// are tables for, and lists of them; either can be explained.
func TestConvertTyped(t *testing.T) {
	program := boxes(t, "example.com", "Box")
	in := "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsize: 25\n"
	program.crosswalk(t, in, "convert", "--to", "v1beta1").expect(t, result{
		stdout: "apiVersion: example.com/v1beta1\nkind: Box\nmetadata:\n  name: a\nsize: 2\n",
	})
	program.crosswalk(t, in+"---\n"+explainedObject, "convert", "--config", example, "--to", "v1beta1", "--explain").expect(t, result{stdout: `standard input: Box a: v1 to v1beta1
written in v1beta1:
  .size  2  the code
the same in both versions:
  .kind, .metadata.name
kept for v1 in the annotation stash.crosswalk.dev/v1:
  .size  25  the code converts it back to 20
`})
	program.crosswalk(t, `{"apiVersion":"example.com/v1beta1","kind":"BoxList","items":[{"apiVersion":"example.com/v1beta1","kind":"Box","size":1}]}`, "convert", "--to", "v1").expect(t, result{
		stdout: `{"apiVersion":"example.com/v1","kind":"BoxList","items":[{"apiVersion":"example.com/v1","kind":"Box","size":10}]}`,
	})
	program.crosswalk(t, "apiVersion: example.com/v1beta1\nkind: Box\nsize: big\n", "convert", "--to", "v1", "--explain").expect(t, result{stdout: `standard input: Box without a name: v1beta1 to v1
the code failed for v1: json: cannot unmarshal string into Go struct field box.size of type int64
the same in both versions:
  .kind
kept for v1beta1 in the annotation stash.crosswalk.dev/v1beta1:
  .size  "big"  the code can't map it
`})
}

func TestConvertTypedUsage(t *testing.T) {
	program := boxes(t, "stable.example.com", "CronTab")
	program.crosswalk(t, "", "convert", "--config", example, "--to", "v1").expect(t, result{
		code: exitUsage,
		stderr: "crosswalk: crosswalk boxes.stable.example.com: this program also converts CronTab by Go code; remove the table from --config, or the code from the program\n" +
			"See 'crosswalk convert --help'.\n",
	})
}
