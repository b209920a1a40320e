package conversion

import (
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// parameters are the table's static values that are values.
func (c *compiler) parameters() map[string][]byte {
	values := map[string][]byte{}
	for name, v := range c.table.Spec.Parameters {
		if isName(name) && isJSON(v.JSON) {
			values[name] = v.JSON
		}
	}
	return values
}

// isName reports whether expressions can use the name of a parameter as it is.
func isName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return name != "" && strings.Trim(name, letters+"0123456789") == "" && strings.Contains(letters, name[:1])
}

func isJSON(text []byte) bool {
	var scan jsontext.Scanner
	scan.Reset(text)
	span, err := scan.Document()
	return err == nil && len(span.Bytes(text)) == len(text)
}

// checkParameters reports parameters that are none, and those that no row uses. A
// row that is wrong may be the one that does.
func (c *compiler) checkParameters(plans map[string]*plan.Plan) {
	values := c.parameters()
	sound := len(c.problems) == 0
	for _, name := range slices.Sorted(maps.Keys(c.table.Spec.Parameters)) {
		_, known := values[name]
		used := false
		for _, p := range plans {
			used = used || slices.Contains(p.Parameters(), name)
		}
		switch {
		case !isName(name):
			c.problem("", "use letters and digits, a letter first", "a parameter cannot be named %q", name)
		case !known:
			c.problem("", "write one JSON value", "parameter %s: %q is not JSON", name, c.table.Spec.Parameters[name].JSON)
		case !used && sound:
			c.problem("", "remove it, or use it: {$parameter: "+name+"} for a value, or parameters."+name+" in an expression", "no row uses the parameter %s", name)
		}
	}
}
