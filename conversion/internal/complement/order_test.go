package complement

import (
	"fmt"
	"testing"
)

func TestSequence(t *testing.T) {
	for name, c := range map[string]struct {
		n            int
		known, ranks []int
		isMap        bool
		want         string
	}{
		"an order applies while the ranks are what they were": {3, []int{2, 0, 1}, []int{3, 1, 2}, false, "[2 0 1]"},
		"the live order applies if they are not":              {3, []int{2, 0, 1}, []int{1, 2, 3}, false, "[0 1 2]"},
		"the live order applies without ranks":                {3, []int{2, 0}, []int{0, 0}, false, "[0 1 2]"},
		"a new element comes behind the one that it follows":  {4, []int{3, 0}, []int{2, 1}, false, "[3 0 1 2]"},
		"a new element before all others stays there":         {3, []int{2, 1}, []int{2, 1}, false, "[0 2 1]"},
		"a new value of a map comes last":                     {4, []int{3, 0}, []int{2, 1}, true, "[3 0 1 2]"},
		"the first value of a map may be new, and comes last": {3, []int{2, 1}, []int{2, 1}, true, "[2 1 0]"},
		"nothing is known":                                    {2, nil, nil, false, "[0 1]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(sequence(c.n, c.known, c.ranks, c.isMap)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
