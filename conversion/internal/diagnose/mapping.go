package diagnose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
)

// AddMapping returns the beginning of a remedy for two fields whose types do not fit: "add a mapping that ...".
// It returns "" if there is no mapping for the types. The names in their paths may tell more, if at has them.
func AddMapping(types [2]*schema.Schema, at ...path.Path) string {
	if mapping := MappingFor(types, at); mapping != "" {
		return "add a mapping that converts one into the other, for example " + mapping + "; or "
	}
	return ""
}

// MappingFor returns a mapping for two types as an author writes it, or "".
func MappingFor(types [2]*schema.Schema, at []path.Path) string {
	has := func(what ...string) bool {
		a, b := shape(types[plan.Spoke]), shape(types[plan.Hub])
		return a == what[0] && b == what[1] || a == what[1] && b == what[0]
	}
	switch {
	case has("list", "map"):
		return keyedAs(types)
	case has("list", "string"):
		return `join: {separator: ","} or single: {}`
	case has("list", "object"), has("list", "scalar"):
		return "single: {}"
	case has("string", "map"), has("string", "object"):
		return "text: yaml"
	case has("boolean", "object"), has("boolean", "map"):
		side := plan.Spoke
		if types[plan.Spoke].Type == "boolean" {
			side = plan.Hub
		}
		return "boolean: {presence: " + side.String() + "}"
	case has("string", "boolean"):
		text := types[plan.Spoke]
		if text.Type != "string" {
			text = types[plan.Hub]
		}
		yes, no := TruthWords(text)
		if yes == "" && len(text.Enum) == 0 {
			return "boolean: {true: Enabled, false: Disabled} or scalar: {}"
		}
		return Boolean(yes, no)
	case has("string", "scalar"), has("scalar", "scalar"):
		if len(at) == 2 {
			return counted(types, at)
		}
		return "scalar: {}"
	}
	return ""
}

// counted returns the mapping of two single values. If one is a string and the other is named after a
// unit of time, the string is most likely a duration.
func counted(types [2]*schema.Schema, at []path.Path) string {
	for _, side := range [...]plan.Side{plan.Spoke, plan.Hub} {
		name, text := at[side], types[side.Other()]
		if len(name) == 0 || text.Type != "string" {
			continue
		}
		for _, unit := range [...][2]string{{"milliseconds", "ms"}, {"millis", "ms"}, {"seconds", "s"}, {"secs", "s"}, {"minutes", "m"}, {"hours", "h"}, {"days", "d"}} {
			if strings.HasSuffix(strings.ToLower(name[len(name)-1]), unit[0]) {
				return fmt.Sprintf("scalar: {%s: duration, unit: %s}", side.Other(), unit[1])
			}
		}
	}
	return "scalar: {}"
}

// keyedAs returns the mapping of a list and a map with the fields of the list's elements.
func keyedAs(types [2]*schema.Schema) string {
	list, dict := types[plan.Spoke], types[plan.Hub]
	if list.Type != "array" {
		list, dict = dict, list
	}
	if list.Items == nil || len(list.Items.Members) == 0 {
		return "keyed: {key: name}"
	}
	single := func(name string) bool {
		s := list.Items.Member(name)
		return s != nil && s.Type != "object" && s.Type != "array"
	}
	first := func(names ...string) string {
		at := slices.IndexFunc(names, single)
		if at < 0 {
			return ""
		}
		return names[at]
	}
	names := slices.Sorted(maps.Keys(list.Items.Members))
	key := first(slices.Concat(list.Keys, []string{"name", "key"}, names)...)
	if key == "" {
		return "keyed: {key: name}"
	}
	others := slices.DeleteFunc(names, func(name string) bool { return name == key })
	value := first(slices.Concat([]string{"value"}, others)...)
	if dict.Values == nil || dict.Values.IsObject() || dict.Values.Type == "array" || value == "" {
		return "keyed: {key: " + key + "}"
	}
	return "keyed: {key: " + key + ", value: " + value + "}"
}

// shape returns what the choice of a mapping depends on.
func shape(s *schema.Schema) string {
	switch t := s.Describe(); t {
	case "integer", "number", "int-or-string":
		return "scalar"
	default:
		return t
	}
}

// Boolean returns the mapping of a boolean with the words for true and false, which may be "".
func Boolean(yes, no string) string {
	return fmt.Sprintf("boolean: {true: %s, false: %s}", cmp.Or(yes, "..."), cmp.Or(no, "..."))
}

// TruthWords returns the values of an enum that mean true and false, as an author writes them in YAML. It
// returns "" twice if one of them is missing.
func TruthWords(text *schema.Schema) (yes, no string) {
	for _, v := range text.Enum {
		switch text := strings.ToLower(Bare(string(v))); text {
		case "true", "t", "1", "yes", "on", "enabled":
			yes = Word(v)
		case "false", "f", "0", "no", "off", "disabled":
			no = Word(v)
		}
	}
	if yes == "" || no == "" {
		return "", ""
	}
	return yes, no
}
