package compile

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

// sayHow names the mapping that ties two places whose types do not fit, as the
// beginning of a remedy. It is empty where there is none for their types. at are their
// paths, which may tell more, if they are known.
func sayHow(types [2]*schema.Schema, at ...path.Path) string {
	if mapping := fitting(types, at); mapping != "" {
		return "add a mapping that converts one into the other, for example " + mapping + "; or "
	}
	return ""
}

// fitting is the mapping for two types that sayHow names, empty where there is none.
func fitting(types [2]*schema.Schema, at []path.Path) string {
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
		yes, no := truthWords(text)
		if yes == "" && len(text.Enum) == 0 {
			return "boolean: {true: Enabled, false: Disabled} or scalar: {}"
		}
		return ofTruth(yes, no)
	case has("string", "scalar"), has("scalar", "scalar"):
		if len(at) == 2 {
			return counted(types, at)
		}
		return "scalar: {}"
	}
	return ""
}

// counted writes the mapping of two single values: text beside a number that is called
// for a unit of time is most likely a duration.
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

// keyedAs writes the mapping of a list and a map with the fields that the elements of
// the list have.
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

// shape is what matters of a type to the choice of a mapping.
func shape(s *schema.Schema) string {
	switch t := s.Describe(); t {
	case "integer", "number", "int-or-string":
		return "scalar"
	default:
		return t
	}
}

// ofTruth writes the mapping of a boolean and the words for true and false, which may not be known.
func ofTruth(yes, no string) string {
	return fmt.Sprintf("boolean: {true: %s, false: %s}", cmp.Or(yes, "..."), cmp.Or(no, "..."))
}

// truthWords are the words of an enum that stand for true and false, as YAML takes them;
// empty where it has not got both.
func truthWords(text *schema.Schema) (yes, no string) {
	for _, v := range text.Enum {
		switch text := strings.ToLower(bare(string(v))); text {
		case "true", "t", "1", "yes", "on", "enabled":
			yes = word(v)
		case "false", "f", "0", "no", "off", "disabled":
			no = word(v)
		}
	}
	if yes == "" || no == "" {
		return "", ""
	}
	return yes, no
}
