package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Function computes the places of the other side from those of one, by their names.
type Function func(from plan.Side, in map[string]json.RawMessage) (map[string]json.RawMessage, error)

// called computes with a Go function.
type called struct {
	function Function
	names    [2][]string
	schemas  [2][]*schema.Schema
}

var errPanic = errors.New("the function panicked")

func (c *called) Compute(scratch []byte, from plan.Side, in, out [][]byte, _ *uint64) (_ []byte, err error) {
	defer func() {
		if recover() != nil {
			clear(out)
			err = errPanic // what it says may hold anything
		}
	}()
	given := map[string]json.RawMessage{}
	for i, name := range c.names[from] {
		if in[i] != nil {
			given[name] = append(json.RawMessage(nil), in[i]...)
		}
	}
	made, err := c.function(from, given)
	if err != nil {
		return scratch, err
	}
	known := 0
	for i, name := range c.names[from.Other()] {
		text, there := made[name]
		if !there {
			continue
		}
		known++
		if text == nil {
			continue
		}
		of := c.schemas[from.Other()][i]
		if err := standing(text, of); err != nil {
			return scratch, fmt.Errorf("the value that it returns for %q is not valid there: %w", name, err)
		}
		start := len(scratch)
		if scratch = schema.Canonical(scratch, text, nil); scratch[start] == 'n' && !of.Nullable {
			continue // null is as good as nothing
		}
		out[i] = scratch[start:len(scratch):len(scratch)]
	}
	if known < len(made) {
		return scratch, errors.New("it returns values for fields that the row does not name")
	}
	return scratch, nil
}

// standing says why a text is no value that can stand at a place, all the way down.
func standing(text []byte, s *schema.Schema) error {
	var scan jsontext.Scanner
	scan.Reset(text)
	span, err := scan.Document()
	if err != nil {
		return err
	}
	if text = span.Bytes(text); text[0] == 'n' {
		return nil
	}
	return within(text, s)
}

func within(text []byte, s *schema.Schema) error {
	if s == nil {
		s = schema.Any()
	}
	if !s.Holds(text) {
		return fmt.Errorf("it is not of type %s", s.Describe())
	}
	var scan jsontext.Scanner
	scan.Reset(text)
	switch text[0] {
	case '[':
		for a := scan.Array(0); ; {
			ok, err := a.Next()
			if err != nil || !ok {
				return err
			}
			if a.End, err = scan.Value(a.Value, 0); err == nil {
				err = within(text[a.Value:a.End], s.Items)
			}
			if err != nil {
				return err
			}
		}
	case '{':
		for o := scan.Object(0); ; {
			name, ok, err := o.Next()
			if err != nil || !ok {
				return err
			}
			member := string(jsontext.Unquote(nil, name.Bytes(text)))
			of := s.Member(member)
			if of == nil {
				return fmt.Errorf("the schema has no field %s", member)
			}
			if o.End, err = scan.Value(o.Value, 0); err == nil {
				err = within(text[o.Value:o.End], of)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) checkFunc(w *written) {
	if w.Default != nil {
		b.problem(w, "remove default", "func: the row has a default, but the function itself must handle absent fields")
	}
}

func (b *builder) funcRow(w *written, r *plan.Row) bool {
	if b.leadsInto(w) {
		return false
	}
	f, known := b.functions[w.Func]
	if !known {
		names := slices.Sorted(maps.Keys(b.functions))
		has, remedy := "has no functions", "use a build of crosswalk that registers it; docs/go.md shows how to make one"
		if len(names) > 0 {
			has, remedy = "has "+diagnose.Listed(names), "use one of these, or a build of crosswalk that registers it; see docs/go.md"
		}
		for _, name := range names {
			if edits.Distance(w.Func, name) <= max(1, len(name)/3) {
				remedy = "did you mean " + name + "?"
			}
		}
		b.problem(w, remedy, "func: this program does not have the Go function %s; it %s", w.Func, has)
		return false
	}
	r.Kind, r.Computer = plan.Compute, &called{function: f, names: w.names, schemas: w.schemas}
	for side := range r.Needs {
		r.Needs[side] = "a value that the function " + w.Func + " can convert"
	}
	b.checkSecrets(w, r.Reads)
	return true
}
