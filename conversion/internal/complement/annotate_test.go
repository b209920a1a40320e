package complement_test

import (
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// large are three fields that only v1beta1 has.
var large = tables{
	beta: "a: {type: string}, small: {type: string}, big: {type: string}, bigger: {type: string}",
	v1:   "a: {type: string}",
	rows: "[]",
}

// What has no room is left out, the largest first, and named.
func TestAnnotateLeavesTheLargestOut(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {name: a}}").(map[string]any)
	object["spec"] = map[string]any{"a": "x", "small": "s", "big": strings.Repeat("b", 100<<10), "bigger": strings.Repeat("c", 110<<10)}
	out, notes := converted(t, compiled(t, large), object, "v1")
	if notes.LeftOut != 1 || notes.Residuals != 2 {
		t.Errorf("%d entries are left out and %d kept, want 1 and 2", notes.LeftOut, notes.Residuals)
	}
	annotations := out["metadata"].(map[string]any)["annotations"].(map[string]any)
	if got, want := annotations[stash.Incomplete], "v1beta1: .spec.bigger"; got != want {
		t.Errorf("the mark is %q, want %q", got, want)
	}
	back, _ := converted(t, compiled(t, large), out, "v1beta1")
	delete(object["spec"].(map[string]any), "bigger")
	compare(t, "the spec that comes back", back["spec"], object["spec"])
	if annotations := back["metadata"].(map[string]any)["annotations"]; annotations != nil {
		t.Errorf("in its own version the object has the annotations %v", annotations)
	}
}

// A value that is larger than all the room is named, too, even if nothing else is kept.
func TestAnnotateNamesWhatIsFarTooLarge(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {name: a}}").(map[string]any)
	object["spec"] = map[string]any{"a": "x", "big": strings.Repeat("b", 700<<10)}
	out, notes := converted(t, compiled(t, large), object, "v1")
	if notes.LeftOut != 1 || notes.Residuals != 0 {
		t.Errorf("%d entries are left out and %d kept, want 1 and none", notes.LeftOut, notes.Residuals)
	}
	annotations, _ := out["metadata"].(map[string]any)["annotations"].(map[string]any)
	if got, want := annotations[stash.Incomplete], "v1beta1: .spec.big"; got != want {
		t.Errorf("the mark is %v, want %s", got, want)
	}
}

// What no version has a place for is handed on whichever way the object is converted, until one has.
func TestAnnotateHandsOn(t *testing.T) {
	gone := tables{beta: "a: {type: string}", v1: move.v1, rows: move.rows}
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {name: a}, spec: {a: x, only: 5}}").(map[string]any)
	stored, _ := converted(t, compiled(t, move), object, "v1")
	for range 2 {
		var read map[string]any
		read, notes := converted(t, compiled(t, gone), stored, "v1beta1")
		if notes.Unplaced != 1 {
			t.Fatalf("%d entries are unplaced, want 1", notes.Unplaced)
		}
		compare(t, "the stash in v1beta1", entries(t, read, "v1beta1"), []string{".spec.only 5 UNPLACED v1"})
		if stored, notes = converted(t, compiled(t, gone), read, "v1"); notes.Unplaced != 0 {
			t.Errorf("%d entries are unplaced in the hub, want none", notes.Unplaced)
		}
		compare(t, "the stash in v1", entries(t, stored, "v1beta1"), []string{".spec.only 5 UNPLACED v1"})
	}
	back, _ := converted(t, compiled(t, move), stored, "v1beta1")
	compare(t, "the spec that comes back", back["spec"], object["spec"])
}

// What cannot be read as a stash is neither used nor handed on.
func TestAnnotateIgnoresWhatIsNone(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1, kind: Thing, metadata: {annotations: {}}, spec: {b: x}}").(map[string]any)
	object["metadata"].(map[string]any)["annotations"].(map[string]any)[stash.Prefix+"v1beta1"] = "{]"
	out, notes := converted(t, compiled(t, move), object, "v1beta1")
	if notes.IgnoredStashes != 1 {
		t.Errorf("%d stashes are ignored, want 1", notes.IgnoredStashes)
	}
	compare(t, "the stash", entries(t, out, "v1beta1"), []string{})
	compare(t, "the spec", out["spec"], decoded(t, "{a: x}"))
}

// What was left out on the way to another version stays named beside what is left out now.
func TestAnnotateKeepsTheMark(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {annotations: {}}}").(map[string]any)
	object["metadata"].(map[string]any)["annotations"].(map[string]any)[stash.Incomplete] = "v1alpha1: .spec.x"
	for big, want := range map[int]string{1: "v1alpha1: .spec.x", 200 << 10: "v1alpha1: .spec.x; v1beta1: .spec.big"} {
		object["spec"] = map[string]any{"a": "x", "big": strings.Repeat("b", big)}
		out, _ := converted(t, compiled(t, large), object, "v1")
		if got := out["metadata"].(map[string]any)["annotations"].(map[string]any)[stash.Incomplete]; got != want {
			t.Errorf("a value of %d bytes: the mark is %v, want %s", big, got, want)
		}
	}
}

// Annotations of others leave less room.
func TestAnnotateLeavesRoomForOthers(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {annotations: {}}}").(map[string]any)
	object["metadata"].(map[string]any)["annotations"].(map[string]any)["example.com/other"] = strings.Repeat("o", 200<<10)
	object["spec"] = map[string]any{"big": strings.Repeat("b", 60<<10), "small": "s"}
	out, notes := converted(t, compiled(t, large), object, "v1")
	if notes.LeftOut != 1 || notes.Residuals != 1 {
		t.Errorf("%d entries are left out and %d kept, want 1 and 1", notes.LeftOut, notes.Residuals)
	}
	compare(t, "the stash", entries(t, out, "v1beta1"), []string{`.spec.small "s"`})
}

// Metadata that is made comes behind the kind, where people look for it. Empty metadata is made anew.
func TestAnnotateMakesMetadataBehindTheKind(t *testing.T) {
	for _, metadata := range []string{"", `,"metadata":{}`, `,"metadata":{"annotations":{}}`} {
		in := `{"apiVersion":"example.com/v1beta1","kind":"Thing","spec":{"a":"x","only":5}` + metadata + `}`
		out, err := compiled(t, move).Convert(nil, []byte(in), "v1")
		if err != nil || !strings.HasPrefix(string(out), `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"annotations":{`) || strings.Count(string(out), "metadata") != 1 {
			t.Errorf("of %s: %s, %v", in, out, err)
		}
	}
}

// What is kept now at a place replaces what was handed on for it.
func TestAnnotateReplacesWhatWasHandedOn(t *testing.T) {
	object := decoded(t, "{apiVersion: example.com/v1beta1, kind: Thing, metadata: {annotations: {}}, spec: {a: x, only: 6}}").(map[string]any)
	object["metadata"].(map[string]any)["annotations"].(map[string]any)[stash.Prefix+"v1beta1"] =
		`{"format":1,"table":"another","entries":[{"at":["spec","only"],"value":5},{"at":["spec","gone"],"value":7}]}`
	out, _ := converted(t, compiled(t, move), object, "v1")
	compare(t, "the stash", entries(t, out, "v1beta1"), []string{".spec.gone 7", ".spec.only 6"})
}
