package diagnose

import (
	"strconv"
	"testing"
)

func TestEither(t *testing.T) {
	var twelve []string
	for i := range 12 {
		twelve = append(twelve, strconv.Itoa(i))
	}
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"A"}, "A"},
		{[]string{"A", "B"}, "A or B"},
		{[]string{"A", "B", "C"}, "A, B or C"},
		{twelve, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 2 others that the table has"},
	} {
		if got := Either(test.words); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if len(twelve) != 12 || twelve[10] != "10" {
		t.Errorf("the words have changed: %q", twelve)
	}
}
