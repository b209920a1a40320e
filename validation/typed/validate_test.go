package typed

import (
	"context"
	"errors"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// star is one with this spec, and metadata.
func star(spec string, metadata ...string) string {
	m := `"name":"sol"`
	for _, more := range metadata {
		m += "," + more
	}
	return `{"apiVersion":"sky.dev/v1","kind":"Star","metadata":{` + m + `},"spec":{` + spec + `}}`
}

func TestValidators(t *testing.T) {
	const good = `"mass":1,"galaxy":"milky way"`
	legacy := `"mass":"heavy","galaxy":"milky way"` // stored before mass was a number
	tests := []struct {
		name        string
		operation   admissionv1.Operation
		object, old string
		want        string
	}{
		{"good", "CREATE", star(good), "", ""},
		{"four mistakes", "CREATE", star(`"mass":0,"planets":[{"name":"earth"},{"name":"pluto"},{"name":"pluto"}]`), "",
			"spec.mass (FieldValueInvalid): Invalid value: 0: must be above 0\n" +
				"spec.galaxy (FieldValueRequired): Required value: name one\n" +
				`spec.planets[1].name (FieldValueNotSupported): Unsupported value: "pluto": supported values: "earth", "mars"` + "\n" +
				`spec.planets[2].name (FieldValueNotSupported): Unsupported value: "pluto": supported values: "earth", "mars"`},
		{"a warning, and the request", "CREATE", star(`"mass":101,"galaxy":"milky way"`), "", "warning: that is heavy, jane"},
		{"both", "UPDATE", star(`"mass":101,"galaxy":"andromeda"`), star(good),
			"spec.galaxy (FieldValueForbidden): Forbidden: stars stay in their galaxy\nwarning: that is heavy, jane"},
		{"an integer beyond 2^53", "CREATE", star(`"mass":-9007199254740993,"galaxy":"g"`), "", "spec.mass (FieldValueInvalid): Invalid value: -9007199254740993: must be above 0"},
		{"delete", "DELETE", "", star(good), "warning: gone for ever"},
		{"delete denied", "DELETE", "", star(good + `,"shines":true`), "spec.shines (FieldValueForbidden): Forbidden: it still shines"},
		{"connect", "CONNECT", "", "", ""},

		// Decoding is strict.
		{"unknown fields", "CREATE", star(good + `,"planets":[{"name":"earth","rings":1}],"Mass":2`), "",
			"spec.planets[0].rings (FieldValueInvalid): unknown field; correct its name, or remove it\n" +
				"spec.Mass (FieldValueInvalid): unknown field; correct its name, or remove it"},
		{"another type", "CREATE", star(`"mass":"heavy"`), "", "spec.mass (FieldValueTypeInvalid): Invalid value: it is of the type string instead of integer"},
		{"another type in a list", "CREATE", star(`"planets":[{"name":"earth"},{"name":1}]`), "",
			"spec.planets[1].name (FieldValueTypeInvalid): Invalid value: it is of the type number instead of string"},
		{"a list for an object", "CREATE", star(`"planets":{"name":"earth"}`), "", "spec.planets (FieldValueTypeInvalid): Invalid value: it is of the type object instead of array"},
		{"a string for an object", "CREATE", star(`"planets":["earth"]`), "", "spec.planets[0] (FieldValueTypeInvalid): Invalid value: it is of the type string instead of object"},
		{"a fraction", "CREATE", star(`"mass":1.5`), "", "spec.mass (FieldValueTypeInvalid): Invalid value: it is of the type number instead of integer"},
		{"a name that is no field", "CREATE", star(`"ages":{"a.b":true}`), "", "spec.ages[a.b] (FieldValueTypeInvalid): Invalid value: it is of the type bool instead of integer"},
		{"a time that is none", "CREATE", star(`"until":"soon"`), "",
			` (FieldValueTypeInvalid): parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"`},

		// What was stored stays changeable.
		{"unknown field that was stored", "UPDATE", star(good + `,"color":1,"size":1`), star(good + `,"color":2`),
			"spec.size (FieldValueInvalid): unknown field; correct its name, or remove it"},
		{"finalizer of a legacy object", "UPDATE", star(legacy), star(legacy, `"finalizers":["a"]`),
			"warning: not validated, because of spec.mass: Invalid value: it is of the type string instead of integer"},
		{"nothing changes in a legacy object", "UPDATE", star(legacy), star(legacy),
			"warning: not validated, because of spec.mass: Invalid value: it is of the type string instead of integer"},
		{"spec of a legacy object", "UPDATE", star(legacy + `,"shines":true`), star(legacy),
			"spec.mass (FieldValueTypeInvalid): Invalid value: it is of the type string instead of integer"},
		{"a legacy object is mended", "UPDATE", star(`"mass":1,"galaxy":"andromeda"`), star(legacy), ""},
		{"a legacy object is mended badly", "UPDATE", star(`"mass":0,"galaxy":"andromeda"`), star(legacy), "spec.mass (FieldValueInvalid): Invalid value: 0: must be above 0"},
		{"a legacy object is made worse", "UPDATE", star(`"mass":1.5`), star(good), "spec.mass (FieldValueTypeInvalid): Invalid value: it is of the type number instead of integer"},
		{"a legacy object is deleted", "DELETE", "", star(legacy), "warning: not validated, because of spec.mass: Invalid value: it is of the type string instead of integer"},
	}
	reviewer := registered(t).Validators()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			verdict, err := review(t, reviewer, test.operation, test.object, test.old)
			if err != nil || messages(verdict) != test.want {
				t.Errorf("\n got %s, %v\nwant %s", messages(verdict), err, test.want)
			}
		})
	}
}

// TestInternalErrors: what the writer cannot mend is no reason against the write.
func TestInternalErrors(t *testing.T) {
	verdict, err := review(t, registered(t).Validators(), "CREATE", star(`"galaxy":"unreachable"`), "")
	if want := `the validator of sky.dev/v1, Kind=Star: spec.galaxy: Internal error: the atlas has no answer`; err == nil || err.Error() != want || verdict != nil && verdict.Causes == nil {
		t.Errorf("%v, %v", verdict, err)
	}
}

// secrets finds every Secret wrong, and says why with its values.
type secrets struct{}

func (secrets) ValidateCreate(_ context.Context, s *corev1.Secret) (field.ErrorList, []string) {
	return field.ErrorList{
		field.Invalid(field.NewPath("data").Key("password"), string(s.Data["password"]), "too short"),
		field.Duplicate(field.NewPath("data"), s.Data),
	}, nil
}
func (s secrets) ValidateUpdate(ctx context.Context, _, object *corev1.Secret) (field.ErrorList, []string) {
	return s.ValidateCreate(ctx, object)
}
func (secrets) ValidateDelete(context.Context, *corev1.Secret) (field.ErrorList, []string) {
	return nil, nil
}

// TestSecrets: no value of a Secret shows.
func TestSecrets(t *testing.T) {
	r := New(newScheme())
	if err := AddValidator(r, secrets{}); err != nil {
		t.Fatal(err)
	}
	for object, want := range map[string]string{
		`{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVy"}}`: "data[password] (FieldValueInvalid): Invalid value: too short\ndata (FieldValueDuplicate): Duplicate value",
		`{"apiVersion":"v1","kind":"Secret","data":{"password":"hunter"}}`:   " (FieldValueTypeInvalid): Invalid value: it cannot be read",
		`{"apiVersion":"v1","kind":"Secret","data":{"password":12345}}`:      "data.password (FieldValueTypeInvalid): Invalid value: it is of the type number instead of array",
	} {
		request := &admissionv1.AdmissionRequest{Operation: "CREATE", Kind: metav1.GroupVersionKind{Version: "v1", Kind: "Secret"}, Object: runtime.RawExtension{Raw: []byte(object)}}
		verdict, err := r.Validators().Review(t.Context(), request)
		if err != nil || messages(verdict) != want {
			t.Errorf("%s\n got %s, %v\nwant %s", object, messages(verdict), err, want)
		}
	}
}

// TestKinds: a type may have several kinds, and a kind nobody.
func TestKinds(t *testing.T) {
	r := registered(t)
	for kind, want := range map[metav1.GroupVersionKind]string{
		{Group: "sky.dev", Version: "v1", Kind: "Star"}:      "spec.galaxy (FieldValueRequired): Required value: name one",
		{Group: "sky.dev", Version: "v2", Kind: "Star"}:      "spec.galaxy (FieldValueRequired): Required value: name one",
		{Group: "autoscaling", Version: "v1", Kind: "Scale"}: "",
		{Version: "v1", Kind: "ConfigMap"}:                   "",
	} {
		request := &admissionv1.AdmissionRequest{Operation: "CREATE", Kind: kind, Object: runtime.RawExtension{Raw: []byte(star(`"mass":1`))}}
		for _, reviewer := range []validation.Reviewer{r.Validators(), validation.Each(r.Validators(), r.Defaulters())} {
			if verdict, err := reviewer.Review(t.Context(), request); err != nil || messages(verdict) != want {
				t.Errorf("%v: %s, %v", kind, messages(verdict), err)
			}
		}
	}
}

func TestAddErrors(t *testing.T) {
	r := registered(t)
	if err := AddDefaulter(r, defaulter[*Star](func(context.Context, *Star) error { return nil })); err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, *corev1.Pod) error { return nil }
	tests := []struct {
		got  error
		want string
	}{
		{AddValidator(r, stars{}), "a validator for *typed.Star: one was added already"},
		{AddDefaulter(r, defaulter[*Star](nil)), "a defaulter for *typed.Star: one was added already"},
		{AddDefaulter(r, defaulter[*corev1.Pod](none)), `a defaulter for *v1.Pod: no kind is registered for the type v1.Pod in scheme "` + r.scheme.Name() + `"; add the type to the scheme first`},
		{AddDefaulter(r, defaulter[runtime.Object](nil)), "a defaulter for runtime.Object: the type must be a pointer to a struct in the scheme"},
	}
	for _, test := range tests {
		if test.got == nil || test.got.Error() != test.want {
			t.Errorf("\n got %v\nwant %s", test.got, test.want)
		}
	}
	if !runtime.IsNotRegisteredError(errors.Unwrap(tests[2].got)) {
		t.Errorf("%#v is not the result of the scheme", tests[2].got)
	}
}
