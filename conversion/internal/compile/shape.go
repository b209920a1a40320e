package compile

import (
	"fmt"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// checkShape reports mistakes of a row that do not depend on the schemas.
func (b *builder) checkShape(w *writtenRow) bool {
	before := b.found.Reported
	if !b.findMapping(w) {
		return false
	}
	if w.Values == nil && (w.Inverse != nil || w.Closed) {
		b.problem(w, "add values, or remove them", "inverse and closed need values")
	}
	if w.Default != nil && w.Default.Spoke == nil && w.Default.Hub == nil {
		b.problem(w, "write the value that absence means: default: {spoke: ...} or {hub: ...}", "default is empty")
	}
	if w.Drop != "" && strings.TrimSpace(w.Drop) == "" {
		b.problem(w, "write why the field may be lost", "drop has no reason")
	}
	b.checkJSON(w)
	if w.Spoke == nil && w.Hub == nil {
		b.problem(w, "name a spoke path, a hub path or both", "the row names no field")
		return false
	}
	if w.mapping != nil && w.mapping.check != nil {
		w.mapping.check(b, w)
	}
	if side, single := w.onlySide(); single {
		b.checkSingle(w, side)
	} else {
		b.checkPair(w)
	}
	if w.mapping == nil && (w.Spoke != nil && w.Spoke.Named != nil || w.Hub != nil && w.Hub.Named != nil) && w.Constant == nil && w.Drop == "" && w.Table == "" {
		b.problem(w, w.severalBy(), "the row names several fields of a side, but has no mapping for them")
		return false
	}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		if p := w.side(side); p != nil && p.Named != nil && (w.mapping == nil || !w.mapping.parts || len(p.Named) == 0) {
			b.problem(w, "write one path", "several named fields on the %s side need a template, variant, cel, func, where or entries", side)
		}
	}
	return b.found.Reported == before
}

func (b *builder) checkSingle(w *writtenRow, side plan.Side) {
	other := side.Other()
	switch {
	case w.mapping != nil || w.Table != "":
		b.problem(w, fmt.Sprintf("add the %s field", other), "the row has a mapping but no %s field", other)
	case w.Default != nil:
		b.problem(w, "use constant for a value that every object of the other version implies", "default needs a field of each version, but the row has no %s field", other)
	case w.Sensitive && w.Drop == "":
		b.problem(w, "map it to a field of the other version, or drop it with a reason", "a sensitive field that only one version has would be kept in an annotation")
	}
}

func (b *builder) checkPair(w *writtenRow) {
	switch {
	case w.Drop != "":
		b.problem(w, "remove the other side", "drop is for one field, but the row names two")
	case w.Constant != nil:
		b.problem(w, "use default, or remove one side", "constant is for a field that only one version has, but the row names two")
	case w.mapping != nil && w.mapping.elements && w.Default != nil:
		b.problem(w, "remove default", "a row for lists or maps can't have a default")
	case w.Sensitive && (w.mapping != nil && !w.mapping.elements || w.Default != nil):
		b.problem(w, "use a row without a mapping for it", "a sensitive value can't be kept in an annotation, so its row must be exact")
	}
}

// checkJSON reports values that are no valid JSON: encoding/json accepts duplicate members, and Go
// code may set anything.
func (b *builder) checkJSON(w *writtenRow) {
	w.EachValue(func(what string, v *v1alpha1.Value) {
		var scan jsontext.Scanner
		scan.Reset(v.JSON)
		span, err := scan.Document()
		if err == nil && len(span.Bytes(v.JSON)) == len(v.JSON) {
			return
		}
		if err == nil {
			err = fmt.Errorf("the value has white space around it")
		}
		b.problem(w, "write one JSON value", "%s %q is not JSON: %v", what, v.JSON, err)
	})
}

// severalBy returns the mappings that map several fields, as far as their names tell.
func (w *writtenRow) severalBy() string {
	switch {
	case w.Spoke == nil || w.Hub == nil:
		return "write a row for each"
	case w.Spoke.Named == nil || w.Hub.Named == nil:
		return `add one: template: "{a}:{b}" for a text, where: [...] for a list, variant: {} for a discriminator, or cel: {toHub: ..., toSpoke: ...}; or write a row for each`
	case unionNames(w.Hub.Named) || unionNames(w.Spoke.Named):
		return "add one, for example variant: {}"
	}
	return "add one, for example cel: {toHub: {...}, toSpoke: {...}}; or write a row for each"
}
