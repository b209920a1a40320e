package v1alpha1_test

import "testing"

// Inner finds the rows for elements of every mapping that has any.
func TestInner(t *testing.T) {
	var found, tables []string
	for _, row := range decode(t).Spec.Versions[0].Rows {
		if mapping, rows := row.Inner(); rows != nil {
			if table := row.InnerTable(); table != "" {
				tables = append(tables, mapping)
				continue
			}
			found = append(found, mapping)
			if len(*rows) == 0 {
				t.Errorf("%s has no rows", mapping)
			}
		}
	}
	if len(found) != 3 || len(tables) != 2 {
		t.Errorf("found %q, with tables %q", found, tables)
	}
}
