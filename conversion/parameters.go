package conversion

import (
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/compile"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// parameters returns the table's parameters that have a valid value.
func (c *compiler) parameters() map[string][]byte {
	values := map[string][]byte{}
	for name, v := range c.table.Spec.Parameters {
		if isName(name) && isJSON(v.JSON) {
			values[name] = v.JSON
		}
	}
	return values
}

// isName reports whether expressions can use the name of a parameter without escapes.
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

// checkParameters reports invalid parameters, and parameters that no row uses. A wrong row may
// be the one that uses it.
func (c *compiler) checkParameters(plans map[string]*compile.Built) {
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
			c.problem("", "use a letter, and then letters and digits", "%q is not a valid name for a parameter", name)
		case !known:
			c.problem("", "write one JSON value", "parameter %s: %q is not JSON", name, c.table.Spec.Parameters[name].JSON)
		case !used && sound:
			c.problem("", "remove it, or use it: {$parameter: "+name+"} for a value, or parameters."+name+" in an expression", "no row uses the parameter %s", name)
		}
	}
}
