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

// warnRequired warns of members of an object that both versions have, which one of them
// requires and the other does not: what lacks them can be read there, but whoever changes
// it there is asked for them. Those that rows name are left out.
func (b *builder) warnRequired(ids [2]int32, claims [2]*claim, root bool) {
	schemas, at := [2]*schema.Schema{}, [2]path.Path{}
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		schemas[side], at[side] = b.out.Nodes[side][ids[side]].Schema, b.within(side, ids[side])
	}
	p := b.passing(nil, at, schemas)
	if root {
		p.claimed = []string{"apiVersion", "kind", "metadata"} // they are in every object
	}
	for _, name := range slices.Sorted(maps.Keys(schemas[plan.Spoke].Members)) {
		if claims[plan.Spoke].member(name).claimed() || claims[plan.Hub].member(name).claimed() {
			p.claimed = append(p.claimed, name)
		}
	}
	b.warnMissing(p)
}

// warnMissing is warnRequired for an object that passes as it is.
func (b *builder) warnMissing(p passing) {
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(p.schemas[plan.Spoke].Members)) {
			if !slices.Contains(p.claimed, name) && mayLack(p.schemas, from, name, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			b.warnThat(p, p.missing(b.versions, from, names))
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

// missing makes the warning of members that one version lacks and the other requires.
func (p passing) missing(versions [2]string, from plan.Side, names []string) diagnose.Problem {
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

// warnRequiredBy is warnRequired for the two places of a row, where the object that requires
// the one is in both versions. Where it is in one only, it need not be made.
func (b *builder) warnRequiredBy(w *written, r *plan.Row) {
	if len(w.paths[plan.Spoke]) != 1 || len(w.paths[plan.Hub]) != 1 || len(w.paths[plan.Spoke][0]) == 0 || len(w.paths[plan.Hub][0]) == 0 || !w.comesAndGoes() {
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
		b.warnThat(b.passing(w, w.firstPaths(), w.pair()), diagnose.Problem{
			Message: fmt.Sprintf("%s requires %s, but %s: an object without it still converts, but a client that changes it in %s has to add the field",
				b.versions[to], b.fullPath(to, there), reason, b.versions[to]),
			Remedy: remedy,
		})
	}
}

// sayAbsence says how a place of a row comes to be there always, or its absence to stand
// for something.
func (b *builder) sayAbsence(w *written, side plan.Side, absent []path.Path) string {
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

// absentFor says which value the table takes for the absence of a place, or empty if it takes none.
func (w *written) absentFor(side plan.Side) string {
	if w.Default == nil {
		return ""
	}
	v := [...]*v1alpha1.Value{w.Default.Spoke, w.Default.Hub}[side]
	if v == nil {
		return ""
	}
	return fmt.Sprintf("default: {%s: %s} omits the field for that value", side, v.JSON)
}

// neverAbsent says how that place comes to be there for every value.
const neverAbsent = "remove that default, or compute both sides with cel, which always writes the value"

// warnOptional warns of an expression that may give nothing for a place which its version
// requires in an object that both have.
func (b *builder) warnOptional(w *written, to plan.Side, operand int, title string, e *expression.Program) {
	p, from := w.paths[to][operand], to.Other()
	if !e.Optional || len(p) == 0 || w.schemas[to][operand].Default != nil {
		return
	}
	around := p[:len(p)-1]
	if parent := b.schemas[to].At(around); parent == nil || !parent.Requires(p[len(around)]) || b.schemas[from].At(around) == nil {
		return
	}
	maybe := func(r expression.Read) bool {
		return r.Outside || !alwaysIn(b.schemas[from], slices.Concat(w.prefix[from], r.Path), around)
	}
	if len(e.Reads) > 0 && !slices.ContainsFunc(e.Reads, maybe) {
		return
	}
	b.warning(w, "make it always return a value, for example with .orValue(...)", "%s requires %s, but %s may return no value: an object without it still converts, but a client that changes it in %s has to add the field",
		b.versions[to], b.fullPath(to, p), title, b.versions[to])
}

// warnLacking warns of a value of the table that lacks what the schema requires in it.
func (b *builder) warnLacking(w *written, side plan.Side, what string, value []byte) {
	if at := lacking(value, w.schemas[side][0]); at != nil {
		b.warning(w, "add it: "+what+" {"+at[0]+": ...}", "%s %s lacks %s, which %s requires in %s, so an object with it can't be written in %s",
			what, value, at, b.versions[side], w.paths[side][0], b.versions[side])
	}
}

// lacking returns the path of a member that is required in a value and not there, nil without.
func lacking(value []byte, s *schema.Schema) path.Path {
	if value[0] != '{' {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		member, text := s.Members[name], jsontext.Member(value, name)
		switch {
		case text == nil && s.Requires(name) && member.Default == nil:
			return path.Path{name}
		case text != nil:
			if at := lacking(text, member); at != nil {
				return append(path.Path{name}, at...)
			}
		}
	}
	return nil
}

// comesAndGoes reports whether the places of a row are there, or absent, together.
func (w *written) comesAndGoes() bool {
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
