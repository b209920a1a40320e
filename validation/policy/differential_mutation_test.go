package policy

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// mutationCase is a request and policies that change it.
type mutationCase struct {
	difference `json:",inline"`
	Policies   []map[string]any `json:"policies"`
	// Fails is a part of what both say of a mutation that fails.
	Fails string `json:"fails,omitempty"`
	// Becomes are members of spec that the object has in the end.
	Becomes map[string]any `json:"becomes,omitempty"`

	crd *apiextensionsv1.CustomResourceDefinition
}

type mutationCases struct {
	CRD     *apiextensionsv1.CustomResourceDefinition `json:"crd"`
	Objects map[string]map[string]any                 `json:"objects"`
	Cases   []*mutationCase                           `json:"cases"`
}

func readMutations(t *testing.T) []*mutationCase {
	t.Helper()
	text, err := os.ReadFile("testdata/mutations.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all mutationCases
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Cases {
		f := fixtures{Objects: all.Objects}
		c.Object, c.OldObject, c.crd = f.resolve(c.Object), f.resolve(c.OldObject), all.CRD
		c.Namespaces = append(c.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}})
	}
	return all.Cases
}

func (c *mutationCase) types(t testing.TB) Types {
	t.Helper()
	types, err := TypesOf(c.crd)
	if err != nil {
		t.Fatal(err)
	}
	return types
}

func (c *mutationCase) natives(t testing.TB) ([]*admissionregistrationv1.MutatingAdmissionPolicy, [][]*admissionregistrationv1.MutatingAdmissionPolicyBinding) {
	t.Helper()
	var policies []*admissionregistrationv1.MutatingAdmissionPolicy
	var bindings [][]*admissionregistrationv1.MutatingAdmissionPolicyBinding
	for i, fields := range c.Policies {
		text, err := yaml.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		p := &admissionregistrationv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("p%d", i)}}
		if err := yaml.UnmarshalStrict(text, &p.Spec); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if p.Spec.MatchConstraints == nil {
			p.Spec.MatchConstraints = &admissionregistrationv1.MatchResources{}
		}
		defaultMatch(p.Spec.MatchConstraints)
		b := &admissionregistrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "b"}}
		b.Spec.PolicyName = p.Name
		if p.Spec.ParamKind != nil {
			deny := admissionregistrationv1.DenyAction
			b.Spec.ParamRef = &admissionregistrationv1.ParamRef{Selector: &metav1.LabelSelector{}, ParameterNotFoundAction: &deny}
		}
		policies, bindings = append(policies, p), append(bindings, []*admissionregistrationv1.MutatingAdmissionPolicyBinding{b})
	}
	return policies, bindings
}

func ourMutated(t testing.TB, c *mutationCase, counted bool) mutated {
	t.Helper()
	natives, bindings := c.natives(t)
	var policies []*Policy
	for i, native := range natives {
		p, _ := CompileNativeMutation(native, bindings[i]...)
		if counted {
			p.freeUpTo = 0
		}
		policies = append(policies, p)
	}
	cluster := c.cluster(t)
	cluster.Types = c.types(t)
	r := c.request(t)
	verdict := review(t, Mutations(cluster, policies...), r)
	if !verdict.Allowed() {
		m := mutated{denied: true, reason: verdict.Status(r).Reason}
		for _, cause := range verdict.Causes {
			m.why += cause.Message + "\n"
		}
		return m
	}
	text := verdict.Object
	if text == nil {
		text = r.Object.Raw
	}
	var object map[string]any
	if len(text) == 0 {
		return mutated{}
	}
	if err := utiljson.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return mutated{object: object}
}

// Objects become what apiserver makes of them, and where a mutation fails there, it
// fails here.
func TestMutatesAsAPIServerDoes(t *testing.T) {
	total, differ := 0, 0
	for i, c := range readMutations(t) {
		if testing.Short() && i%6 != 0 {
			continue // the race detector sees enough of them
		}
		total++
		t.Run(c.Name, func(t *testing.T) {
			theirs := oracleMutated(t, c)
			for _, counted := range []bool{false, true} {
				ours := ourMutated(t, c, counted)
				same := ours.denied == theirs.denied && ours.reason == theirs.reason && reflect.DeepEqual(ours.object, theirs.object) &&
					// One that does not compile cannot be stored.
					(ours.why == theirs.why || strings.Contains(ours.why, "compilation error"))
				switch {
				case same && c.Differs != "":
					t.Errorf("does not differ, though it says: %s", c.Differs)
				case !same && c.Differs == "":
					t.Errorf("differs:\nours   %s\ntheirs %s", ours, theirs)
				}
				if ours.denied != (c.Fails != "") {
					t.Errorf("is denied: %v: %s", ours.denied, ours.why)
				}
				if c.Fails != "" && (!contains(ours.why, c.Fails) || c.Differs == "" && !contains(theirs.why, c.Fails)) {
					t.Errorf("ours says\n%s\ntheirs says\n%s\nwant\n%s", ours.why, theirs.why, c.Fails)
				}
				if c.Becomes != nil {
					spec, _ := ours.object["spec"].(map[string]any)
					for name, want := range c.Becomes {
						a, _ := json.Marshal(spec[name])
						b, _ := json.Marshal(want)
						if string(a) != string(b) {
							t.Errorf("spec.%s is %s, want %s", name, a, b)
						}
					}
				}
			}
			if c.Differs != "" {
				differ++
				fmt.Printf("differs from apiserver: %s: %s\n", c.Name, c.Differs)
			}
		})
	}
	fmt.Printf("compared with apiserver: %d mutations, %d differences\n", total, differ)
}

func (m mutated) String() string {
	text, _ := json.Marshal(m.object)
	return fmt.Sprintf("denied=%v %s %s %s", m.denied, m.reason, m.why, text)
}
