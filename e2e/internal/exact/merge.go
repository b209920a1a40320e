package exact

import "maps"

// Merge returns v with a JSON merge patch applied, as RFC 7386 has it: null
// removes, objects are merged, everything else replaces. It leaves v alone.
func Merge(v, patch Value) Value {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	merged := map[string]any{}
	if object, ok := v.(map[string]any); ok {
		merged = maps.Clone(object)
	}
	for key, change := range changes {
		if change == nil {
			delete(merged, key)
			continue
		}
		merged[key] = Merge(merged[key], change)
	}
	return merged
}

// Patch returns a merge patch that sets what is at path.
func Patch(value Value, path ...string) Value {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}
