package mapping

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Function computes fields of the other side from those of side from, by the names that they have in the row.
type Function func(from plan.Side, in map[string]json.RawMessage) (map[string]json.RawMessage, error)

// Func computes fields by a function in Go.
type Func struct {
	Function Function
	// Names and Schemas are those of the fields of either side.
	Names   [2][]string
	Schemas [2][]*schema.Schema
}

var errPanic = errors.New("the function panicked")

// Compute implements [plan.Computer].
func (c *Func) Compute(scratch []byte, from plan.Side, in, out [][]byte, _ *uint64) (_ []byte, err error) {
	defer func() {
		if recover() != nil {
			clear(out)
			err = errPanic // without its value, which may have secrets
		}
	}()
	given := map[string]json.RawMessage{}
	for i, name := range c.Names[from] {
		if in[i] != nil {
			given[name] = append(json.RawMessage(nil), in[i]...)
		}
	}
	made, err := c.Function(from, given)
	if err != nil {
		return scratch, err
	}
	known := 0
	for i, name := range c.Names[from.Other()] {
		text, there := made[name]
		if !there {
			continue
		}
		known++
		if text == nil {
			continue
		}
		of := c.Schemas[from.Other()][i]
		if err := checkValue(text, of); err != nil {
			return scratch, fmt.Errorf("the value that it returns for %q is not valid there: %w", name, err)
		}
		start := len(scratch)
		if scratch = schema.Canonical(scratch, text, nil); scratch[start] == 'n' && !of.Nullable {
			continue // the API server removes null
		}
		out[i] = scratch[start:len(scratch):len(scratch)]
	}
	if known < len(made) {
		return scratch, errors.New("it returns values for fields that the row does not name")
	}
	return scratch, nil
}

// checkValue returns why a field can't have a value, or nil. It checks everything inside, too.
func checkValue(text []byte, s *schema.Schema) error {
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
