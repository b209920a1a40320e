package complement

import (
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// A place is covered by one that is around it, and by no other.
func TestPlacesCover(t *testing.T) {
	at := func(names ...string) (steps []stash.Step) {
		for _, name := range names {
			steps = append(steps, stash.Step{Name: []byte(name)})
		}
		return steps
	}
	of := func(all ...[]stash.Step) places {
		p := places{}
		for _, steps := range all {
			p[placeText(steps)] = steps
		}
		return p
	}
	element := append(at("a"), stash.Step{Key: []byte(`{"name":"x"}`)})
	for _, test := range []struct {
		some, places places
		want         bool
	}{
		{of(), of(), true},
		{of(at("a")), of(at("a"), at("a", "b"), element), true},
		{of(at("a", "b")), of(at("a")), false},
		{of(at("a")), of(at("ab")), false},
		{of(element), of(append(slices.Clone(element), at("b")...)), true},
		{of(at()), of(at("a")), true},
	} {
		if got := test.some.cover(test.places); got != test.want {
			t.Errorf("%v cover %v: %t", test.some, test.places, got)
		}
	}
}
