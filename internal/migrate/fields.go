package migrate

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// counterparts returns the fields of a version that correspond to fields of another: by a
// table, or otherwise the same fields. Within a list the paths are the same.
func counterparts(fields *fieldpath.Set, table *conversion.Converter, from, to string) *fieldpath.Set {
	if table == nil || !slices.Contains(table.Versions(), from) {
		return fields
	}
	there := fieldpath.NewSet()
	for path := range fields.All() {
		var names []string
		for _, step := range path {
			if step.FieldName == nil {
				break
			}
			names = append(names, *step.FieldName)
		}
		for _, place := range table.Places(names, from, to) {
			var other fieldpath.Path
			for _, name := range place {
				other = append(other, fieldpath.FieldNameElement(name))
			}
			there.Insert(append(other, path[len(names):]...))
		}
	}
	return there
}

// held returns the fields of a set that exist in an object, or in a part of one.
func held(set *fieldpath.Set, part any) *fieldpath.Set {
	kept := fieldpath.NewSet()
	places := places{part: part}
	for e := range set.Members.All() {
		if _, ok := places.at(e); ok {
			kept.Members.Insert(e)
		}
	}
	for e := range set.Children.All() {
		inner, ok := places.at(e)
		if !ok {
			continue
		}
		fields, _ := set.Children.Get(e)
		if fields = held(fields, inner); !fields.Empty() {
			*kept.Children.Descend(e) = *fields
		}
	}
	return kept
}

// places finds values in an object or a list.
type places struct {
	part any
	// elements maps the keys or values of a list's elements, as they are in the text of a path,
	// to the elements. It is made when it is needed, so that a long list with many owners is
	// not searched for each.
	elements map[string]any
}

// at returns the value that a step of a path leads to.
func (p *places) at(step fieldpath.PathElement) (any, bool) {
	if step.FieldName != nil {
		object, _ := p.part.(map[string]any)
		inner, ok := object[*step.FieldName]
		return inner, ok
	}
	list, _ := p.part.([]any)
	if step.Index != nil {
		if i := *step.Index; i >= 0 && i < len(list) {
			return list[i], true
		}
		return nil, false
	}
	if p.elements == nil {
		p.elements = map[string]any{}
		for _, element := range list {
			p.elements[like(step, element).String()] = element
		}
	}
	inner, ok := p.elements[step.String()]
	return inner, ok
}

// like returns the step to an element of a list, in the same form as another step.
func like(step fieldpath.PathElement, element any) fieldpath.PathElement {
	if step.Key == nil {
		v := value.NewValueInterface(element)
		return fieldpath.PathElement{Value: &v}
	}
	object, _ := element.(map[string]any)
	var keys value.FieldList
	for _, key := range *step.Key {
		keys = append(keys, value.Field{Name: key.Name, Value: value.NewValueInterface(object[key.Name])})
	}
	return fieldpath.PathElement{Key: &keys}
}
