package conversion_test

import (
	"slices"
	"strings"
	"testing"
)

// warning is a table, the warnings that its author gets, one on each line, and the rows
// that leave no warning, empty where there are none.
type warning struct{ beta, v1, rows, want, mended string }

// checkWarnings compiles tables, by what is told apart: with the rows that mend it, nothing
// is left to warn of.
func checkWarnings(t *testing.T, tests map[string]warning) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, w := range compiled(t, test.beta, test.v1, test.rows).Warnings() {
				got = append(got, strings.TrimPrefix(w.Error(), "crosswalk things.example.com: "))
			}
			if want := strings.FieldsFunc(test.want, func(r rune) bool { return r == '\n' }); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), test.want)
			}
			if test.mended == "" {
				return
			}
			if left := compiled(t, test.beta, test.v1, test.mended).Warnings(); len(left) > 0 {
				t.Errorf("with the row there is still %v", left)
			}
		})
	}
}
