package compile

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
)

// MarkOf returns the mark of the table between two versions, which is part of a stash. A stash with
// another mark was written by another table, and its entries have to be proved. The mark does not
// depend on the names of the versions, because entries of one hub are valid for another hub that is
// like it. Values that are the zero value of a schema are left out, so that a release that knows
// more keywords makes the same mark of the same table.
func MarkOf(in Input) string {
	text, err := json.Marshal(in.Schemas)
	if err != nil {
		panic(err) // only values from JSON get here
	}
	var schemas []any
	if err := json.Unmarshal(text, &schemas); err != nil {
		panic(err)
	}
	parts := []any{"table", in.Rows, in.Tables, in.Parameters, withoutEmpty(schemas)}
	if len(in.Revisions) > 0 {
		parts = append(parts, in.Revisions)
	}
	if text, err = json.Marshal(parts); err != nil {
		panic(err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// withoutEmpty returns a value without members that are empty, or nil if nothing is left.
func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if member = withoutEmpty(member); member != nil {
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
			out[i] = withoutEmpty(v[i])
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
