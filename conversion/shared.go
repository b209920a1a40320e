package conversion

import (
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// checkShared reports shared tables that no version uses, and names that both a version and the
// shared tables have. written is the table before each version got its shared tables.
func (c *compiler) checkShared(written *v1alpha1.Crosswalk) {
	for _, name := range slices.Sorted(maps.Keys(written.Spec.Tables)) {
		has := func(v v1alpha1.VersionTable) bool {
			_, has := v.Tables[name]
			return has
		}
		if !slices.ContainsFunc(c.table.Spec.Versions, has) {
			c.problem("", "remove it, or use it: {spoke: ..., hub: ..., table: "+name+"}, or each: {table: "+name+"}", "no row of any version uses the table %s", name)
		}
		for _, v := range written.Spec.Versions {
			if has(v) {
				c.problem(v.Name, "remove one, or give it another name", "both the version and spec.tables have a table %s", name)
			}
		}
	}
}

// share adds to the tables of a version the shared tables that its rows use.
func share(v *v1alpha1.VersionTable, shared map[string][]v1alpha1.Row) {
	own := maps.Clone(v.Tables)
	var use func(rows []v1alpha1.Row)
	take := func(name string) {
		rows, known := shared[name]
		if _, has := v.Tables[name]; has || !known {
			return
		}
		if v.Tables == nil {
			v.Tables = map[string][]v1alpha1.Row{}
		}
		v.Tables[name] = rows
		use(rows)
	}
	use = func(rows []v1alpha1.Row) {
		for i := range rows {
			take(rows[i].Table)
			for _, inner := range rows[i].Inner() {
				take(inner.Table)
				use(*inner.Rows)
			}
		}
	}
	use(v.Rows)
	for _, name := range slices.Sorted(maps.Keys(own)) {
		use(own[name])
	}
}
