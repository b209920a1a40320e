package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// pairText is a row as an author has to write it, in braces as YAML takes it.
func pairText(at [2]path.Path, says string) string {
	return fmt.Sprintf("{spoke: %s, hub: %s, %s}", pathText(at[plan.Spoke]), pathText(at[plan.Hub]), says)
}

var plainPath = regexp.MustCompile(`^(\.[A-Za-z_][\w-]*)+$`)

// pathText is a path as it has to be written within the braces of YAML: in quotes where
// it holds a bracket, or where YAML would read a number.
func pathText(p path.Path) string {
	text := p.String()
	if text == "." || plainPath.MatchString(text) && !strings.EqualFold(text, ".inf") && !strings.EqualFold(text, ".nan") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// rowIn says where a row for places of the scope has to stand: in a row for its elements,
// which is written where the table has none.
func (b *builder) rowIn(row string) string {
	for i := len(b.around) - 1; i >= 0; i-- {
		c := b.around[i].c
		if c.w != nil {
			return c.takes(row)
		}
		row = pairText(c.local, "each: {rows: ["+row+"]}")
	}
	return row
}

// takes says how the row of a collection comes to have a row for its elements.
func (c *collection) takes(row string) string {
	if c.w.mapping == nil {
		return "add to the row: each: {rows: [" + row + "]}"
	}
	switch name := c.w.mapping.name; name {
	case "wrap", "entries":
		return c.instead(c.impliedRow() + ", " + row)
	case "where":
		return "add to the rows of its part " + c.part + ": " + row
	case "variant":
		if !c.w.common(c.part) {
			return "add to the rows of its alternative " + c.part + ": " + row
		}
		fallthrough
	default:
		return "add to the rows of " + name + ": " + row
	}
}

// instead says how the row of a collection comes to have rows for its elements in place
// of the one that its mapping stands for.
func (c *collection) instead(rows string) string {
	switch c.w.mapping.name {
	case "wrap":
		return "replace wrap with each: {rows: [" + rows + "]}"
	case "entries":
		return fmt.Sprintf("replace entries with where, in which this part is {place: %s, match: {%s: %s}, rows: [%s]}",
			c.part, pathText(path.Path{c.w.Entries.Name}), c.part, rows)
	}
	return fmt.Sprintf("replace keyed with keyed: {key: %s, rows: [%s]}", word(jsontext.Quote(nil, c.w.Keyed.Key)), rows)
}

// impliedRow is the row for elements that a mapping stands for.
func (c *collection) impliedRow() string {
	r := c.lists[0].rows[0]
	return fmt.Sprintf("{spoke: %s, hub: %s}", r.Spoke.Path, r.Hub.Path)
}

// rowAround is the innermost row that ties the elements which the scope is about, nil
// where none does.
func (b *builder) rowAround() *collection {
	for i := len(b.around) - 1; i >= 0; i-- {
		if c := b.around[i].c; c.w != nil {
			return c
		}
	}
	return nil
}

// either returns words as "A, B or C", at most ten of them.
func either(words []string) string {
	return series(words, " or ")
}

// series returns words with commas between them, and with a conjunction before the last, at
// most ten of them.
func series(words []string, conjunction string) string {
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

// onlyOneOf returns what an object must have of the alternatives of a variant.
func onlyOneOf(alternatives []path.Path) string {
	var names []string
	for _, p := range alternatives {
		names = append(names, p.String())
	}
	return "only one of " + series(names, " and ")
}
