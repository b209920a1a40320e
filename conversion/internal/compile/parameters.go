package compile

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// reference is the member of an object that is replaced by the value of a parameter: {"$parameter":
// "className"}.
const reference = "$parameter"

// fillIn replaces the references in a row by the values of parameters. It reports references to
// parameters that don't exist, and returns false: the row can't be used then.
func (b *builder) fillIn(w *writtenRow) bool {
	ok := true
	w.EachValue(func(what string, v *v1alpha1.Value) {
		var scan jsontext.Scanner
		scan.Reset(v.JSON)
		if _, err := scan.Document(); err != nil || !bytes.Contains(v.JSON, []byte(reference)) {
			return // mistakes are reported with the row
		}
		text, err := b.expand(v.JSON)
		if err != nil {
			b.problem(w, err.remedy, "%s: %s", what, err.message)
			ok = false
			return
		}
		v.JSON = text
	})
	return ok
}

// referenceProblem is a problem of a reference.
type referenceProblem struct{ message, remedy string }

// expand returns a value in which references are replaced, at any depth.
func (b *builder) expand(text []byte) ([]byte, *referenceProblem) {
	switch text[0] {
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(text, &items) != nil {
			return text, nil
		}
		for i := range items {
			expanded, err := b.expand(items[i])
			if err != nil {
				return nil, err
			}
			items[i] = expanded
		}
		return mustMarshal(items), nil
	case '{':
		var members map[string]json.RawMessage
		if json.Unmarshal(text, &members) != nil {
			return text, nil
		}
		if name, ok := members[reference]; ok {
			return b.parameter(name, len(members))
		}
		for key, member := range members {
			expanded, err := b.expand(member)
			if err != nil {
				return nil, err
			}
			members[key] = expanded
		}
		return mustMarshal(members), nil
	}
	return text, nil
}

// parameter returns the value of a parameter by its name as JSON.
func (b *builder) parameter(text json.RawMessage, members int) ([]byte, *referenceProblem) {
	var name string
	if json.Unmarshal(text, &name) != nil || members > 1 {
		return nil, &referenceProblem{"{" + reference + ": NAME} must have no other fields", "write only the name of the parameter"}
	}
	value, known := b.cel.parameters[name]
	if !known {
		return nil, &referenceProblem{"there is no parameter " + name, expression.AddParameter(name, slices.Sorted(maps.Keys(b.cel.parameters)))}
	}
	b.found.parameter(name)
	return value, nil
}

// mustMarshal returns what encoding/json writes of a value that it has read.
func mustMarshal(v any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // only values from JSON get here
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// parameter records that a parameter is used.
func (f *found) parameter(name string) {
	if !slices.Contains(f.parameters, name) {
		f.parameters = append(f.parameters, name)
	}
}

// Parameters returns those that the plan uses.
func (b *Built) Parameters() []string { return b.found.parameters }
