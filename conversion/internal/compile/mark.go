package compile

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// MarkOf returns the mark of the table between two versions: what was kept by another one may have
// to be looked at again. It says nothing of their names, since what was kept beside one hub is good
// beside another one that is like it. What says nothing of a schema is left out, so that a release
// that has learnt something new to say makes the same mark of the same table.
func MarkOf(in Input) string {
	text, err := json.Marshal(in.Schemas)
	if err != nil {
		panic(err) // only values that were read from JSON get here
	}
	var schemas []any
	if err := json.Unmarshal(text, &schemas); err != nil {
		panic(err)
	}
	parts := []any{"table", in.Rows, in.Tables, in.Parameters, saying(schemas)}
	if len(in.Revisions) > 0 {
		parts = append(parts, in.Revisions)
	}
	if text, err = json.Marshal(parts); err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// saying returns a value without those of its members that say nothing, nil if it says nothing
// itself.
func saying(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if member = saying(member); member != nil {
				out[name] = member
			}
		}
		if len(out) > 0 {
			return out
		}
		return nil
	case []any:
		if len(v) == 0 {
			return nil
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = saying(v[i])
		}
		return out
	case bool:
		if !v {
			return nil
		}
	case string:
		if v == "" {
			return nil
		}
	}
	return v
}
