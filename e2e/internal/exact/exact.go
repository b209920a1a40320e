// Package exact compares JSON without forgiving anything but the order of keys:
// numbers are compared by their text, and absent, null, zero and empty differ.
package exact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Value is decoded JSON whose numbers are json.Number.
type Value = any

// Decode reads one JSON value.
func Decode(data []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v Value
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("decode %s: %w", data, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("decode %s: something follows the value", data)
	}
	return v, nil
}

// At returns what v holds under the object keys of path, and whether it is there.
func At(v Value, path ...string) (Value, bool) {
	for _, key := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = object[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

// Diff describes how got differs from want, or returns "".
func Diff(got, want Value) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("got  %s\nwant %s", text(got), text(want))
}

func text(v Value) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}
