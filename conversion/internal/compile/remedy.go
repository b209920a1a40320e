package compile

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// rowIn says where a row for places of the scope has to stand: in a row for its elements,
// which is written where the table has none.
func (b *builder) rowIn(row string) string {
	for i := len(b.around) - 1; i >= 0; i-- {
		c := b.around[i].c
		if c.w != nil {
			return c.takes(row)
		}
		row = diagnose.Row(c.local, "each: {rows: ["+row+"]}")
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
			c.part, diagnose.Path(path.Path{c.w.Entries.Name}), c.part, rows)
	}
	return fmt.Sprintf("replace keyed with keyed: {key: %s, rows: [%s]}", diagnose.Word(jsontext.Quote(nil, c.w.Keyed.Key)), rows)
}

// impliedRow returns the row for elements that a mapping stands for.
func (c *collection) impliedRow() string {
	r := c.lists[0].rows[0]
	return fmt.Sprintf("{spoke: %s, hub: %s}", r.Spoke.Path, r.Hub.Path)
}

// rowAround returns the innermost row that maps the elements which the scope is about, or nil if
// none does.
func (b *builder) rowAround() *collection {
	for i := len(b.around) - 1; i >= 0; i-- {
		if c := b.around[i].c; c.w != nil {
			return c
		}
	}
	return nil
}
