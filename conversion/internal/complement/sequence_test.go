package complement

import (
	"fmt"
	"testing"
)

func TestSequence(t *testing.T) {
	for name, c := range map[string]struct {
		groups, known, ranks []int
		want                 string
	}{
		"an order applies while the ranks are what they were":       {[]int{0, 0, 0}, []int{2, 0, 1}, []int{3, 1, 2}, "[2 0 1]"},
		"the live order applies if they are not":                    {[]int{0, 0, 0}, []int{2, 0, 1}, []int{1, 2, 3}, "[0 1 2]"},
		"the live order applies without ranks":                      {[]int{0, 0, 0}, []int{2, 0}, []int{0, 0}, "[0 1 2]"},
		"a new element comes behind the one that it follows":        {[]int{0, 0, 0, 0}, []int{3, 0}, []int{2, 1}, "[3 0 1 2]"},
		"a new element before all others comes before them":         {[]int{0, 0, 0}, []int{2, 1}, []int{2, 1}, "[0 2 1]"},
		"a new element of a part comes before the next of its part": {[]int{0, 1, 1}, []int{2, 0}, []int{2, 1}, "[1 2 0]"},
		"a new element comes behind the one of its part":            {[]int{0, 1, 1}, []int{1, 0}, []int{2, 1}, "[1 2 0]"},
		"the first element of a part comes last":                    {[]int{0, 1, 1}, []int{1, 2}, []int{1, 2}, "[1 2 0]"},
		"a new value of a map comes last":                           {[]int{0, 1, 2, 3}, []int{3, 0}, []int{2, 1}, "[3 0 1 2]"},
		"the first value of a map may be new, and comes last":       {[]int{0, 1, 2}, []int{2, 1}, []int{2, 1}, "[2 1 0]"},
		"nothing is known": {[]int{0, 0}, nil, nil, "[0 1]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(sequence(c.groups, c.known, c.ranks)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
