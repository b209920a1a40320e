package mapping

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// OneToOne is a [plan.Mapping] that can map the key of elements.
type OneToOne interface {
	// OneToOne returns why the mapping may make the same of two values, or nil. It looks at the values that
	// the row has, not at those that pass through.
	OneToOne() error
}

// OneToOne implements [OneToOne].
func (v *Values) OneToOne() error {
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		of := map[string]string{}
		for _, value := range slices.Sorted(maps.Keys(v.To[from])) {
			to := string(v.To[from][value])
			if other, twice := of[to]; twice {
				return fmt.Errorf("are not one-to-one: %s and %s of the %s both become %s", other, value, from, to)
			}
			of[to] = value
		}
	}
	return nil
}

// OneToOne implements [OneToOne].
func (s *Scalar) OneToOne() error {
	if s.Round != decimal.Exact {
		return errors.New("is not one-to-one: it rounds")
	}
	return nil
}

// OneToOne implements [OneToOne].
func (a AsText) OneToOne() error { return nil }

// OneToOne implements [OneToOne].
func (t *Template) OneToOne() error {
	holes := 0
	for _, s := range t.steps {
		if s.hole != nil {
			holes++
		}
	}
	if holes > 1 {
		return errors.New("is not one-to-one: the text has several values")
	}
	return nil
}
