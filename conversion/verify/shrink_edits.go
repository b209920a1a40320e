package verify

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// insideEdits reduces the values that edits write.
func (s *shrinker) insideEdits() bool {
	better := false
	for i := 0; i < len(s.best.Edits); i++ {
		for again := true; again && s.best.Edits[i].Value != nil; {
			again = s.insideEdit(i)
			better = better || again
		}
	}
	return better
}

// insideEdit makes one step.
func (s *shrinker) insideEdit(i int) bool {
	value := s.best.Edits[i].Value
	var paths []tree.Path
	value.Walk(func(p tree.Path, _ *tree.Value) {
		if len(p) > 0 {
			paths = append(paths, p)
		}
	})
	for _, p := range paths {
		for _, to := range append([]*tree.Value{nil}, plainer(value.At(p))...) {
			smaller := value.Clone()
			if !smaller.Put(p, to) {
				continue
			}
			c := s.best.Case
			c.Edits = slices.Clone(s.best.Edits)
			c.Edits[i].Value = smaller
			if s.with(c) {
				return true
			}
		}
	}
	return false
}

// damage simplifies the damage to a stash.
func (s *shrinker) damage() bool {
	if s.best.Damage == nil {
		return false
	}
	try := func(change func(*Damage)) bool {
		c, d := s.best.Case, *s.best.Damage
		change(&d)
		if d == *s.best.Damage {
			return false
		}
		c.Damage = &d
		return s.with(c)
	}
	for at := range min(8, s.best.Damage.At) {
		if try(func(d *Damage) { d.At = at }) {
			return true
		}
	}
	for _, with := range []string{"", `"forged"`, "7", "{}"} {
		if len(with) < len(s.best.Damage.With) && try(func(d *Damage) { d.With = with }) {
			return true
		}
	}
	return false
}
