package compile

import (
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// warnWords warns of a boolean if the enum of the text lacks one of its words.
func (b *builder) warnWords(w *writtenRow, side plan.Side) {
	text := w.schemas[side][0]
	for _, v := range [...]string{`"true"`, `"false"`} {
		if err := diagnose.InEnum([]byte(v), text); err != nil {
			b.warning(w, "replace scalar with "+diagnose.Boolean(diagnose.TruthWords(text)), "scalar: %s, which a boolean is written as, %v", v, err)
			return
		}
	}
}
