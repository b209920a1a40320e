//go:build !race

package webhook

import (
	"testing"

	"github.com/crosswalk-dev/crosswalk/validation"
)

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

// TestAdmissionAllocations holds what a review may allocate that the reviewer does
// not: the request with its strings and groups three, the user's extra four, the
// deadline four, the route four, the length of the answer two.
func TestAdmissionAllocations(t *testing.T) {
	e := newExchanger(asked(t, Options{}, says(validation.Verdict{})), "/validate/stars?timeout=10s", admissionOf(5000))
	if n := testing.AllocsPerRun(1000, e.post); n > 20 {
		t.Errorf("%v allocations, want 20 at most", n)
	}
}
