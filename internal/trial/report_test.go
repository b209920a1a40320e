package trial

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

// golden compares with a file in testdata. To write the files anew, set
// CROSSWALK_GOLDEN to anything.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("CROSSWALK_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// found is a report in which a law is broken in each way that reports differ in.
func found() *Report {
	const v1, v1beta1 = `{"apiVersion":"example.com/v1","kind":"A","spec":{"a":1,"port":"1"}}`, `{"apiVersion":"example.com/v1beta1","kind":"A","spec":{"a":1}}`
	row := RowReport{Version: "v1beta1", Row: "row 2, each row 1", Spoke: ".x", Hub: ".y, .z", File: "a.yaml", Line: 12}
	unused := row
	unused.Row, unused.Line, unused.Hub = "row 3", 14, ""
	used := row
	used.Values = 7
	laws := []*LawReport{
		{Law: verify.RoundTrip, Cases: 10, Samples: 2, Counterexample: &Counterexample{
			Problem: "the object came back changed", From: "v1", Through: []string{"v1beta1"}, Object: json.RawMessage(v1), Served: true, Version: "v1",
			Steps: []Step{
				{From: "v1", To: "v1beta1", Input: json.RawMessage(v1), Output: json.RawMessage(v1beta1)},
				{From: "v1beta1", To: "v1", Input: json.RawMessage(v1beta1), Output: json.RawMessage(`{"apiVersion":"example.com/v1","kind":"A","spec":{"port":"01","a":1}}`)},
			},
			Differences: []Difference{{Path: ".spec.port", Want: json.RawMessage(`"1"`), Got: json.RawMessage(`"01"`)}},
			Rows:        []RowReport{row}, Generated: 3,
		}},
		{Law: verify.LiveWins, Cases: 10, Counterexample: &Counterexample{
			Problem: "the edited view came back changed", From: "v1", Through: []string{"v1beta1", "v1"}, Object: json.RawMessage(v1), Version: "v1beta1",
			Edits: []string{`set .spec.a = 2`},
			Steps: []Step{
				{From: "v1", To: "v1beta1", Input: json.RawMessage(v1), Output: json.RawMessage(v1beta1)},
				{From: "v1beta1", To: "v1", Input: json.RawMessage(`{"spec":{"a":2}}`), Output: json.RawMessage(v1)},
				{From: "v1", To: "v1beta1", Input: json.RawMessage(v1), Output: json.RawMessage(v1beta1)},
			},
			Differences: []Difference{{Path: ".spec.a", Want: json.RawMessage(`2`), Got: json.RawMessage(`1`)}, {Path: ".spec.b", Got: json.RawMessage(`[]`)}},
			Sample:      "objects.yaml:7: A default/a",
		}},
		{Law: verify.Total, Cases: 10, Counterexample: &Counterexample{
			Problem: "conversion failed: no", From: "v1", Through: []string{"v1beta1", "v1"}, Object: json.RawMessage(v1), Version: "v1",
			Steps: []Step{{From: "v1", To: "v1beta1", Input: json.RawMessage(v1), Error: "conversion failed: no"}}, Generated: 1,
		}},
		{Law: verify.Coherent},
		{Law: verify.Native, Cases: 1},
	}
	for _, l := range laws {
		l.Description = l.Law.Description()
	}
	return &Report{Seed: 1, Cases: 31, Again: "crosswalk verify --config a.yaml", Interrupted: true, Crosswalks: []*TableReport{
		{
			Name: "as.example.com", File: "a.yaml", Line: 1, Hub: "v1", Versions: []string{"v1beta1", "v1"}, Samples: 1,
			Laws: laws, Rows: []RowReport{used, unused}, Notes: []string{"objects.yaml:9: A default/b was left out: it is odd"},
			Classes: map[string]int{"law/L1": 10, "edit/set": 2, "edit/list insert": 1, "enum": 3, "integer/beyond 2^53": 4, "fragment": 3, "fragment/no metadata": 3,
				"hostile": 9, "hostile/huge number": 1, "hostile/stash": 3},
		},
		{Name: "bs.example.com", File: "b.yaml", Line: 1, Hub: "v1", Versions: []string{"v1"}, Laws: []*LawReport{}, Rows: []RowReport{}, Notes: []string{"it has one version only"}},
	}}
}

func TestReport(t *testing.T) {
	r := found()
	golden(t, "found.txt", r.Text())
	text, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "found.json", string(text))
	if text, err = r.JUnit(); err != nil {
		t.Fatal(err)
	}
	golden(t, "found.xml", string(text))
}
