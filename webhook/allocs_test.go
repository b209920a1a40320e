//go:build !race

package webhook

import "testing"

// TestAllocations holds what one review may allocate, the router included and
// the converter excluded: of controller-runtime's handler 117 were measured.
func TestAllocations(t *testing.T) {
	tests := []struct {
		path string
		most float64
	}{
		{"/convert", 5},
		{"/convert/0123abcd", 7},
	}
	for _, test := range tests {
		e := newExchanger(NewHandler(Options{Tables: loaded(t, nil, appendV1)}), test.path, review1(star))
		if n := testing.AllocsPerRun(1000, e.post); n > test.most {
			t.Errorf("%s: %v allocations, want %v at most", test.path, n, test.most)
		}
	}
}
