package conversion_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestBudget: what does not fit into annotations is left out, the largest
// first, named and counted; the conversion does not fail.
func TestBudget(t *testing.T) {
	c := compiled(t, spec("big: {type: string}, huge: {type: string}, small: {type: string}"), spec("a: {type: string}"), `[]`)
	for _, test := range []struct {
		name              string
		big, huge, others int
		mark, kept        string
	}{
		{"all fits", 60 << 10, 60 << 10, 0, "", `{"big":60,"huge":60,"small":"s"}`},
		{"the largest goes", 60 << 10, 70 << 10, 0, "v1beta1: .spec.huge", `{"big":60,"small":"s"}`},
		{"both go", 200 << 10, 210 << 10, 0, "v1beta1: .spec.huge, .spec.big", `{"small":"s"}`},
		{"others leave little room", 60 << 10, 20 << 10, 200 << 10, "v1beta1: .spec.big", `{"huge":20,"small":"s"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := thing("v1beta1", `"metadata":{"annotations":{"other":"`+strings.Repeat("o", test.others)+`"}},"spec":{"big":"`+
				strings.Repeat("b", test.big)+`","huge":"`+strings.Repeat("h", test.huge)+`","small":"s"}`)
			var notes conversion.Notes
			there, err := c.ConvertNoting(t.Context(), nil, []byte(source), "v1", &notes)
			if err != nil {
				t.Fatal(err)
			}
			annotations := decoded(t, string(there)).(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
			mark, _ := annotations["crosswalk.dev/incomplete"].(string)
			if mark != test.mark {
				t.Errorf("mark %q, want %q", mark, test.mark)
			}
			total := 0
			for name, value := range annotations {
				total += len(name) + len(value.(string))
			}
			if total > 256<<10 {
				t.Errorf("%d bytes of annotations", total)
			}
			if wantLeft := strings.Count(test.mark, ".spec"); notes.LeftOut != wantLeft {
				t.Errorf("counted %d, want %d", notes.LeftOut, wantLeft)
			}
			back := decoded(t, convert(t, c, string(there), "v1beta1")).(map[string]any)
			if _, marked := back["metadata"].(map[string]any)["annotations"].(map[string]any)["crosswalk.dev/incomplete"]; marked {
				t.Error("the mark is still there on the way back")
			}
			kept := back["spec"].(map[string]any)
			for name, n := range map[string]int{"big": test.big, "huge": test.huge} {
				if text, ok := kept[name].(string); ok && len(text) == n {
					kept[name] = json.Number(strconv.Itoa(n >> 10))
				}
			}
			if want := decoded(t, test.kept); !reflect.DeepEqual(kept, want) {
				t.Errorf("kept %v, want %v", kept, want)
			}
		})
	}
}

// TestBudgetOfRows: what a row writes into an annotation takes room, too. An object that
// the API server would reject on a read is worse than one without the value.
func TestBudgetOfRows(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("owner: {type: string}, note: {type: string}"), `[
		{spoke: ".metadata.annotations['example.com/owner']", hub: .spec.owner, crosses: true},
		{spoke: ".metadata.annotations['example.com/note']", hub: .spec.note, crosses: true}]`)
	for _, test := range []struct {
		name        string
		owner, note int
		shown, mark string
	}{
		{"all fits", 200 << 10, 50 << 10, "example.com/note example.com/owner", ""},
		{"one is too long", 300 << 10, 10, "example.com/note", "v1: .spec.owner"},
		{"together they are", 150 << 10, 140 << 10, "example.com/note", "v1: .spec.owner"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := thing("v1", `"spec":{"owner":"`+strings.Repeat("o", test.owner)+`","note":"`+strings.Repeat("n", test.note)+`"}`)
			there := convert(t, c, source, "v1beta1")
			annotations := decoded(t, there).(map[string]any)["metadata"].(map[string]any)["annotations"].(map[string]any)
			mark, _ := annotations["crosswalk.dev/incomplete"].(string)
			delete(annotations, "crosswalk.dev/incomplete")
			total := len(mark)
			for name, value := range annotations {
				total += len(name) + len(value.(string))
			}
			if shown := strings.Join(slices.Sorted(maps.Keys(annotations)), " "); shown != test.shown || mark != test.mark || total > 256<<10 {
				t.Errorf("shows %s, mark %q, %d bytes", shown, mark, total)
			}
			if back := convert(t, c, there, "v1"); test.mark == "" && !sameJSON(t, back, source) {
				t.Error("it does not come back")
			}
		})
	}
}
