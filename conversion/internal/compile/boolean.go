package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

func (b *builder) checkBoolean(w *writtenRow) {
	m := w.Boolean
	two := m.True != nil && m.False != nil
	switch {
	case m.Presence != "" && !slices.Contains(v1alpha1.Sides(), m.Presence):
		b.problem(w, "use spoke or hub: the side on which a present field means true", "boolean: presence: %q is not a side", m.Presence)
	case m.Negate && (m.Presence != "" || m.True != nil || m.False != nil):
		b.problem(w, "keep one of them", "boolean: negate maps a boolean to a boolean, but presence, true and false map a boolean to another type")
	case m.Presence != "" && m.False != nil:
		b.problem(w, "remove false", "boolean: with presence, an absent field means false")
	case !m.Negate && m.Presence == "" && !two && (m.True != nil || m.False != nil):
		b.problem(w, "give both: boolean: {true: ..., false: ...}", "boolean: one of true and false is missing")
	case !m.Negate && m.Presence == "" && !two:
		b.problem(w, "write negate: true, or presence: hub (or spoke), or the two values: {true: Enabled, false: Disabled}", "boolean is empty")
	}
}

func (b *builder) booleanRow(w *writtenRow, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	m, types := w.Boolean, w.pair()
	r.Kind = plan.Map
	mustBe := func(side plan.Side, why string) bool {
		if types[side].Type != "boolean" && !types[side].IsAny() {
			b.problem(w, "name a boolean", "boolean: %s, but %s is of type %s", why, w.paths[side][0], types[side].Describe())
			return false
		}
		return true
	}
	switch {
	case m.Negate:
		r.Mapping = mapping.Negation{}
		r.Needs = [2]string{"true or false", "true or false"}
		return mustBe(plan.Spoke, "negate maps a boolean to a boolean") && mustBe(plan.Hub, "negate maps a boolean to a boolean")
	case m.Presence != "":
		there := plan.Spoke
		if m.Presence == v1alpha1.HubSide {
			there = plan.Hub
		}
		r.Needs[there], r.Needs[there.Other()] = "a value other than null, or no value", "true or false"
		p := &mapping.Presence{There: there, Value: []byte("{}")}
		r.Mapping = p
		if m.True != nil {
			p.Value = schema.Canonical(nil, m.True.JSON, nil)
		} else if types[there].Type != "object" {
			b.problem(w, "add the value for true: boolean: {presence: "+there.String()+", true: ...}", "boolean: %s is of type %s, and there is no value to write for true",
				w.paths[there][0], types[there].Describe())
			return false
		}
		if p.Value[0] == 'n' || !types[there].Holds(p.Value) {
			b.problem(w, diagnose.InQuotes(p.Value, types[there], "use a value of that type"), "boolean: true %s is not of type %s", p.Value, types[there].Describe())
			return false
		}
		b.warnLacking(w, there, "true:", p.Value)
		return mustBe(there.Other(), "the side that presence does not name must be the boolean")
	}
	return b.twoValues(w, r)
}

// truth finds the side of a row with two values that is the boolean.
func (b *builder) truth(w *writtenRow) (plan.Side, bool) {
	types := w.pair()
	spoke, hub := types[plan.Spoke], types[plan.Hub]
	switch {
	case spoke.Type == "boolean", spoke.IsAny() && !hub.IsAny() && hub.Type != "boolean":
		return plan.Spoke, true
	case hub.Type == "boolean", hub.IsAny() && !spoke.IsAny():
		return plan.Hub, true
	case spoke.IsAny() && hub.IsAny():
		b.problem(w, fmt.Sprintf(`if the spoke has the boolean, use values: values: {"true": %s, "false": %s}, closed: true`, diagnose.Bare(string(w.Boolean.True.JSON)), diagnose.Bare(string(w.Boolean.False.JSON))),
			"boolean: %s and %s allow any type, so it is not known which of them is the boolean", w.paths[plan.Spoke][0], w.paths[plan.Hub][0])
		return plan.Spoke, false
	}
	b.problem(w, "name a boolean on one side", "boolean: %s is of type %s, %s is of type %s", w.paths[plan.Spoke][0], spoke.Describe(), w.paths[plan.Hub][0], hub.Describe())
	return plan.Spoke, false
}

// twoValues maps true and false to single values, as a closed table of values does.
func (b *builder) twoValues(w *writtenRow, r *plan.Row) bool {
	types := w.pair()
	side, ok := b.truth(w)
	if !ok {
		return false
	}
	v := &mapping.Values{Closed: true, Types: types, To: [2]map[string][]byte{{}, {}}}
	r.Mapping = v
	r.Needs[side] = "true or false"
	given := map[string]*v1alpha1.Value{"true": w.Boolean.True, "false": w.Boolean.False}
	for _, word := range [...]string{"true", "false"} {
		other, err := mapping.Checked(given[word].JSON, types[side.Other()])
		if err == nil {
			err = diagnose.InEnum(other, types[side.Other()])
		}
		if err != nil {
			b.problem(w, "", "boolean: %s %s: %v", word, given[word].JSON, err)
			return false
		}
		v.To[side][word], v.To[side.Other()][string(other)] = other, []byte(word)
	}
	if len(v.To[side.Other()]) < 2 {
		b.problem(w, "give two values", "boolean: true and false are both %s", w.Boolean.True.JSON)
		return false
	}
	r.Needs[side.Other()] = diagnose.Bare(string(v.To[side]["true"])) + " or " + diagnose.Bare(string(v.To[side]["false"]))
	return true
}
