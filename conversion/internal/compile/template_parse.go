package compile

import (
	"slices"
	"strings"
)

// holesOf returns the sorted names of the placeholders of a template, as far as it can be parsed.
func holesOf(text string) []string {
	var names []string
	for text != "" {
		if strings.HasPrefix(text, "{{") {
			text = text[2:]
			continue
		}
		end := strings.IndexByte(text, '}')
		if text[0] != '{' || end < 0 {
			text = text[1:]
			continue
		}
		name, _, _ := strings.Cut(text[1:end], "!")
		names, text = append(names, name), text[end+1:]
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// optionalHoles returns the names of the optional placeholders of a template.
func optionalHoles(text string) []string {
	var names []string
	text = strings.NewReplacer("[[", "", "]]", "", "{{", "", "}}", "").Replace(text)
	for {
		_, behind, ok := strings.Cut(text, "[")
		if !ok {
			return names
		}
		part, rest, _ := strings.Cut(behind, "]")
		names, text = append(names, holesOf(part)...), rest
	}
}
