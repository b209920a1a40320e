package compile

import (
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// negation ties true to false.
type negation struct{}

func (negation) Convert(scratch []byte, _ plan.Side, in, out [][]byte) ([]byte, bool) {
	switch {
	case in[0] == nil:
		out[0] = nil
	case in[0][0] == 't':
		out[0] = []byte("false")
	case in[0][0] == 'f':
		out[0] = []byte("true")
	default:
		return scratch, false
	}
	return scratch, true
}

// presence ties true to a place at which something is, and false or nothing to
// one at which nothing is.
type presence struct {
	// there is the side at which something is or is not.
	there plan.Side
	// value is what is written there for true.
	value []byte
}

func (p *presence) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	switch text := in[0]; {
	case text == nil:
		out[0] = nil
	case from == p.there && text[0] == 'n':
		return scratch, false
	case from == p.there:
		out[0] = []byte("true")
	case text[0] == 't':
		out[0] = p.value
	case text[0] == 'f':
		out[0] = nil
	default:
		return scratch, false
	}
	return scratch, true
}

func (b *builder) checkBoolean(w *written) {
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

func (b *builder) booleanRow(w *written, r *plan.Row) bool {
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
		r.Mapping = negation{}
		r.Needs = [2]string{"true or false", "true or false"}
		return mustBe(plan.Spoke, "negate maps a boolean to a boolean") && mustBe(plan.Hub, "negate maps a boolean to a boolean")
	case m.Presence != "":
		there := plan.Spoke
		if m.Presence == v1alpha1.HubSide {
			there = plan.Hub
		}
		r.Needs[there], r.Needs[there.Other()] = "a value other than null, or no value", "true or false"
		p := &presence{there: there, value: []byte("{}")}
		r.Mapping = p
		if m.True != nil {
			p.value = schema.Canonical(nil, m.True.JSON, nil)
		} else if types[there].Type != "object" {
			b.problem(w, "add the value for true: boolean: {presence: "+there.String()+", true: ...}", "boolean: %s is of type %s, and there is no value to write for true",
				w.paths[there][0], types[there].Describe())
			return false
		}
		if p.value[0] == 'n' || !types[there].Holds(p.value) {
			b.problem(w, diagnose.InQuotes(p.value, types[there], "use a value of that type"), "boolean: true %s is not of type %s", p.value, types[there].Describe())
			return false
		}
		b.warnLacking(w, there, "true:", p.value)
		return mustBe(there.Other(), "the side that presence does not name must be the boolean")
	}
	return b.twoValues(w, r)
}

// truth finds the side of a row with two values that is the boolean.
func (b *builder) truth(w *written) (plan.Side, bool) {
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

// twoValues ties true and false to single values, as a closed table of values
// does.
func (b *builder) twoValues(w *written, r *plan.Row) bool {
	types := w.pair()
	side, ok := b.truth(w)
	if !ok {
		return false
	}
	v := &values{closed: true, types: types, to: [2]map[string][]byte{{}, {}}}
	r.Mapping = v
	r.Needs[side] = "true or false"
	given := map[string]*v1alpha1.Value{"true": w.Boolean.True, "false": w.Boolean.False}
	for _, word := range [...]string{"true", "false"} {
		other, err := checked(given[word].JSON, types[side.Other()])
		if err == nil {
			err = diagnose.InEnum(other, types[side.Other()])
		}
		if err != nil {
			b.problem(w, "", "boolean: %s %s: %v", word, given[word].JSON, err)
			return false
		}
		v.to[side][word], v.to[side.Other()][string(other)] = other, []byte(word)
	}
	if len(v.to[side.Other()]) < 2 {
		b.problem(w, "give two values", "boolean: true and false are both %s", w.Boolean.True.JSON)
		return false
	}
	r.Needs[side.Other()] = diagnose.Bare(string(v.to[side]["true"])) + " or " + diagnose.Bare(string(v.to[side]["false"]))
	return true
}
