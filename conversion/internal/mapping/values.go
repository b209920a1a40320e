package mapping

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

// Values converts single values by a table.
type Values struct {
	// To has, for the side that is read, the value of the other side for each value. All are JSON in
	// canonical form.
	To [2]map[string][]byte
	// Closed says that a value that is not in To can't be mapped. Otherwise it stays the same.
	Closed bool
	Types  [2]*schema.Schema
}

// Convert implements [plan.Mapping].
func (v *Values) Convert(scratch []byte, from plan.Side, in, out [][]byte) ([]byte, bool) {
	text := in[0]
	if text == nil {
		out[0] = nil
		return scratch, true
	}
	if to, ok := v.To[from][string(text)]; ok {
		out[0] = to
		return scratch, true
	}
	if text[0] != 'n' && text[0] != '{' && text[0] != '[' {
		start := len(scratch)
		scratch = schema.Canonical(scratch, text, nil)
		to, ok := v.To[from][string(scratch[start:])]
		scratch = scratch[:start]
		if ok {
			out[0] = to
			return scratch, true
		}
		if v.Closed {
			return scratch, false
		}
	}
	if !v.Types[from.Other()].Holds(text) {
		return scratch, false
	}
	out[0] = text
	return scratch, true
}

// Needs returns which values of a side can be mapped.
func (v *Values) Needs(side plan.Side) string {
	var all []string
	for _, value := range slices.Sorted(maps.Keys(v.To[side])) {
		all = append(all, diagnose.Bare(value))
	}
	if !v.Closed {
		all = append(all, "a value of type "+v.Types[side.Other()].Describe())
	}
	return diagnose.Either(all)
}

// ParseValues returns the mapping of a row, or all errors in it.
func ParseValues(row *v1alpha1.Row, types [2]*schema.Schema) (*Values, []error) {
	v := &Values{Closed: row.Closed, Types: types, To: [2]map[string][]byte{{}, {}}}
	var errs []error
	spokesOf := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(row.Values)) {
		spoke, err := KeyValue(key, types[plan.Spoke])
		if err != nil {
			errs = append(errs, fmt.Errorf("values: spoke value %s: %w", key, err))
			continue
		}
		hub, err := Checked(row.Values[key].JSON, types[plan.Hub])
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
		v.To[plan.Spoke][string(spoke)] = hub
		spokesOf[string(hub)] = append(spokesOf[string(hub)], string(spoke))
	}
	for _, key := range slices.Sorted(maps.Keys(row.Inverse)) {
		hub, err := KeyValue(key, types[plan.Hub])
		if err != nil {
			errs = append(errs, fmt.Errorf("inverse: hub value %s: %w", key, err))
			continue
		}
		spoke, err := Checked(row.Inverse[key].JSON, types[plan.Spoke])
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
			if _, ok := v.To[plan.Spoke][string(spoke)]; !ok {
				what = "has no entry for " + string(spoke)
			}
			errs = append(errs, fmt.Errorf("inverse: %s becomes %s, but values %s; use one of the values that become %s", hub, spoke, what, hub))
		}
		v.To[plan.Hub][string(hub)] = spoke
	}
	for _, hub := range slices.Sorted(maps.Keys(spokesOf)) {
		if _, known := v.To[plan.Hub][hub]; known {
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
		v.To[plan.Hub][hub] = []byte(spokesOf[hub][0])
	}
	return v, append(errs, v.checkEnums(row)...)
}

// passes reports whether a value of the spoke is not in the table, and so becomes the value of the hub.
func (v *Values) passes(spoke, hub []byte) bool {
	_, listed := v.To[plan.Spoke][string(spoke)]
	return !v.Closed && !listed && bytes.Equal(spoke, hub)
}

// mentions returns the values of either side that a row has, even if they are wrong.
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

// checkEnums returns errors for values that one version allows and that would become a
// value that the other does not, except for those that the row has.
func (v *Values) checkEnums(row *v1alpha1.Row) []error {
	if v.Closed {
		return nil
	}
	var errs []error
	mentioned := mentions(row)
	for _, from := range [...]plan.Side{plan.Spoke, plan.Hub} {
		to := v.Types[from.Other()]
		if len(to.Enum) == 0 {
			continue
		}
		for _, value := range v.Types[from].Enum {
			if _, ok := v.To[from][string(value)]; !ok && !mentioned[from][diagnose.Bare(string(value))] && diagnose.InEnum(value, to) != nil {
				errs = append(errs, fmt.Errorf("the %s value %s is passed unchanged, but is not in the enum of the %s; add an entry for it, or write closed: true to keep it", from, value, from.Other()))
			}
		}
	}
	return errs
}

// KeyValue returns the value for a key of the table, in the type of its field: keys in YAML and JSON are strings.
func KeyValue(key string, s *schema.Schema) ([]byte, error) {
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

// Checked returns a value in canonical form, or an error if a field can't have it.
func Checked(value []byte, s *schema.Schema) ([]byte, error) {
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
