package config

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// A problem has the line of its row, in whichever list of rows that is.
func TestLine(t *testing.T) {
	const text = `spec:
  tables: {shared: [{spoke: .l}, {spoke: .m}], route: [{spoke: .n}]}
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
		"": 4, "row 1": 13, "row 2": 14, "row 2, each row 1": 17, "row 2, each row 2, single row 1": 21, "row 2, each row 9": 16,
		"table route row 1": 7, "table route row 2": 8, "table route row 2, keyed row 1": 11, "table other row 1": 4, "row 2, each row 2, wrap row 1": 18, "row 3, where cpu row 1": 27, "row 3, where rest row 1": 24, "row 3, where none row 1": 22,
		"table shared row 2": 2,
	} {
		if got := (Table{node: node}).Line("v1beta1", row); got != want {
			t.Errorf("%q is in line %d, want %d", row, got, want)
		}
	}
}
