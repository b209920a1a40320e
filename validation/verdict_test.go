package validation

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// says is a reviewer that always says the same, and notes what it was shown.
func says(v *Verdict, shown *[]string) Reviewer {
	return ReviewerFunc(func(_ context.Context, request *admissionv1.AdmissionRequest) (*Verdict, error) {
		*shown = append(*shown, string(request.Object.Raw))
		return v, nil
	})
}

func request(object string) *admissionv1.AdmissionRequest {
	r := &admissionv1.AdmissionRequest{Name: "a", Kind: metav1.GroupVersionKind{Group: "example.com", Kind: "Thing"}}
	r.Object.Raw = []byte(object)
	return r
}

// TestEach asks everybody and leaves nothing out.
func TestEach(t *testing.T) {
	var shown []string
	got, err := Each(
		says(&Verdict{Causes: []Cause{{Field: "a"}}, Warnings: []string{"w"}, AuditAnnotations: map[string]string{"k": "1"}}, &shown),
		says(nil, &shown),
		says(&Verdict{Causes: []Cause{{Field: "b"}}, Warnings: []string{"x"}, AuditAnnotations: map[string]string{"l": "2"}}, &shown),
	).Review(t.Context(), request("o"))
	want := &Verdict{
		Causes: []Cause{{Field: "a"}, {Field: "b"}}, Warnings: []string{"w", "x"}, AuditAnnotations: map[string]string{"k": "1", "l": "2"},
	}
	if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(shown, []string{"o", "o", "o"}) {
		t.Errorf("got %+v, %v, shown %q", got, err, shown)
	}
	broken := ReviewerFunc(func(context.Context, *admissionv1.AdmissionRequest) (*Verdict, error) { return nil, errors.New("no") })
	if got, err := Each(says(&Verdict{}, &shown), broken).Review(t.Context(), request("o")); err == nil || got != nil {
		t.Errorf("one could not judge: %+v, %v", got, err)
	}
}

// TestInTurn shows each what the one before has made, and stops at a denial.
func TestInTurn(t *testing.T) {
	var shown []string
	r := request("0")
	got, err := InTurn(
		says(&Verdict{Object: []byte("1")}, &shown),
		says(&Verdict{}, &shown),
		says(&Verdict{Object: []byte("2")}, &shown),
		says(&Verdict{Causes: []Cause{{Message: "no"}}}, &shown),
		says(&Verdict{Object: []byte("3")}, &shown),
	).Review(t.Context(), r)
	if err != nil || got.Allowed() || string(got.Object) != "2" || !reflect.DeepEqual(shown, []string{"0", "1", "1", "2"}) {
		t.Errorf("got %+v, %v, shown %q", got, err, shown)
	}
	if string(r.Object.Raw) != "0" {
		t.Errorf("the request was changed: %s", r.Object.Raw)
	}
}

// TestStatus is what kubectl prints from.
func TestStatus(t *testing.T) {
	if got := new(Verdict).Status(request("")); got != nil {
		t.Errorf("what passes has the status %v", got)
	}
	for _, test := range []struct {
		causes []Cause
		want   string
	}{
		{
			[]Cause{{Field: "spec.a", Message: "is odd"}, {Message: "is bad", Type: metav1.CauseTypeForbidden}},
			`{"metadata":{},"status":"Failure","message":"Thing \"a\" is invalid: spec.a: is odd; is bad","reason":"Invalid","details":{"name":"a","group":"example.com","kind":"Thing","causes":[` +
				`{"reason":"FieldValueInvalid","message":"is odd","field":"spec.a"},{"reason":"FieldValueForbidden","message":"is bad"}]},"code":422}`,
		},
		{
			[]Cause{{Message: "not you", Reason: metav1.StatusReasonForbidden}},
			`{"metadata":{},"status":"Failure","message":"not you","reason":"Forbidden","details":{"name":"a","group":"example.com","kind":"Thing","causes":[{"reason":"FieldValueInvalid","message":"not you"}]},"code":403}`,
		},
		{
			[]Cause{{Message: "not you", Reason: metav1.StatusReasonForbidden}, {Message: "nor this"}},
			`{"metadata":{},"status":"Failure","message":"Thing \"a\" is invalid: not you; nor this","reason":"Invalid","details":{"name":"a","group":"example.com","kind":"Thing","causes":[` +
				`{"reason":"FieldValueInvalid","message":"not you"},{"reason":"FieldValueInvalid","message":"nor this"}]},"code":422}`,
		},
	} {
		got, err := json.Marshal((&Verdict{Causes: test.causes}).Status(request("")))
		if err != nil || string(got) != test.want {
			t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
		}
	}
}
