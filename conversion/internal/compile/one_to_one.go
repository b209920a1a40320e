package compile

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/decimal"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// oneToOne reports whether what a row makes of a value no other value becomes, so far as
// the row itself names them: a key may be tied by such a row. Values that pass through,
// and other ways to write a number, may still meet in one object; their elements then
// have one key on a side, and count as such.
func (b *builder) oneToOne(w *written) error {
	m, ok := b.out.Rows[w.index].Mapping.(interface{ OneToOne() error })
	if !ok {
		return fmt.Errorf("is mapped by %s, which may convert several values into one", w.mapping.name)
	}
	if err := m.OneToOne(); err != nil {
		return fmt.Errorf("is mapped by %s, which %w", w.mapping.name, err)
	}
	return nil
}

func (v *values) OneToOne() error {
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		of := map[string]string{}
		for _, value := range slices.Sorted(maps.Keys(v.to[from])) {
			to := string(v.to[from][value])
			if other, twice := of[to]; twice {
				return fmt.Errorf("are not one-to-one: %s and %s of the %s both become %s", other, value, from, to)
			}
			of[to] = value
		}
	}
	return nil
}

func (s *scalar) OneToOne() error {
	if s.round != decimal.Exact {
		return errors.New("is not one-to-one: it rounds")
	}
	return nil
}

func (a asText) OneToOne() error { return nil }

func (t *template) OneToOne() error {
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
