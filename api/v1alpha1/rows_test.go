package v1alpha1_test

import "testing"

// Inner finds the rows for elements of every mapping that has any.
func TestInner(t *testing.T) {
	var found []string
	for _, row := range decode(t).Spec.Versions[0].Rows {
		if mapping, rows := row.Inner(); rows != nil {
			found = append(found, mapping)
			if len(*rows) == 0 {
				t.Errorf("%s has no rows", mapping)
			}
		}
	}
	if len(found) != 3 {
		t.Errorf("found %q", found)
	}
}
