package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
)

// RowRef names a row of a table in the same words as the compiler's messages.
type RowRef struct {
	// Version is the spoke.
	Version string
	// Title is for example "row 3", "row 4, each row 1" or "table route row 2".
	Title string
	// Spoke and Hub are the fields that the row names, or "".
	Spoke, Hub string
}

// String names the row and its places.
func (r RowRef) String() string {
	if r.Spoke == "" || r.Hub == "" {
		return fmt.Sprintf("%s %s (%s)", r.Version, r.Title, r.Spoke+r.Hub)
	}
	return fmt.Sprintf("%s %s (%s <-> %s)", r.Version, r.Title, r.Spoke, r.Hub)
}

// listedRow is a row with its reference.
type listedRow struct {
	ref   RowRef
	row   v1alpha1.Row
	table *v1alpha1.VersionTable
}

// listedRows returns the rows of one list. before is what their titles begin with, before the
// number.
func listedRows(table *v1alpha1.VersionTable, before string, rows []v1alpha1.Row) []listedRow {
	var out []listedRow
	for i, r := range rows {
		out = append(out, listedRow{
			ref:   RowRef{Version: table.Name, Title: fmt.Sprintf("%srow %d", before, i+1), Spoke: placeText(r.Spoke), Hub: placeText(r.Hub)},
			row:   r,
			table: table,
		})
	}
	return out
}

// pathsOf returns the paths of a place, in the order of their names.
func pathsOf(p *v1alpha1.Place) []string {
	switch {
	case p == nil:
		return nil
	case p.Named == nil:
		return []string{p.Path}
	}
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(p.Named)) {
		paths = append(paths, p.Named[name])
	}
	return paths
}

func placeText(p *v1alpha1.Place) string {
	return strings.Join(pathsOf(p), ", ")
}

// own returns the rows for elements that are written in the row itself.
func (l listedRow) own() []listedRow {
	var all []listedRow
	for _, inner := range l.row.Inner() {
		all = append(all, listedRows(l.table, l.ref.Title+", "+inner.Mapping+" ", *inner.Rows)...)
	}
	return all
}

// elements returns all rows for the elements of what the row maps.
func (l listedRow) elements() []listedRow {
	all := l.own()
	for _, inner := range l.row.Inner() {
		all = append(all, l.named(inner.Table)...)
	}
	return all
}

// parts returns the rows for the parts of objects that the row maps.
func (l listedRow) parts() []listedRow { return l.named(l.row.Table) }

func (l listedRow) named(table string) []listedRow {
	if table == "" {
		return nil
	}
	return listedRows(l.table, "table "+table+" ", l.table.Tables[table])
}

// in returns the row's places on the side of a version.
func (l listedRow) in(version string) []places.Pattern {
	if version == l.table.Name {
		return places.Of(nil, l.row.Spoke)
	}
	return places.Of(nil, l.row.Hub)
}
