package plan

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// checkShape reports what is wrong with a row whatever the schemas say.
func (b *builder) checkShape(w *written) bool {
	before := b.problems.reported
	if !b.findMapping(w) {
		return false
	}
	if w.Values == nil && (w.Inverse != nil || w.Closed) {
		b.problem(w, "add values, or remove them", "inverse and closed belong to values")
	}
	if w.Default != nil && w.Default.Spoke == nil && w.Default.Hub == nil {
		b.problem(w, "say what absence stands for: default: {spoke: ...} or {hub: ...}", "default is empty")
	}
	if w.Drop != "" && strings.TrimSpace(w.Drop) == "" {
		b.problem(w, "say why the place may be lost", "drop has no reason")
	}
	b.checkJSON(w)
	if w.Spoke == nil && w.Hub == nil {
		b.problem(w, "name a spoke path, a hub path or both", "the row names no place")
		return false
	}
	if w.mapping != nil && w.mapping.check != nil {
		w.mapping.check(b, w)
	}
	if side, single := w.single(); single {
		b.checkSingle(w, side)
	} else {
		b.checkPair(w)
	}
	if w.mapping == nil && (w.Spoke != nil && w.Spoke.Named != nil || w.Hub != nil && w.Hub.Named != nil) && w.Constant == nil && w.Drop == "" && w.Table == "" {
		b.problem(w, w.severalBy(), "the row names several places of a side, and no mapping says how they are tied")
		return false
	}
	for _, side := range [...]Side{Spoke, Hub} {
		if p := w.side(side); p != nil && p.Named != nil && (w.mapping == nil || !w.mapping.parts || len(p.Named) == 0) {
			b.problem(w, "write one path", "several named places on the %s side belong to a template, variant, cel, func, where or entries", side)
		}
	}
	return b.problems.reported == before
}

func (b *builder) checkSingle(w *written, side Side) {
	other := side.Other()
	switch {
	case w.mapping != nil || w.Table != "":
		b.problem(w, fmt.Sprintf("add the %s place", other), "the row has a mapping but no %s place", other)
	case w.Default != nil:
		b.problem(w, "use constant for what the other version implies", "default says what absence stands for between two places, and the row has no %s place", other)
	case w.Sensitive && w.Drop == "":
		b.problem(w, "tie it to a place of the other version, or drop it with a reason", "a sensitive place that only one version has would be kept in an annotation")
	}
}

func (b *builder) checkPair(w *written) {
	switch {
	case w.Drop != "":
		b.problem(w, "remove the other side", "drop loses one place, and the row names two")
	case w.Constant != nil:
		b.problem(w, "use default, or remove one side", "constant belongs to a place that only one version has, and the row names two")
	case w.mapping != nil && w.mapping.elements && w.Default != nil:
		b.problem(w, "remove default", "lists and maps have no default of their own")
	case w.Sensitive && (w.mapping != nil && !w.mapping.elements || w.Default != nil):
		b.problem(w, "tie it by a plain row, without a mapping", "a sensitive place may never be kept in an annotation, so its row must be exact")
	}
}

// checkJSON reports values that are no JSON, or not what conversion may write:
// encoding/json hands duplicate members on, and Go code may hold anything.
func (b *builder) checkJSON(w *written) {
	w.EachValue(func(what string, v *v1alpha1.Value) {
		var scan jsontext.Scanner
		scan.Reset(v.JSON)
		span, err := scan.Document()
		if err == nil && len(span.Bytes(v.JSON)) == len(v.JSON) {
			return
		}
		if err == nil {
			err = fmt.Errorf("there is white space around the value")
		}
		b.problem(w, "write one JSON value", "%s %q is not JSON: %v", what, v.JSON, err)
	})
}

// severalBy says which mappings tie several places, as far as the names tell.
func (w *written) severalBy() string {
	switch {
	case w.Spoke == nil || w.Hub == nil:
		return "write a row for each"
	case w.Spoke.Named == nil || w.Hub.Named == nil:
		return `add one, as template: "{a}:{b}" beside a text, where: [...] beside a list, variant: {} beside what says which is there, or cel: {toHub: ..., toSpoke: ...}; or write a row for each`
	case unionNames(w.Hub.Named) || unionNames(w.Spoke.Named):
		return "add one, as variant: {}"
	}
	return "add one, as cel: {toHub: {...}, toSpoke: {...}}; or write a row for each"
}
