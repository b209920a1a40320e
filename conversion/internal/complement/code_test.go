package complement_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// names is code: v1beta1 has first and last, and v1 their text in name, of which the way back makes first. Nothing
// of note comes back.
type names struct{ runs int }

func (n *names) Make(_ context.Context, made *way.Made, object []byte, from plan.Side, _ bool) error {
	n.runs++
	made.Reset()
	var o struct {
		Metadata map[string]map[string]string `json:"metadata"`
		Spec     map[string]any               `json:"spec"`
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return err
	}
	versions := [2]string{"v1beta1", "v1"}
	for name, text := range o.Metadata["annotations"] {
		owner, _ := stash.Owner([]byte(name))
		s := way.Stash{Name: []byte(name), Text: []byte(text)}
		if string(owner) == versions[from] {
			made.Own = append(made.Own, s)
		} else {
			made.Stashes = append(made.Stashes, s)
		}
	}
	spec := map[string]any{}
	if from == plan.Spoke {
		first, _ := o.Spec["first"].(string)
		last, _ := o.Spec["last"].(string)
		spec["name"] = first + last
	} else {
		spec["first"] = o.Spec["name"]
	}
	for i, e := range list(o.Spec["items"]) {
		e = maps.Clone(e)
		delete(e, "note")
		spec["items"] = append(append([]any{}, anys(spec["items"])[:i]...), e)
	}
	var err error
	made.Text, err = json.Marshal(map[string]any{"apiVersion": "example.com/" + versions[from.Other()], "kind": "Thing", "spec": spec})
	return err
}

func anys(v any) []any { all, _ := v.([]any); return all }

func list(v any) (all []map[string]any) {
	for _, e := range anys(v) {
		all = append(all, e.(map[string]any))
	}
	return all
}

// release is a release of the code.
type release struct {
	names
	mark string
}

func (r *release) convert(t *testing.T, object string, from plan.Side) (string, complement.Result) {
	t.Helper()
	of := func(properties string) *schema.Schema {
		var props apiextensionsv1.JSONSchemaProps
		if err := json.Unmarshal([]byte(`{"type":"object","properties":{"spec":{"type":"object","properties":{`+properties+
			`,"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}}}}}}}}`), &props); err != nil {
			t.Fatal(err)
		}
		return schema.New(&props, false)
	}
	r.runs = 0
	p := plan.OfCode([2]string{"v1beta1", "v1"}, [2]*schema.Schema{of(`"first":{"type":"string"},"last":{"type":"string"}`), of(`"name":{"type":"string"}`)}, r.mark)
	step := complement.Step{Way: &r.names, From: from, Plan: p}
	out, result, err := step.Convert(t.Context(), nil, []byte(object), complement.Leg{})
	if err != nil {
		t.Fatal(err)
	}
	return string(out), result
}

// TestCode: what code reads is not known. So beside another view than that beside which it was made, an entry is used
// only if its guard is valid and converting back gives the view again.
func TestCode(t *testing.T) {
	const object = `{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"first":"a","last":"b","items":[{"id":"x","note":"1"},{"id":"y"}]}}`
	for _, test := range []struct {
		name, edit, with, release, back string
		runs, unplaced                  int
	}{
		{name: "the view is as it was: nothing is tried", back: `{"first":"a","items":[{"id":"x","note":"1"},{"id":"y"}],"last":"b"}`, runs: 2},
		{name: "a guard that is valid is not enough: the other half has gone", edit: `"name":"ab"`, with: `"name":"c"`,
			back: `{"first":"c","items":[{"id":"x","note":"1"},{"id":"y"}]}`, runs: 6},
		{name: "another element is edited", edit: `"id":"y"`, with: `"id":"z"`, back: `{"first":"a","items":[{"id":"x","note":"1"},{"id":"z"}],"last":"b"}`, runs: 4},
		{name: "an element that has gone takes its entry with it", edit: `{"id":"x"},`, with: ``, back: `{"first":"a","items":[{"id":"y"}],"last":"b"}`, runs: 4},
		{name: "another release of the code makes the same of the same view", release: "2", back: `{"first":"a","items":[{"id":"x","note":"1"},{"id":"y"}],"last":"b"}`, runs: 2},
		{name: "another element is edited, and there is another release of the code", release: "2", edit: `"id":"y"`, with: `"id":"z"`,
			back: `{"first":"a","items":[{"id":"x","note":"1"},{"id":"z"}],"last":"b"}`, runs: 4},
		{name: "what another release has kept and what is edited now stays in the stash", release: "2", edit: `"name":"ab"`, with: `"name":"c"`,
			back: `{"first":"c","items":[{"id":"x","note":"1"},{"id":"y"}]}`, runs: 8, unplaced: 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, later := release{mark: "1"}, release{mark: "1"}
			if test.release != "" {
				later.mark = test.release
			}
			there, _ := first.convert(t, object, plan.Spoke)
			if !strings.Contains(there, test.edit) {
				t.Fatalf("%s has no %s", there, test.edit)
			}
			if test.edit != "" {
				there = strings.Replace(there, test.edit, test.with, 1)
			}
			back, result := later.convert(t, there, plan.Hub)
			var o struct {
				Spec json.RawMessage `json:"spec"`
			}
			if err := json.Unmarshal([]byte(back), &o); err != nil {
				t.Fatal(err)
			}
			var is, want any
			if json.Unmarshal(o.Spec, &is) != nil || json.Unmarshal([]byte(test.back), &want) != nil || fmt.Sprint(is) != fmt.Sprint(want) {
				t.Errorf("the spec came back as\n%s, want\n%s, over\n%s", o.Spec, test.back, there)
			}
			if later.runs != test.runs || result.Unplaced != test.unplaced {
				t.Errorf("the code ran %d times, and %d entries have no place, want %d and %d", later.runs, result.Unplaced, test.runs, test.unplaced)
			}
		})
	}
}
