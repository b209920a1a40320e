package reference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// element is one element of a list or map, or a single one.
type element struct {
	name  string
	value *tree.Value
}

// loose reports whether the elements of a row need no counterpart.
func loose(r v1alpha1.Row) bool {
	return r.Single != nil || r.Keyed != nil || r.Wrap != "" ||
		r.Each != nil && slices.ContainsFunc(r.Each.Rows, func(r v1alpha1.Row) bool {
			return r.Spoke != nil && r.Spoke.Path == "." || r.Hub != nil && r.Hub.Path == "."
		})
}

// elements converts the field of a row if the two sides hold elements in different ways.
func (s side) elements(r v1alpha1.Row, value *tree.Value, from, to *schema) (*tree.Value, bool) {
	if value.Kind == tree.Null {
		return value, nullable(to)
	}
	mine, theirs := elementOf(r, from), elementOf(r, to)
	var all []element
	switch {
	case r.Single != nil && from.Type != "array":
		all = []element{{value: value}}
	case from.Type == "array" && value.Kind == tree.List:
		for _, item := range value.Items {
			all = append(all, element{value: item})
		}
	case from.Type == "object" && value.Kind == tree.Object:
		for _, m := range value.Members {
			all = append(all, element{m.Name, m.Value})
		}
		if to.Type == "array" {
			slices.SortFunc(all, func(a, b element) int { return strings.Compare(a.name, b.name) })
		}
	default:
		return nil, false
	}
	if r.Single != nil && r.Single.Longer == v1alpha1.LongerNone && to.Type != "array" && len(all) > 1 {
		return nil, false
	}
	backward := r.Keyed != nil && r.Keyed.Doubled == v1alpha1.DoubledLast && from.Type == "array"
	if backward {
		slices.Reverse(all)
	}
	rows := s.rowsWithImplied(r, mine, theirs)
	list, dict := tree.NewList(), tree.NewObject()
	for i, e := range all {
		made, ok := s.whole(e.value, rows, mine, theirs, r.Keyed)
		if r.Keyed != nil && ok {
			ok = s.name(r.Keyed.Key, &e, made, from, to, dict)
		}
		if r.Single != nil && to.Type != "array" {
			return made, ok && i == 0 && made.Kind != tree.Null
		}
		if ok {
			list.Items = append(list.Items, made)
			dict.Members = append(dict.Members, tree.Member{Name: e.name, Value: made})
		}
	}
	if backward {
		slices.Reverse(dict.Members)
	}
	switch {
	case r.Single != nil:
		return list, to.Type == "array" && len(list.Items) > 0
	case to.Type == "array":
		return list, true
	}
	return dict, true
}

// name sets the name of an element on the other side. It returns false if it can't have one.
func (s side) name(key string, e *element, made *tree.Value, from, to *schema, taken *tree.Value) bool {
	allowed := func(name string, of *schema) bool {
		_, known := of.Properties[name]
		return known || of.AdditionalProperties != nil
	}
	if strings.Contains(key, "{") {
		return s.composedName(key, e, made, from, to, taken, allowed)
	}
	if from.Type == "array" {
		name := e.value.Get(key)
		kind := tree.String
		if from.Items.Schema.Properties[key].Type == "integer" {
			kind = tree.Number
		}
		if name == nil || name.Kind != kind || taken.Get(name.Text) != nil || !allowed(name.Text, to) {
			return false
		}
		e.name = name.Text
		return true
	}
	if made.Kind != tree.Object || !allowed(e.name, from) {
		return false
	}
	if to.Items.Schema.Properties[key].Type == "integer" {
		n, err := strconv.ParseInt(e.name, 10, 64)
		made.Set(key, tree.NewNumber(e.name))
		return err == nil && strconv.FormatInt(n, 10) == e.name
	}
	made.Set(key, tree.NewString(e.name))
	return true
}

// elementOf returns the schema of an element.
func elementOf(r v1alpha1.Row, s *schema) *schema {
	switch {
	case s.Type == "array":
		return s.Items.Schema
	case r.Single != nil:
		return s
	case s.AdditionalProperties != nil:
		return s.AdditionalProperties.Schema
	}
	for _, p := range s.Properties {
		return &p
	}
	return nil
}

// rowsWithImplied returns the rows for elements, with those that a mapping implies.
func (s side) rowsWithImplied(r v1alpha1.Row, from, to *schema) []v1alpha1.Row {
	var rows []v1alpha1.Row
	for _, inner := range r.Inner() {
		rows = slices.Clone(*inner.Rows)
	}
	member := r.Wrap
	if r.Keyed != nil {
		member = r.Keyed.Value
	}
	if member == "" {
		return rows
	}
	itself, inside := &v1alpha1.Place{Path: "."}, &v1alpha1.Place{Path: "." + member}
	if fromObject := from.Type == "object"; fromObject == s.toHub {
		return append(rows, v1alpha1.Row{Spoke: inside, Hub: itself})
	}
	return append(rows, v1alpha1.Row{Spoke: itself, Hub: inside})
}

// whole converts an element, which may be mapped whole.
func (s side) whole(v *tree.Value, rows []v1alpha1.Row, from, to *schema, keyed *v1alpha1.Keyed) (*tree.Value, bool) {
	if !holds(from, v) {
		return nil, false
	}
	for _, r := range rows {
		source, target := s.ends(r)
		if source == nil || target == nil || source.Path != "." && target.Path != "." {
			continue
		}
		if r.Template != "" {
			return s.wholeText(r.Template, source, target, v, to)
		}
		p, q := s.path(source), s.path(target)
		value := v.At(p)
		if value == nil {
			return nil, false
		}
		value, ok := s.convertValue(r, value, at(from, p), at(to, q))
		if !ok || !holds(at(to, q), value) {
			return nil, false
		}
		if len(q) == 0 {
			return value.Clone(), true
		}
		out := tree.NewObject()
		out.Put(q, value.Clone())
		return out, true
	}
	if v.Kind != tree.Object {
		return v.Clone(), holds(to, v) && (keyed == nil || v.Kind != tree.Null)
	}
	if keyed != nil {
		rows = slices.Clone(rows)
		for _, name := range keysOf(keyed.Key) {
			rows = append(rows, v1alpha1.Row{Spoke: &v1alpha1.Place{Path: "." + name}})
		}
	}
	return s.element(v, rows, from, to, false), true
}

// holds reports whether a value is of a schema's type.
func holds(s *schema, v *tree.Value) bool {
	switch v.Kind {
	case tree.Null:
		return s.Nullable
	case tree.Bool:
		return s.Type == "boolean"
	case tree.Number:
		return inRange(s, v) && (s.Type == "number" || s.XIntOrString || s.Type == "integer" && !strings.ContainsAny(tree.NormalNumber(v.Text), ".eE"))
	case tree.String:
		return s.Type == "string" || s.XIntOrString
	case tree.List:
		return s.Type == "array"
	}
	return s.Type == "object"
}
