package tree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Any returns the value as the API server has it: maps, slices, int64 for numbers written as
// integers, and otherwise float64.
func (v *Value) Any() any {
	switch v.Kind {
	case Null:
		return nil
	case Bool:
		return v.Text == "true"
	case Number:
		if !strings.ContainsAny(v.Text, ".eE") {
			if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
				return i
			}
		}
		f, _ := strconv.ParseFloat(v.Text, 64)
		return f
	case String:
		return v.Text
	case List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = item.Any()
		}
		return out
	}
	out := make(map[string]any, len(v.Members))
	for _, m := range v.Members {
		out[m.Name] = m.Value.Any()
	}
	return out
}

// FromAny is the inverse of Any. Members are sorted by name.
func FromAny(x any) *Value {
	switch x := x.(type) {
	case bool:
		return NewBool(x)
	case int64:
		return NewNumber(strconv.FormatInt(x, 10))
	case float64:
		text, _ := json.Marshal(x)
		return NewNumber(string(text))
	case string:
		return NewString(x)
	case []any:
		v := NewList()
		for _, item := range x {
			v.Items = append(v.Items, FromAny(item))
		}
		return v
	case map[string]any:
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		slices.Sort(names)
		v := NewObject()
		for _, name := range names {
			v.Members = append(v.Members, Member{name, FromAny(x[name])})
		}
		return v
	}
	return NewNull()
}
