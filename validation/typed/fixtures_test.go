package typed

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Star is a custom resource in Go.
type Star struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              StarSpec   `json:"spec"`
	Status            StarStatus `json:"status"` // written out even where it is empty
}

type StarSpec struct {
	Mass    int64            `json:"mass"`
	Galaxy  string           `json:"galaxy,omitempty"`
	Planets []Planet         `json:"planets,omitempty"`
	Until   *metav1.Time     `json:"until,omitempty"`
	Light   *float64         `json:"light,omitempty"`
	Shines  bool             `json:"shines,omitempty"`
	Ages    map[string]int32 `json:"ages,omitempty"`
}

type Planet struct {
	Name  string `json:"name"`
	Moons *int32 `json:"moons,omitempty"`
}

type StarStatus struct {
	Phase string `json:"phase"`
}

func (s *Star) DeepCopyObject() runtime.Object {
	text, _ := json.Marshal(s) // it has nothing that does not marshal
	c := new(Star)
	_ = json.Unmarshal(text, c)
	return c
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "sky.dev", Version: "v1", Kind: "Star"}, &Star{})
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "sky.dev", Version: "v2", Kind: "Star"}, &Star{})
	scheme.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Secret{}, &corev1.ConfigMap{})
	return scheme
}

// stars judges stars.
type stars struct{}

func (stars) ValidateCreate(ctx context.Context, star *Star) (found field.ErrorList, warnings []string) {
	spec := field.NewPath("spec")
	if star.Spec.Mass <= 0 {
		found = append(found, field.Invalid(spec.Child("mass"), star.Spec.Mass, "must be above 0"))
	}
	if star.Spec.Galaxy == "" {
		found = append(found, field.Required(spec.Child("galaxy"), "name one"))
	}
	for i, planet := range star.Spec.Planets {
		if planet.Name == "pluto" {
			found = append(found, field.NotSupported(spec.Child("planets").Index(i).Child("name"), planet.Name, []string{"earth", "mars"}))
		}
	}
	if star.Spec.Galaxy == "unreachable" {
		found = append(found, field.InternalError(spec.Child("galaxy"), errors.New("the atlas has no answer")))
	}
	if star.Spec.Mass > 100 {
		warnings = append(warnings, "that is heavy, "+RequestFrom(ctx).UserInfo.Username)
	}
	return found, warnings
}

func (s stars) ValidateUpdate(ctx context.Context, old, star *Star) (field.ErrorList, []string) {
	found, warnings := s.ValidateCreate(ctx, star)
	if old.Spec.Galaxy != star.Spec.Galaxy {
		found = append(found, field.Forbidden(field.NewPath("spec", "galaxy"), "stars stay in their galaxy"))
	}
	return found, warnings
}

func (stars) ValidateDelete(_ context.Context, star *Star) (field.ErrorList, []string) {
	if star.Spec.Shines {
		return field.ErrorList{field.Forbidden(field.NewPath("spec", "shines"), "it still shines")}, nil
	}
	return nil, []string{"gone for ever"}
}

// review asks a reviewer about a write of a star.
func review(t *testing.T, reviewer validation.Reviewer, operation admissionv1.Operation, object, old string) (*validation.Verdict, error) {
	t.Helper()
	request := &admissionv1.AdmissionRequest{
		Operation: operation,
		Kind:      metav1.GroupVersionKind{Group: "sky.dev", Version: "v1", Kind: "Star"},
		UserInfo:  authenticationv1.UserInfo{Username: "jane"},
	}
	before := object + old
	if object != "" {
		request.Object.Raw = []byte(object)
	}
	if old != "" {
		request.OldObject.Raw = []byte(old)
	}
	verdict, err := reviewer.Review(t.Context(), request)
	if after := string(request.Object.Raw) + string(request.OldObject.Raw); after != before {
		t.Errorf("the objects have changed: %s", after)
	}
	return verdict, err
}

// messages is a verdict in short: causes with their fields and types, then warnings.
func messages(v *validation.Verdict) string {
	if v == nil {
		return ""
	}
	var lines []string
	for _, c := range v.Causes {
		lines = append(lines, c.Field+" ("+string(c.Type)+"): "+c.Message)
	}
	for _, w := range v.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return strings.Join(lines, "\n")
}

// registered is a Registry with stars.
func registered(t *testing.T) *Registry {
	t.Helper()
	r := New(newScheme())
	if err := AddValidator(r, stars{}); err != nil {
		t.Fatal(err)
	}
	return r
}

// sameJSON reports whether two texts hold the same.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
