package compile

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// rowIn returns where a row for fields of the scope must be written: in the row for its elements,
// which is printed too if the table has none.
func (b *builder) rowIn(row string) string {
	for i := len(b.around) - 1; i >= 0; i-- {
		c := b.around[i].c
		if c.w != nil {
			return c.withRow(row)
		}
		row = diagnose.Row(c.local, "each: {rows: ["+row+"]}")
	}
	return row
}

// withRow returns how the row of a collection gets a row for its elements.
func (c *collection) withRow(row string) string {
	if c.w.mapping == nil {
		return "add to the row: each: {rows: [" + row + "]}"
	}
	switch name := c.w.mapping.name; name {
	case "wrap", "entries":
		return c.withRows(c.impliedRow() + ", " + row)
	case "where":
		return "add to the rows of its part " + c.part + ": " + row
	case "variant":
		if !c.w.hasCommonRows(c.part) {
			return "add to the rows of its alternative " + c.part + ": " + row
		}
		fallthrough
	default:
		return "add to the rows of " + name + ": " + row
	}
}

// withRows returns how the row of a collection gets rows for its elements instead of the one that
// its mapping implies.
func (c *collection) withRows(rows string) string {
	switch c.w.mapping.name {
	case "wrap":
		return "replace wrap with each: {rows: [" + rows + "]}"
	case "entries":
		return fmt.Sprintf("replace entries with where, in which this part is {place: %s, match: {%s: %s}, rows: [%s]}",
			c.part, diagnose.Path(path.Path{c.w.Entries.Name}), c.part, rows)
	}
	return fmt.Sprintf("replace keyed with keyed: {key: %s, rows: [%s]}", diagnose.Word(jsontext.Quote(nil, c.w.Keyed.Key)), rows)
}

// impliedRow returns the row for elements that a mapping implies.
func (c *collection) impliedRow() string {
	r := c.lists[0].rows[0]
	return fmt.Sprintf("{spoke: %s, hub: %s}", r.Spoke.Path, r.Hub.Path)
}

// rowAround returns the innermost row that maps the elements of the scope, or nil.
func (b *builder) rowAround() *collection {
	for i := len(b.around) - 1; i >= 0; i-- {
		if c := b.around[i].c; c.w != nil {
			return c
		}
	}
	return nil
}
