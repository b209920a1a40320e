package verify

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

// expanded is a table with the values of its parameters in their places.
func expanded(table *v1alpha1.Crosswalk) *v1alpha1.Crosswalk {
	if len(table.Spec.Parameters) == 0 {
		return table
	}
	text, err := json.Marshal(table)
	if err != nil {
		panic(err) // it has been read from JSON, or made here
	}
	all := string(text)
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(table.Spec.Parameters))) { // p10 before p1
		value := string(table.Spec.Parameters[name].JSON)
		all = strings.ReplaceAll(all, `{"$parameter":"`+name+`"}`, value)
		if strings.HasPrefix(value, `"`) {
			all = strings.ReplaceAll(all, "parameters."+name, "'"+strings.Trim(value, `"`)+"'")
		}
	}
	out := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal([]byte(all), out); err != nil {
		panic(err)
	}
	out.Spec.Parameters = nil
	return out
}
