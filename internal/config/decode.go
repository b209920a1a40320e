package config

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Decode reads a document of another format into a pointer to a struct, as strictly as a
// Crosswalk: unknown fields and wrong types are errors with their line. A type that implements
// json.Unmarshaler accepts anything.
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
