package reference

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/ext"
	apiservercel "k8s.io/apiserver/pkg/cel"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// cel computes the target's fields of a row by expressions, without types.
func (s side) cel(r v1alpha1.Row, v, out *tree.Value, from, to *schema) {
	_, target := s.ends(r)
	e := r.CEL.ToSpoke
	if s.toHub {
		e = r.CEL.ToHub
	}
	if target == nil {
		return
	}
	expressions, places := map[string]string{"": e.One}, map[string]string{"": target.Path}
	if target.Named != nil {
		expressions, places = e.Named, target.Named
	}
	values := map[string]*tree.Value{}
	for name, text := range expressions {
		if strings.Contains(text, ".map(key,") {
			s.c.unclear = true // a Go map has no order
		}
		value, ok := evaluate(text, s.readable(v, from), s.readable(s.root, s.rootSchema))
		if !ok {
			return
		}
		p := s.path(&v1alpha1.Place{Path: places[name]})
		if value != nil && value.Kind == tree.Null && !nullable(at(to, p)) {
			value = nil
		}
		if value != nil && !isValid(value, at(to, p)) {
			return
		}
		values[places[name]] = value
	}
	for _, text := range slices.Sorted(maps.Keys(values)) {
		if values[text] != nil {
			out.Put(s.path(&v1alpha1.Place{Path: text}), values[text])
		}
	}
}

// readable returns dynamic with the metadata that every object has, and with its labels and
// annotations.
func (s side) readable(v *tree.Value, of *schema) any {
	value := dynamic(v, of)
	fields, ok := value.(map[string]any)
	if v != s.root || !ok {
		return value
	}
	metadata, ok := fields["metadata"].(map[string]any)
	if !ok {
		metadata = map[string]any{}
		fields["metadata"] = metadata
	}
	for _, name := range []string{"labels", "annotations"} {
		if _, ok := metadata[name].(map[string]any); !ok {
			metadata[name] = map[string]any{}
		}
	}
	return value
}

// dynamic returns a value as expressions read it: the fields of objects by their escaped names,
// without null.
func dynamic(v *tree.Value, s *schema) any {
	if s == nil {
		s = &schema{}
	}
	switch v.Kind {
	case tree.Object:
		out := map[string]any{}
		for _, m := range v.Members {
			name := m.Name
			of, known := s.Properties[name]
			switch {
			case known && m.Value.Kind == tree.Null:
				continue
			case known:
				name, _ = apiservercel.Escape(name)
			case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
				of = *s.AdditionalProperties.Schema
			}
			out[name] = dynamic(m.Value, &of)
		}
		return out
	case tree.List:
		out := []any{}
		for _, item := range v.Items {
			var of *schema
			if s.Items != nil {
				of = s.Items.Schema
			}
			out = append(out, dynamic(item, of))
		}
		return out
	case tree.Null:
		return types.NullValue
	}
	return v.Any()
}

// evaluate returns the value of an expression, or nil if it has none.
func evaluate(text string, self, object any) (*tree.Value, bool) {
	env, err := cel.NewEnv(cel.OptionalTypes(), ext.Strings(), cel.Variable("self", cel.DynType), cel.Variable("object", cel.DynType))
	if err != nil {
		panic(err)
	}
	checked, issues := env.Compile(text)
	if issues.Err() != nil {
		panic(text + ": " + issues.Err().Error())
	}
	program, err := env.Program(checked)
	if err != nil {
		panic(err)
	}
	value, _, err := program.Eval(map[string]any{"self": self, "object": object})
	if err != nil {
		return nil, false
	}
	return written(value)
}

func written(value ref.Val) (*tree.Value, bool) {
	switch value := value.(type) {
	case *types.Optional:
		if !value.HasValue() {
			return nil, true
		}
		return written(value.GetValue())
	case types.Null:
		return tree.NewNull(), true
	case traits.Mapper:
		out := tree.NewObject()
		for it := value.Iterator(); it.HasNext() == types.True; {
			name := it.Next()
			member, ok := written(value.Get(name))
			if !ok {
				return nil, false
			}
			if member != nil {
				out.Set(name.Value().(string), member)
			}
		}
		return out, true
	case traits.Lister:
		out := tree.NewList()
		for it := value.Iterator(); it.HasNext() == types.True; {
			item, ok := written(it.Next())
			if !ok || item == nil {
				return nil, false
			}
			out.Items = append(out.Items, item)
		}
		return out, true
	}
	return tree.FromAny(value.Value()), true
}

// isValid reports whether a value is valid, with everything inside.
func isValid(v *tree.Value, s *schema) bool {
	if s == nil || s.Type == "" && !s.XIntOrString {
		return true
	}
	switch v.Kind {
	case tree.Null:
		return nullable(s)
	case tree.Bool:
		return s.Type == "boolean"
	case tree.String:
		return s.Type == "string" || s.XIntOrString
	case tree.Number:
		return s.Type == "integer" || s.Type == "number" || s.XIntOrString
	case tree.List:
		return s.Type == "array" && !slices.ContainsFunc(v.Items, func(item *tree.Value) bool { return !isValid(item, s.Items.Schema) })
	}
	if s.Type != "object" {
		return false
	}
	kept := v.Members[:0]
	for _, m := range v.Members {
		of, known := s.Properties[m.Name]
		if !known && s.AdditionalProperties != nil {
			of, known = *s.AdditionalProperties.Schema, true
		}
		if !known && !preserves(s) {
			return false
		}
		if m.Value.Kind == tree.Null && known && !of.Nullable {
			continue
		}
		if known && !isValid(m.Value, &of) {
			return false
		}
		kept = append(kept, m)
	}
	v.Members = kept
	return true
}
