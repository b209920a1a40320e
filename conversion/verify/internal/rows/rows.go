// Package rows walks through the rows of tables, for those who change tables.
package rows

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// EachList calls f for every list of rows of a table: of each version, of the rows inside its rows,
// and of its named tables. f may change the list.
func EachList(table *v1alpha1.Crosswalk, f func(rows *[]v1alpha1.Row)) {
	var walk func(rows *[]v1alpha1.Row)
	walk = func(rows *[]v1alpha1.Row) {
		f(rows)
		for i := range *rows {
			for _, inner := range (*rows)[i].Inner() {
				walk(inner.Rows)
			}
		}
	}
	for i := range table.Spec.Versions {
		v := &table.Spec.Versions[i]
		walk(&v.Rows)
		for _, name := range slices.Sorted(maps.Keys(v.Tables)) {
			rows := v.Tables[name]
			walk(&rows)
			v.Tables[name] = rows
		}
	}
}

// Each calls f for every row of a table. f may change the row.
func Each(table *v1alpha1.Crosswalk, f func(*v1alpha1.Row)) {
	EachList(table, func(rows *[]v1alpha1.Row) {
		for i := range *rows {
			f(&(*rows)[i])
		}
	})
}

// Count returns the number of all rows, nested ones too.
func Count(table *v1alpha1.Crosswalk) int { return Remove(table.DeepCopy(), -1) }

// Remove removes the nth row, with the rows inside it, and returns how many rows there were. A row
// has a lower number than those inside it.
func Remove(table *v1alpha1.Crosswalk, nth int) int {
	i := 0
	filter(table, func(v1alpha1.Row) bool { i++; return i-1 != nth })
	return i
}

// Texts returns each row as JSON, in the order of the numbers of Remove.
func Texts(table *v1alpha1.Crosswalk) []string {
	var out []string
	filter(table.DeepCopy(), func(r v1alpha1.Row) bool {
		text, err := json.Marshal(r)
		if err != nil {
			panic(err) // the row was read from JSON
		}
		out = append(out, string(text))
		return true
	})
	return out
}

// filter keeps the rows for which keep returns true. It asks for a row before those inside it.
func filter(table *v1alpha1.Crosswalk, keep func(v1alpha1.Row) bool) {
	var walk func(rows []v1alpha1.Row) []v1alpha1.Row
	walk = func(rows []v1alpha1.Row) []v1alpha1.Row {
		var out []v1alpha1.Row
		for _, r := range rows {
			kept := keep(r)
			for _, inner := range r.Inner() {
				*inner.Rows = walk(*inner.Rows)
			}
			if kept {
				out = append(out, r)
			}
		}
		return out
	}
	for v := range table.Spec.Versions {
		table.Spec.Versions[v].Rows = walk(table.Spec.Versions[v].Rows)
		for _, name := range slices.Sorted(maps.Keys(table.Spec.Versions[v].Tables)) {
			table.Spec.Versions[v].Tables[name] = walk(table.Spec.Versions[v].Tables[name])
		}
	}
}
