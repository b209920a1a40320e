package compile

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// refuse records a row with a reported mistake, which maps nothing. Problems that only follow from
// that are not reported.
func (b *builder) refuse(w *writtenRow, schemas [2]*schema.Schema) {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if w.side(side) == nil {
			continue
		}
		for _, text := range textsOf(w.side(side)) {
			at, err := path.Parse(text)
			if err != nil {
				continue
			}
			b.refused[side] = append(b.refused[side], at)
			if len(at) > 0 && schemas[side].At(at) == nil {
				if meant, err := path.Parse(diagnose.Nearest(schemas[side], at)); err == nil {
					b.refused[side] = append(b.refused[side], meant)
				}
			}
		}
	}
	for _, inner := range w.Inner() {
		b.found.used[inner.Table] = true
	}
	b.found.used[w.Table] = true
}

// isRefused reports whether a rejected row names a field of the scope, or one inside it or around
// it.
func (b *builder) isRefused(side plan.Side, at path.Path) bool {
	return slices.ContainsFunc(b.refused[side], func(p path.Path) bool {
		n := min(len(p), len(at))
		return slices.Equal(p[:n], at[:n])
	})
}

// isWithin reports whether a rejected row names a field of the scope, or one around it.
func (b *builder) isWithin(side plan.Side, at path.Path) bool {
	return slices.ContainsFunc(b.refused[side], func(p path.Path) bool { return len(p) <= len(at) && slices.Equal(p, at[:len(p)]) })
}
