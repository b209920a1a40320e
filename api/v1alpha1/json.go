package v1alpha1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Place is where a row reads and writes: one path, or several named paths. In YAML it is a
// string or a map of strings.
type Place struct {
	// Path is a single path, such as .spec.hostPort.
	Path string
	// Named holds paths by name.
	Named map[string]string
}

// UnmarshalJSON reads a string or an object of strings.
func (p *Place) UnmarshalJSON(data []byte) error {
	*p = Place{}
	switch first(data) {
	case '"':
		return json.Unmarshal(data, &p.Path)
	case '{':
		if err := json.Unmarshal(data, &p.Named); err != nil {
			return errors.New("write a path or a map from names to paths; every value of the map must be a string")
		}
		return nil
	}
	return fmt.Errorf("write a path or a map from names to paths, not %s", data)
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (p Place) MarshalJSON() ([]byte, error) {
	if p.Named != nil {
		return json.Marshal(p.Named)
	}
	return json.Marshal(p.Path)
}

// Unit is the unit of a number: one unit, or one for each side. In YAML it is a string or a map
// of strings.
type Unit struct {
	// Name is the unit if only one side is a plain number, for example s.
	Name string
	// Spoke and Hub are the units if both sides are plain numbers.
	Spoke, Hub string
}

// UnmarshalJSON reads a string or an object with spoke and hub.
func (u *Unit) UnmarshalJSON(data []byte) error {
	*u = Unit{}
	if first(data) == '"' {
		return json.Unmarshal(data, &u.Name)
	}
	var sides struct{ Spoke, Hub string }
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if first(data) != '{' || decoder.Decode(&sides) != nil {
		return fmt.Errorf("a unit must be a name such as s or Mi, or a map with spoke and hub, not %s", data)
	}
	u.Spoke, u.Hub = sides.Spoke, sides.Hub
	return nil
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (u Unit) MarshalJSON() ([]byte, error) {
	if u.Name != "" {
		return json.Marshal(u.Name)
	}
	sides := map[string]string{}
	if u.Spoke != "" {
		sides["spoke"] = u.Spoke
	}
	if u.Hub != "" {
		sides["hub"] = u.Hub
	}
	return json.Marshal(sides)
}

// Names is a list of field names, or of paths such as .metadata.name. In YAML a single name
// needs no list.
type Names []string

// UnmarshalJSON reads a string or a list of strings.
func (n *Names) UnmarshalJSON(data []byte) error {
	if first(data) == '"' {
		var one string
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		*n = Names{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		return fmt.Errorf("a key must be a field name, a path such as .metadata.name, or a list of these, not %s", data)
	}
	*n = many
	return nil
}

// MarshalJSON writes a single name as a string, as authors do.
func (n Names) MarshalJSON() ([]byte, error) {
	if len(n) == 1 {
		return json.Marshal(n[0])
	}
	return json.Marshal([]string(n))
}

// Value is any JSON value with its text: numbers are never decoded to float64.
type Value struct {
	// JSON is the text of the value, for example "Parallel" with its quotes.
	JSON []byte
}

// UnmarshalJSON keeps the bytes.
func (v *Value) UnmarshalJSON(data []byte) error {
	v.JSON = bytes.Clone(bytes.TrimSpace(data))
	return nil
}

// MarshalJSON writes the bytes; an empty Value is null.
func (v Value) MarshalJSON() ([]byte, error) {
	if len(v.JSON) == 0 {
		return []byte("null"), nil
	}
	return v.JSON, nil
}

func first(data []byte) byte {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return 0
	}
	return data[0]
}
