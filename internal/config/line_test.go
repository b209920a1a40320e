package config

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// A problem has the line of its row, in whichever list of rows that is.
func TestLine(t *testing.T) {
	const text = `spec:
  versions:
  - name: v1beta1
    tables:
      route:
      - {spoke: .a, hub: .b}
      - spoke: .c
        keyed:
          rows:
          - {spoke: .d}
    rows:
    - {spoke: .e}
    - spoke: .f
      each:
        rows:
        - {spoke: .g}
        - spoke: .h
          single:
            rows:
            - {spoke: .i}
    - spoke: .j
      where:
      - {place: rest}
      - place: cpu
        rows:
        - {spoke: .k}
`
	node, err := manifest.Parse(manifest.Document{Number: 1, Line: 1, Text: []byte(text)}, manifest.YAML)
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range map[string]int{
		"": 3, "row 1": 12, "row 2": 13, "row 2, each row 1": 16, "row 2, each row 2, single row 1": 20, "row 2, each row 9": 15,
		"table route row 1": 6, "table route row 2": 7, "table route row 2, keyed row 1": 10, "table other row 1": 3, "row 2, each row 2, wrap row 1": 17, "row 3, where cpu row 1": 26, "row 3, where rest row 1": 23, "row 3, where none row 1": 21,
	} {
		if got := (Table{node: node}).Line("v1beta1", row); got != want {
			t.Errorf("%q is in line %d, want %d", row, got, want)
		}
	}
}
