package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// rowList is a list of rows of a table: those of a version, those for the elements of a row, or a
// named table.
type rowList struct {
	rows []v1alpha1.Row
	// title is what the titles of its rows begin with.
	title string
	// prefix are the objects that the paths of the rows start at, or nil if that is the scope
	// itself.
	prefix [2]path.Path
	// again says that it is a named table that is used within itself.
	again bool
	// within are the named tables that the list is in, including itself.
	within []string
	// implied says that a mapping implies the rows: they are not written in the table.
	implied bool
}

// scopeAround is a scope of elements around another.
type scopeAround struct {
	c     *collection
	scope *plan.Scope
}

// writtenRows returns the rows of lists, and those of the tables that they use for objects.
func (b *builder) writtenRows(lists []rowList, schemas [2]*schema.Schema) []*writtenRow {
	var all []*writtenRow
	for _, list := range lists {
		for i := range list.rows {
			w := &writtenRow{Row: *list.rows[i].DeepCopy(), title: fmt.Sprintf("%srow %d", list.title, i+1), index: plan.None, again: list.again, within: list.within, prefix: list.prefix, implied: list.implied}
			for side, prefix := range list.prefix {
				addPrefix(w.side(plan.Side(side)), prefix)
			}
			w.broken = !b.fillIn(w)
			all = append(all, w)
			if w.Table == "" || w.Spoke == nil || w.Hub == nil || w.Spoke.Named != nil || w.Hub.Named != nil {
				continue
			}
			named, ok := b.findTable(w, w.Table)
			if !ok {
				continue
			}
			used := diagnose.Use{Table: w.Table}
			for side, place := range [2]*v1alpha1.Place{w.Spoke, w.Hub} {
				named.prefix[side], _ = path.Parse(place.Path)
				used.Place[side] = b.fullPath(plan.Side(side), named.prefix[side])
			}
			b.uses = append(b.uses, used)
			if named.again {
				spoke, hub := schemas[plan.Spoke].At(named.prefix[plan.Spoke]), schemas[plan.Hub].At(named.prefix[plan.Hub])
				if spoke == nil || hub == nil {
					continue // it ends here
				}
				if spoke.IsAny() && hub.IsAny() {
					b.problem(w, "use it within a list or map, or add a schema there",
						"table %s contains itself without an end, because %s allows any value", w.Table, w.Spoke.Path)
					continue
				}
			}
			all = append(all, b.writtenRows([]rowList{named}, schemas)...)
		}
	}
	return all
}

// addPrefix puts a prefix before the paths of a place.
func addPrefix(p *v1alpha1.Place, prefix path.Path) {
	if p == nil || len(prefix) == 0 {
		return
	}
	join := func(text string) string {
		if text == "." {
			return prefix.String()
		}
		return prefix.String() + text
	}
	if p.Named == nil {
		p.Path = join(p.Path)
		return
	}
	for name, text := range p.Named {
		p.Named[name] = join(text)
	}
}

// innerLists returns the lists of rows for the elements of a row.
func (b *builder) innerLists(w *writtenRow) []rowList {
	return b.rowsOf(w, w.Inner()[0])
}

// rowsOf returns the lists of rows for some of the elements of a row.
func (b *builder) rowsOf(w *writtenRow, i v1alpha1.Inner) []rowList {
	lists := []rowList{{rows: *i.Rows, title: w.title + ", " + i.Mapping + " ", within: w.within, again: w.again}}
	if i.Table != "" {
		if named, ok := b.findTable(w, i.Table); ok {
			lists = append(lists, named)
		}
	}
	return lists
}

// findTable finds a named table, or reports that it does not exist.
func (b *builder) findTable(w *writtenRow, name string) (rowList, bool) {
	rows, ok := b.tables[name]
	if !ok {
		remedy := "there are no tables; write the rows in tables: {" + name + ": [...]} beside the rows of the version"
		if names := slices.Sorted(maps.Keys(b.tables)); len(names) > 0 {
			remedy = "use one of " + diagnose.Listed(names)
			for _, known := range names {
				if edits.Distance(name, known) <= max(1, len(name)/3) {
					remedy = "did you mean " + known + "?"
				}
			}
		}
		for known := range b.tables {
			b.found.used[known] = true // the author may have meant it
		}
		b.problem(w, remedy, "%s has no table %s", b.versions[plan.Spoke], name)
		return rowList{}, false
	}
	b.found.used[name] = true
	return rowList{
		rows: rows, title: "table " + name + " ", again: slices.Contains(w.within, name),
		within: append(w.within[:len(w.within):len(w.within)], name),
	}, true
}

// sameScopeAround finds the scope around a collection that is the same as its own, if a table is used within
// itself and any value is valid there.
func (b *builder) sameScopeAround(c *collection) *plan.Scope {
	if c.table == "" {
		return nil
	}
	// Below the end of the schemas, all fields for anything are the same, at every depth.
	same := func(a, b *schema.Schema) bool { return a == b || a.IsAny() && b.IsAny() }
	for _, e := range b.around {
		o := e.c
		if o.table == c.table && o.forms == c.forms && o.naming.Same(c.naming) && o.part == c.part && (c.part == "" || o.w.title == c.w.title) && same(o.elements[plan.Spoke], c.elements[plan.Spoke]) && same(o.elements[plan.Hub], c.elements[plan.Hub]) &&
			slices.Equal(o.keys.all(), c.keys.all()) && slices.Equal(titles(o.lists), titles(c.lists)) {
			return e.scope
		}
	}
	return nil
}

func titles(lists []rowList) []string {
	var all []string
	for _, l := range lists {
		if len(l.rows) > 0 {
			all = append(all, l.title)
		}
	}
	return all
}

// checkUsed reports tables that no row uses, because nothing in them has been checked.
func (b *builder) checkUsed() {
	for _, name := range slices.Sorted(maps.Keys(b.tables)) {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" || name == "" {
			b.plain("use letters, digits and hyphens", "%q is not a valid name for a table", name)
			continue
		}
		if !b.found.used[name] {
			b.plain("remove it, or use it: {spoke: ..., hub: ..., table: "+name+"}, or each: {table: "+name+"}", "no row uses the table %s", name)
		}
	}
}
