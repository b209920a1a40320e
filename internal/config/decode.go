package config

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Decode reads a document of a format of its own into a pointer to a struct, as
// strictly as a Crosswalk: what its type does not know, or has as another type, is an
// error with its line. What implements json.Unmarshaler takes anything.
func Decode(node *manifest.Node, source Source, into any) Errors {
	var c checker
	c.check("", node, reflect.TypeOf(into))
	var errs Errors
	for _, p := range c.problems {
		at := source
		at.Line = p.line
		errs = append(errs, at.fail(p.err))
	}
	if len(errs) > 0 {
		return errs
	}
	if err := json.Unmarshal(node.AppendJSON(nil), into); err != nil {
		return Errors{source.fail(fmt.Errorf("the document cannot be read: %w", err))}
	}
	return nil
}
