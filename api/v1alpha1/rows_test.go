package v1alpha1_test

import (
	"slices"
	"testing"
)

// Inner finds the rows for elements of every mapping that has any.
func TestInner(t *testing.T) {
	var found, tables []string
	for _, row := range decode(t).Spec.Versions[0].Rows {
		for _, inner := range row.Inner() {
			if inner.Table != "" {
				tables = append(tables, inner.Field)
				continue
			}
			found = append(found, inner.Field)
			if len(*inner.Rows) == 0 {
				t.Errorf("%s has no rows", inner.Mapping)
			}
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, []string{".each", ".keyed", ".single", ".where[0]"}) || len(tables) != 3 {
		t.Errorf("found %q, with tables %q", found, tables)
	}
}
