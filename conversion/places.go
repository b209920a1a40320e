package conversion

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// Places returns the fields of version to that correspond to a field of version from. It finds the
// field in which an author wrote a value that someone else sees in another version.
//
// A field is a list of names from the root of the object. For a field inside of a list, the result
// is the list. There are several results if a row maps several fields, and none if only version
// from has the field, or if a version is unknown.
func (c *Converter) Places(place []string, from, to string) [][]string {
	if !slices.Contains(c.versions, from) || !slices.Contains(c.versions, to) {
		return nil
	}
	if from == to {
		return [][]string{place}
	}
	places := [][]string{place}
	if from != c.hub {
		places = across(c.plans[from], plan.Spoke, places)
	}
	if to != c.hub {
		places = across(c.plans[to], plan.Hub, places)
	}
	return places
}

// across returns the fields of the other side for fields of one side.
func across(p *plan.Plan, from plan.Side, places [][]string) [][]string {
	var found [][]string
	for _, place := range places {
		for _, other := range counterparts(p.Root, from, place) {
			if !slices.ContainsFunc(found, func(known []string) bool { return slices.Equal(known, other) }) {
				found = append(found, other)
			}
		}
	}
	return found
}

func counterparts(scope *plan.Scope, from plan.Side, place []string) [][]string {
	at := int32(0)
	for i, name := range place {
		child := scope.Child(from, at, []byte(name))
		if child == plan.None {
			// No row maps it: it has the same name in the same container.
			return beside(scope, from, at, place[i:])
		}
		at = child
		switch node := &scope.Nodes[from][at]; node.Kind {
		case plan.Operand:
			return operands(scope, from, node.Row, place[i+1:])
		case plan.Parted:
			return parts(scope, from, node)
		case plan.Keep, plan.Drop, plan.Fixed:
			return nil
		}
	}
	return whole(scope, from, at)
}

// beside returns the fields of the other side for a field below a container.
func beside(scope *plan.Scope, from plan.Side, at int32, rest []string) [][]string {
	node := &scope.Nodes[from][at]
	if at != 0 && node.Twin == plan.None || node.KeepUnknown {
		return nil
	}
	twin := int32(0)
	if at != 0 {
		twin = node.Twin
	}
	return [][]string{append(names(scope, from.Other(), twin), rest...)}
}

// operands returns the other side's fields of a row.
func operands(scope *plan.Scope, from plan.Side, number int32, rest []string) [][]string {
	row := &scope.Rows[number]
	var places [][]string
	if len(row.At[from.Other()]) == 0 {
		// The row only reads these fields, and does not map them to the field.
		for _, read := range row.Reads[from.Other()] {
			if !read.Outside && !read.Presence {
				places = append(places, read.Path)
			}
		}
	}
	for _, other := range row.At[from.Other()] {
		place := names(scope, from.Other(), other)
		switch {
		case row.Kind == plan.Move:
			place = append(place, rest...)
		case row.Forms == [2]plan.Form{plan.Dict, plan.Dict}:
			if len(rest) > 1 {
				for _, inner := range counterparts(row.Elements, from, rest[1:]) {
					places = append(places, append(append(slices.Clone(place), rest[0]), inner...))
				}
				continue
			}
			place = append(place, rest...)
		}
		places = append(places, place)
	}
	return places
}

// whole returns the fields of the other side for a container: its twin, or the fields for its
// own fields.
func whole(scope *plan.Scope, from plan.Side, at int32) [][]string {
	node := &scope.Nodes[from][at]
	if at == 0 {
		return [][]string{{}}
	}
	if node.Kind != plan.Container || node.Twin != plan.None {
		return beside(scope, from, node.Parent, []string{node.Name})
	}
	var places [][]string
	for _, child := range node.Children {
		switch scope.Nodes[from][child].Kind {
		case plan.Operand:
			places = append(places, operands(scope, from, scope.Nodes[from][child].Row, nil)...)
		case plan.Parted:
			places = append(places, parts(scope, from, &scope.Nodes[from][child])...)
		case plan.Container:
			places = append(places, whole(scope, from, child)...)
		}
	}
	return places
}

// parts returns the other side's fields for the parts of a list.
func parts(scope *plan.Scope, from plan.Side, list *plan.Node) [][]string {
	var places [][]string
	for _, part := range list.Parts.All {
		places = append(places, operands(scope, from, part.Row, nil)...)
	}
	return places
}

// names returns the names of a field from the root of its scope.
func names(scope *plan.Scope, side plan.Side, at int32) []string {
	var path []string
	for at > 0 {
		node := &scope.Nodes[side][at]
		if at = node.Parent; scope.Nodes[side][at].Kind != plan.Parted {
			path = append(path, node.Name) // a part has no name of its own there
		}
	}
	slices.Reverse(path)
	return path
}
