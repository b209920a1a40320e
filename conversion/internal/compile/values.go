package compile

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// values ties single values by a table. Keys and values are canonical JSON.
type values struct {
	to     [2]map[string][]byte // by the side that is read
	closed bool
	types  [2]*schema.Schema
}

func (v *values) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	text := in[0]
	if text == nil {
		out[0] = nil
		return scratch, true
	}
	if to, ok := v.to[from][string(text)]; ok {
		out[0] = to
		return scratch, true
	}
	if text[0] != 'n' && text[0] != '{' && text[0] != '[' {
		start := len(scratch)
		scratch = schema.Canonical(scratch, text, nil)
		to, ok := v.to[from][string(scratch[start:])]
		scratch = scratch[:start]
		if ok {
			out[0] = to
			return scratch, true
		}
		if v.closed {
			return scratch, false
		}
	}
	if !v.types[from.Other()].Holds(text) {
		return scratch, false
	}
	out[0] = text
	return scratch, true
}

func (b *builder) checkValues(w *written) {
	if len(w.Values)+len(w.Inverse) == 0 {
		b.problem(w, "add values, or remove it", "values is empty")
	}
}

func (b *builder) valuesRow(w *written, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	if turnedValues(&w.Row, w.pair()) {
		b.problem(w, "exchange the two: values: {VALUE OF "+b.versions[plan.Spoke]+": VALUE OF "+b.versions[plan.Hub]+"}", "values and inverse are exchanged: every key of values is in the enum of the hub, and every value is in the enum of the spoke")
		return false
	}
	v, errs := parseValues(&w.Row, w.pair())
	for _, err := range errs {
		b.problem(w, "", "%v", err)
	}
	r.Kind, r.Mapping = plan.Map, v
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		r.Needs[side] = v.needs(side)
	}
	return len(errs) == 0
}

// needs says which values of a side the table can map.
func (v *values) needs(side plan.Side) string {
	var all []string
	for _, value := range slices.Sorted(maps.Keys(v.to[side])) {
		all = append(all, diagnose.Bare(value))
	}
	if !v.closed {
		all = append(all, "a value of type "+v.types[side.Other()].Describe())
	}
	return diagnose.Either(all)
}

// turnedValues reports whether a table would fit the two enums the other way round, and
// does not as it is: the spoke's value is the key.
func turnedValues(row *v1alpha1.Row, types [2]*schema.Schema) bool {
	if len(row.Values) == 0 || len(types[plan.Spoke].Enum) == 0 || len(types[plan.Hub].Enum) == 0 {
		return false
	}
	fits := func(spoke, hub *schema.Schema) bool {
		for text, value := range row.Values {
			key, err := keyValue(text, spoke)
			if err != nil || diagnose.InEnum(key, spoke) != nil || diagnose.InEnum(schema.Canonical(nil, value.JSON, nil), hub) != nil {
				return false
			}
		}
		return true
	}
	return !fits(types[plan.Spoke], types[plan.Hub]) && fits(types[plan.Hub], types[plan.Spoke])
}

// parseValues reads the tables of a row. It returns every problem at once.
func parseValues(row *v1alpha1.Row, types [2]*schema.Schema) (*values, []error) {
	v := &values{closed: row.Closed, types: types, to: [2]map[string][]byte{{}, {}}}
	var errs []error
	spokesOf := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(row.Values)) {
		spoke, err := keyValue(key, types[plan.Spoke])
		if err != nil {
			errs = append(errs, fmt.Errorf("values: spoke value %s: %w", key, err))
			continue
		}
		hub, err := checked(row.Values[key].JSON, types[plan.Hub])
		if err != nil {
			errs = append(errs, fmt.Errorf("values: hub value %s: %w", row.Values[key].JSON, err))
			continue
		}
		if err := diagnose.InEnum(spoke, types[plan.Spoke]); err != nil {
			errs = append(errs, fmt.Errorf("values: spoke value %s %w", key, err))
		}
		if err := diagnose.InEnum(hub, types[plan.Hub]); err != nil {
			errs = append(errs, fmt.Errorf("values: hub value %s %w", hub, err))
		}
		v.to[plan.Spoke][string(spoke)] = hub
		spokesOf[string(hub)] = append(spokesOf[string(hub)], string(spoke))
	}
	for _, key := range slices.Sorted(maps.Keys(row.Inverse)) {
		hub, err := keyValue(key, types[plan.Hub])
		if err != nil {
			errs = append(errs, fmt.Errorf("inverse: hub value %s: %w", key, err))
			continue
		}
		spoke, err := checked(row.Inverse[key].JSON, types[plan.Spoke])
		if err != nil {
			errs = append(errs, fmt.Errorf("inverse: spoke value %s: %w", row.Inverse[key].JSON, err))
			continue
		}
		if err := diagnose.InEnum(hub, types[plan.Hub]); err != nil {
			errs = append(errs, fmt.Errorf("inverse: hub value %s %w", key, err))
		}
		if err := diagnose.InEnum(spoke, types[plan.Spoke]); err != nil {
			errs = append(errs, fmt.Errorf("inverse: spoke value %s %w", spoke, err))
		}
		if known := spokesOf[string(hub)]; len(known) > 0 && !slices.Contains(known, string(spoke)) && !v.passes(spoke, hub) {
			what := "converts " + string(spoke) + " into another value"
			if _, ok := v.to[plan.Spoke][string(spoke)]; !ok {
				what = "has no entry for " + string(spoke)
			}
			errs = append(errs, fmt.Errorf("inverse: %s becomes %s, but values %s; use one of the values that become %s", hub, spoke, what, hub))
		}
		v.to[plan.Hub][string(hub)] = spoke
	}
	for _, hub := range slices.Sorted(maps.Keys(spokesOf)) {
		if _, said := v.to[plan.Hub][hub]; said {
			continue
		}
		if spokes := spokesOf[hub]; len(spokes) > 1 {
			errs = append(errs, fmt.Errorf("values: %s and %s both become %s; write which of them it becomes on the way back: inverse: {%s: %s}",
				spokes[0], spokes[1], hub, diagnose.Bare(hub), diagnose.Bare(spokes[0])))
			continue
		}
		if slices.ContainsFunc(types[plan.Spoke].Enum, func(e []byte) bool { return string(e) == hub }) && v.passes([]byte(hub), []byte(hub)) {
			errs = append(errs, fmt.Errorf("values: %s becomes %s, and %s is passed unchanged; write which of them it becomes on the way back: inverse: {%s: %s}",
				spokesOf[hub][0], hub, hub, diagnose.Bare(hub), diagnose.Bare(hub)))
			continue
		}
		v.to[plan.Hub][hub] = []byte(spokesOf[hub][0])
	}
	return v, append(errs, v.checkEnums(row)...)
}

// passes tells whether a spoke value that the table does not list becomes the
// hub value, because it passes through.
func (v *values) passes(spoke, hub []byte) bool {
	_, listed := v.to[plan.Spoke][string(spoke)]
	return !v.closed && !listed && bytes.Equal(spoke, hub)
}

// mentions are the values of either side that a row says something of, be it wrong.
func mentions(row *v1alpha1.Row) [2]map[string]bool {
	all := [2]map[string]bool{{}, {}}
	for spoke, hub := range row.Values {
		all[plan.Spoke][spoke] = true
		all[plan.Hub][diagnose.Bare(string(schema.Canonical(nil, hub.JSON, nil)))] = true
	}
	for hub := range row.Inverse {
		all[plan.Hub][hub] = true
	}
	return all
}

// checkEnums finds values that one version allows and that would become a
// value that the other does not. Of those that the row mentions all has been said.
func (v *values) checkEnums(row *v1alpha1.Row) []error {
	if v.closed {
		return nil
	}
	var errs []error
	mentioned := mentions(row)
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		to := v.types[from.Other()]
		if len(to.Enum) == 0 {
			continue
		}
		for _, value := range v.types[from].Enum {
			if _, ok := v.to[from][string(value)]; !ok && !mentioned[from][diagnose.Bare(string(value))] && diagnose.InEnum(value, to) != nil {
				errs = append(errs, fmt.Errorf("the %s value %s is passed unchanged, but is not in the enum of the %s; add an entry for it, or write closed: true to keep it", from, value, from.Other()))
			}
		}
	}
	return errs
}

// keyValue reads a key of a table as a value of the place's type: keys in YAML
// and JSON are texts.
func keyValue(key string, s *schema.Schema) ([]byte, error) {
	if s.Type != "string" {
		var scan jsontext.Scanner
		scan.Reset([]byte(key))
		if _, err := scan.Document(); err == nil && key[0] != '{' && key[0] != '[' && key[0] != '"' && s.Holds([]byte(key)) {
			return schema.Canonical(nil, []byte(key), nil), nil
		}
	}
	quoted := jsontext.Quote(nil, key)
	if !s.Holds(quoted) {
		return nil, fmt.Errorf("the field is of type %s", s.Describe())
	}
	return quoted, nil
}

func checked(value []byte, s *schema.Schema) ([]byte, error) {
	if len(value) == 0 || value[0] == '{' || value[0] == '[' {
		return nil, fmt.Errorf("only single values can be mapped")
	}
	if !s.Holds(value) {
		if remedy := diagnose.InQuotes(value, s, ""); remedy != "" {
			return nil, fmt.Errorf("the field is of type %s; %s", s.Describe(), remedy)
		}
		return nil, fmt.Errorf("the field is of type %s", s.Describe())
	}
	return schema.Canonical(nil, value, nil), nil
}
