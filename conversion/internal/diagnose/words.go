package diagnose

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Row returns a row with two fields as an author writes it: {spoke: PATH, hub: PATH, SAYS}.
func Row(at [2]path.Path, says string) string {
	return fmt.Sprintf("{spoke: %s, hub: %s, %s}", Path(at[plan.Spoke]), Path(at[plan.Hub]), says)
}

var plainPath = regexp.MustCompile(`^(\.[A-Za-z_][\w-]*)+$`)

// Path returns a path as an author writes it in braces in YAML. It is in quotes if
// it has a bracket, or if YAML would read a number.
func Path(p path.Path) string {
	text := p.String()
	if text == "." || plainPath.MatchString(text) && !strings.EqualFold(text, ".inf") && !strings.EqualFold(text, ".nan") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// Either returns words as "A, B or C", at most ten of them.
func Either(words []string) string {
	return Series(words, " or ")
}

// Series returns words with commas between them, and with a conjunction before the last, at
// most ten of them.
func Series(words []string, conjunction string) string {
	const most = 10
	if extra := len(words) - most; extra > 0 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d others that the table has", extra))
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + conjunction + words[last]
}

// OnlyOneOf returns what an object must have of the alternatives of a variant: "only one of A and B".
func OnlyOneOf(alternatives []path.Path) string {
	var names []string
	for _, p := range alternatives {
		names = append(names, p.String())
	}
	return "only one of " + Series(names, " and ")
}

// Listed returns words with commas between them.
func Listed[T ~string](words []T) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = string(word)
	}
	return strings.Join(texts, ", ")
}

// Words returns the values of an enum as an author writes them in YAML, without null.
func Words(enum [][]byte) []string {
	var texts []string
	for _, v := range enum {
		if v[0] != 'n' {
			texts = append(texts, Word(v))
		}
	}
	return texts
}

// Word returns a value as an author writes it in YAML. It has quotes if YAML would read another value
// without them.
func Word(v []byte) string {
	text := Bare(string(v))
	switch strings.ToLower(text) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return string(v)
	}
	const letters, digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	if text != "" && (v[0] != '"' && strings.Trim(text, digits) == "" ||
		v[0] == '"' && strings.Trim(text, letters+digits+"_-") == "" && strings.Contains(letters, text[:1])) {
		return text
	}
	return string(v)
}

// InQuotes returns a remedy for a value of a wrong type that would be right as a string. If it would not, it
// returns otherwise.
func InQuotes(value []byte, s *schema.Schema, otherwise string) string {
	if len(value) == 0 || !s.Holds(jsontext.Quote(nil, value)) {
		return otherwise
	}
	switch value[0] {
	case '"', '{', '[', 'n':
		return otherwise
	case 't', 'f':
		return "put the value in quotes; without quotes, true, false, yes, no, on, off, y and n are booleans"
	}
	return "put the value in quotes"
}

// InEnum returns an error if a schema has an enum without the value.
func InEnum(value []byte, s *schema.Schema) error {
	if len(s.Enum) == 0 {
		return nil
	}
	for _, e := range s.Enum {
		if bytes.Equal(e, value) {
			return nil
		}
	}
	meant := ""
	for _, e := range s.Enum {
		if edits.Distance(Bare(string(value)), Bare(string(e))) <= len(Bare(string(e)))/4 {
			meant = fmt.Sprintf("; did you mean %s?", Bare(string(e)))
		}
	}
	return fmt.Errorf("is not in the enum of the field, which is %s%s", bytes.Join(s.Enum, []byte(", ")), meant)
}

// Bare returns a value in canonical form without the quotes of a string.
func Bare(value string) string {
	if len(value) >= 2 && value[0] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}
