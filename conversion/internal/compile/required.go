package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// warnRequired warns of members of an object that both versions have, if only one version requires
// them: an object without them can be read there, but whoever changes it must add them. Members
// that rows name are left out.
func (b *builder) warnRequired(ids [2]int32, claims [2]*claim, root bool) {
	schemas, at := [2]*schema.Schema{}, [2]path.Path{}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		schemas[side], at[side] = b.out.Nodes[side][ids[side]].Schema, b.within(side, ids[side])
	}
	p := b.copiedPair(nil, at, schemas)
	if root {
		p.claimed = []string{"apiVersion", "kind", "metadata"} // every object has them
	}
	for _, name := range slices.Sorted(maps.Keys(schemas[plan.Spoke].Members)) {
		if claims[plan.Spoke].member(name).claimed() || claims[plan.Hub].member(name).claimed() {
			p.claimed = append(p.claimed, name)
		}
	}
	b.warnMissing(p)
}

// warnMissing is warnRequired for an object that is copied unchanged.
func (b *builder) warnMissing(p copiedPair) {
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(p.schemas[plan.Spoke].Members)) {
			if !slices.Contains(p.claimed, name) && mayLack(p.schemas, from, name, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			b.warnOf(p, p.missingWarning(b.versions, from, names))
		}
	}
}

// mayLack reports whether a member of an object may be missing in one version, while the
// other requires its counterpart.
func mayLack(of [2]*schema.Schema, from plan.Side, name, counterpart string) bool {
	to := from.Other()
	there := of[to].Member(counterpart)
	if here := of[from].Member(name); here == nil || there == nil || here.Default != nil || there.Default != nil {
		return false
	}
	return of[to].Requires(counterpart) && !of[from].Requires(name)
}

// missingWarning makes the warning about members that one version may lack and the other requires.
func (p copiedPair) missingWarning(versions [2]string, from plan.Side, names []string) diagnose.Problem {
	to := from.Other()
	single, places := true, make([]string, len(names))
	for i, name := range names {
		places[i] = p.full[to].Child(name).String()
		member := p.schemas[from].Member(name)
		single = single && !member.IsObject() && member.Type != "array"
	}
	what := "it"
	if len(names) > 1 {
		what = "them"
	}
	remedy := fmt.Sprintf("add a default to %s in the %s schema", what, versions[from])
	if single {
		var rows []string
		for _, name := range names {
			rows = append(rows, diagnose.Row([2]path.Path{p.at[plan.Spoke].Child(name), p.at[plan.Hub].Child(name)}, fmt.Sprintf("default: {%s: ...}", from)))
		}
		remedy += ", or write the value that absence means: " + p.within(strings.Join(rows, ", "))
	}
	return diagnose.Problem{
		Message: fmt.Sprintf("%s requires %s, but %s does not: an object without %s still converts, but a client that changes it in %s has to add %s",
			versions[to], strings.Join(places, ", "), versions[from], what, versions[to], what),
		Remedy: remedy,
	}
}

// warnRequiredBy is warnRequired for the two fields of a row, if both versions have the object that
// requires one of them. An object that only one version has need not be made.
func (b *builder) warnRequiredBy(w *writtenRow, r *plan.Row) {
	if len(w.paths[plan.Spoke]) != 1 || len(w.paths[plan.Hub]) != 1 || len(w.paths[plan.Spoke][0]) == 0 || len(w.paths[plan.Hub][0]) == 0 || !w.keepsPresence() {
		return
	}
	for _, to := range [...]plan.Side{plan.Spoke, plan.Hub} {
		from, there, here := to.Other(), w.paths[to][0], w.paths[to.Other()][0]
		around := there[:len(there)-1]
		if object := b.schemas[to].At(around); object == nil || !object.Requires(there[len(around)]) || w.schemas[to][0].Default != nil || b.schemas[from].At(around) == nil {
			continue
		}
		reason, remedy := w.absentFor(to), neverAbsent
		if r.Default[to] == nil {
			absent := mayBeAbsent(b.schemas[from], here, around)
			if r.Default[from] != nil || len(absent) == 0 {
				continue
			}
			reason = fmt.Sprintf("%s does not require %s", b.versions[from], b.fullPath(from, absent[len(absent)-1]))
			remedy = b.sayAbsence(w, from, absent)
		}
		b.warnOf(b.copiedPair(w, w.firstPaths(), w.pair()), diagnose.Problem{
			Message: fmt.Sprintf("%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
				b.versions[to], b.fullPath(to, there), reason, b.versions[to]),
			Remedy: remedy,
		})
	}
}

// sayAbsence returns the remedy for a field that may be absent: make it always present, or give its
// absence a value.
func (b *builder) sayAbsence(w *writtenRow, side plan.Side, absent []path.Path) string {
	var places []string
	for _, p := range absent {
		places = append(places, p.String())
	}
	remedy := fmt.Sprintf("add a default to %s in the %s schema", strings.Join(places, " and "), b.versions[side])
	if s, at := w.schemas[side][0], w.paths[side][0]; !s.IsObject() && s.Type != "array" {
		what := "its absence"
		if len(absent) > 1 || len(absent[0]) < len(at) {
			what = "the absence of " + at.String()
		}
		remedy += fmt.Sprintf(", or write the value that %s means: default: {%s: ...}", what, side)
	}
	return remedy
}

// absentFor returns why a row's default may leave a field absent, or "".
func (w *writtenRow) absentFor(side plan.Side) string {
	if w.Default == nil {
		return ""
	}
	v := [...]*v1alpha1.Value{w.Default.Spoke, w.Default.Hub}[side]
	if v == nil {
		return ""
	}
	return fmt.Sprintf("default: {%s: %s} omits the field for that value", side, v.JSON)
}

// neverAbsent is the remedy that makes a field present for every value.
const neverAbsent = "remove that default, or compute both sides with cel, which always writes the value"

// warnOptional warns of an expression that may have no value for a field which its version requires
// in an object that both have.
func (b *builder) warnOptional(w *writtenRow, to plan.Side, operand int, title string, e *expression.Program) {
	p, from := w.paths[to][operand], to.Other()
	if !e.Optional || len(p) == 0 || w.schemas[to][operand].Default != nil {
		return
	}
	around := p[:len(p)-1]
	if parent := b.schemas[to].At(around); parent == nil || !parent.Requires(p[len(around)]) || b.schemas[from].At(around) == nil {
		return
	}
	maybe := func(r expression.Read) bool {
		return r.Outside || !isPresentWith(b.schemas[from], slices.Concat(w.prefix[from], r.Path), around)
	}
	if len(e.Reads) > 0 && !slices.ContainsFunc(e.Reads, maybe) {
		return
	}
	b.warning(w, "make it always return a value, for example with .orValue(...)", "%s requires %s, but %s may return no value: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, p), title, b.versions[to])
}

// warnLacking warns of a value in the table that lacks a field which the schema requires in it.
func (b *builder) warnLacking(w *writtenRow, side plan.Side, what string, value []byte) {
	if at := missingRequired(value, w.schemas[side][0]); at != nil {
		b.warning(w, "add it: "+what+" {"+at[0]+": ...}", "%s %s lacks %s, which %s requires in %s, so an object with it can't be written in %s",
			what, value, at, b.versions[side], w.paths[side][0], b.versions[side])
	}
}

// missingRequired returns the path of a required member that a value lacks, or nil.
func missingRequired(value []byte, s *schema.Schema) path.Path {
	if value[0] != '{' {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		member, text := s.Members[name], jsontext.Member(value, name)
		switch {
		case text == nil && s.Requires(name) && member.Default == nil:
			return path.Path{name}
		case text != nil:
			if at := missingRequired(text, member); at != nil {
				return append(path.Path{name}, at...)
			}
		}
	}
	return nil
}

// keepsPresence reports whether the two fields of a row are always present or absent together.
func (w *writtenRow) keepsPresence() bool {
	if w.mapping == nil {
		return true
	}
	switch w.mapping.name {
	case "values", "scalar", "join", "text", "each", "wrap", "keyed":
		return true
	case "boolean":
		return w.Boolean.Presence == ""
	}
	return false
}
