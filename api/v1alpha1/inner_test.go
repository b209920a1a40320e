package v1alpha1_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
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
	if !slices.Equal(found, []string{".each", ".keyed", ".single", ".variant", ".where[0]"}) || len(tables) != 4 {
		t.Errorf("found %q, with tables %q", found, tables)
	}
}

// EachValue visits every value that a row can state.
func TestEachValue(t *testing.T) {
	visited := map[string]bool{}
	for _, row := range decode(t).Spec.Versions[0].Rows {
		row.EachValue(func(what string, v *v1alpha1.Value) {
			visited[strings.Fields(what)[0]] = true
			v.JSON = []byte(`"changed"`)
		})
		text, err := json.Marshal(row.Values)
		if err != nil || len(row.Values) > 0 && strings.Count(string(text), "changed") != len(row.Values) {
			t.Errorf("values are %s after a change, %v", text, err)
		}
	}
	if got := slices.Sorted(maps.Keys(visited)); !slices.Equal(got, []string{"boolean", "constant", "default", "inverse", "match", "values"}) {
		t.Errorf("visited %q", got)
	}
}
