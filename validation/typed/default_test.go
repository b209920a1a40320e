package typed

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/validation/patch"
)

// defaulter is a function that fills in.
type defaulter[T runtime.Object] func(context.Context, T) error

func (d defaulter[T]) Default(ctx context.Context, object T) error { return d(ctx, object) }

func moons(n int32) *int32 { return &n }

// TestDefaulters: what a defaulter changes is changed, and nothing else.
func TestDefaulters(t *testing.T) {
	tests := []struct {
		name, spec string
		edit       func(*Star)
		want       string // the patch
	}{
		{"nothing", `"mass":1`, func(*Star) {}, ``},
		{"a field that is missing", `"mass":1`, func(s *Star) { s.Spec.Galaxy = "milky way" }, `[{"op":"add","path":"/spec/galaxy","value":"milky way"}]`},
		{"a field that Go writes anyway", ``, func(s *Star) { s.Spec.Mass = 1 }, `[{"op":"add","path":"/spec/mass","value":1}]`},
		{"another value", `"mass":1,"shines":true`, func(s *Star) { s.Spec.Mass = 9007199254740993 }, `[{"op":"replace","path":"/spec/mass","value":9007199254740993}]`},
		{"removed", `"mass":1,"shines":true`, func(s *Star) { s.Spec.Shines = false }, `[{"op":"remove","path":"/spec/shines"}]`},
		{"in a parent that is missing", `"mass":1`, func(s *Star) { s.Status.Phase = "young" }, `[{"op":"add","path":"/status","value":{"phase":"young"}}]`},
		{"in a map that is missing", `"mass":1`, func(s *Star) { s.Labels = map[string]string{"a/b": "c"} }, `[{"op":"add","path":"/metadata/labels","value":{"a/b":"c"}}]`},
		{"beside unknown fields", `"mass":1,"color":"red","planets":[{"name":"earth","rings":{"n":12345678901234567890.5}}]`,
			func(s *Star) { s.Spec.Planets[0].Moons = moons(1) }, `[{"op":"add","path":"/spec/planets/0/moons","value":1}]`},
		{"beside numbers of any kind", `"mass":1,"light":1e2,"x":0.10`, func(s *Star) { s.Spec.Galaxy = "g" }, `[{"op":"add","path":"/spec/galaxy","value":"g"}]`},
		{"a list gets longer", `"mass":1,"planets":[{"name":"a name that is long enough"}]`, func(s *Star) { s.Spec.Planets = append(s.Spec.Planets, Planet{Name: "mars"}) },
			`[{"op":"add","path":"/spec/planets/1","value":{"name":"mars"}}]`},
		{"a list that is missing", `"mass":1`, func(s *Star) { s.Spec.Planets = []Planet{{Name: "mars"}} }, `[{"op":"add","path":"/spec/planets","value":[{"name":"mars"}]}]`},
		{"null stays, and null is filled", `"mass":1,"planets":null,"ages":null`, func(s *Star) { s.Spec.Ages = map[string]int32{"a": 1} },
			`[{"op":"replace","path":"/spec/ages","value":{"a":1}}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := New(newScheme())
			if err := AddDefaulter(r, defaulter[*Star](func(_ context.Context, s *Star) error { test.edit(s); return nil })); err != nil {
				t.Fatal(err)
			}
			object := star(test.spec)
			for _, operation := range []admissionv1.Operation{"CREATE", "UPDATE"} {
				verdict, err := review(t, r.Defaulters(), operation, object, star(""))
				if err != nil {
					t.Fatal(err)
				}
				var got []byte
				if verdict != nil {
					if got, err = patch.Diff(nil, []byte(object), verdict.Object); err != nil {
						t.Fatal(err)
					}
				}
				if string(got) != test.want {
					t.Errorf("\n got %s\nwant %s", got, test.want)
				}
				if verdict == nil {
					continue
				}
				again, err := review(t, r.Defaulters(), operation, string(verdict.Object), star(""))
				if err != nil || again != nil && test.name != "a list gets longer" && !sameJSON(t, string(again.Object), string(verdict.Object)) {
					t.Errorf("again: %s, %v", messages(again), err)
				}
			}
		})
	}
}

// TestDefaultersPass: who is not asked.
func TestDefaultersPass(t *testing.T) {
	r := New(newScheme())
	if err := AddDefaulter(r, defaulter[*Star](func(_ context.Context, s *Star) error { s.Spec.Galaxy = "g"; return nil })); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		operation   admissionv1.Operation
		object, old string
	}{
		{"DELETE", "", star("")},
		{"CONNECT", "", ""},
		{"CREATE", star(`"mass":"heavy"`), ""}, // for the validator
		{"CREATE", star(`"mass":1,"galaxy":"g"`), ""},
	} {
		if verdict, err := review(t, r.Defaulters(), test.operation, test.object, test.old); err != nil || verdict != nil {
			t.Errorf("%s %s: %+v, %v", test.operation, test.object, verdict, err)
		}
	}
}

func TestDefaulterFails(t *testing.T) {
	r := New(newScheme())
	if err := AddDefaulter(r, defaulter[*Star](func(ctx context.Context, _ *Star) error {
		return errors.New("no atlas for " + RequestFrom(ctx).UserInfo.Username)
	})); err != nil {
		t.Fatal(err)
	}
	_, err := review(t, r.Defaulters(), "CREATE", star(`"mass":1`), "")
	if want := "the defaulter of sky.dev/v1, Kind=Star: no atlas for jane"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// FuzzDefaulter: whatever an object holds, one default changes one place.
func FuzzDefaulter(f *testing.F) {
	f.Add(star(`"mass":1,"planets":[{"name":"earth","rings":[]}],"x":{"y":null}`))
	f.Add(`{"spec":null,"status":{"phase":"a","b":1e400}}`)
	f.Add(`{"metadata":{"labels":{"a":"b"}},"spec":{"ages":{"":1}}}`)
	r := New(newScheme())
	if err := AddDefaulter(r, defaulter[*Star](func(_ context.Context, s *Star) error { s.Spec.Galaxy = "g"; return nil })); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, object string) {
		if !json.Valid([]byte(object)) || object[0] != '{' {
			return
		}
		verdict, err := review(t, r.Defaulters(), "CREATE", object, "")
		if err != nil {
			t.Fatal(err)
		}
		if verdict == nil {
			return
		}
		changes, err := patch.Diff(nil, []byte(object), verdict.Object)
		if err != nil {
			return // not I-JSON: it never gets here
		}
		var operations []struct{ Op, Path string }
		if err := json.Unmarshal(changes, &operations); err != nil {
			t.Fatalf("%v: %s", err, changes)
		}
		if len(operations) != 1 || operations[0].Path != "/spec/galaxy" && operations[0].Path != "/spec" {
			t.Fatalf("%s", changes)
		}
	})
}
