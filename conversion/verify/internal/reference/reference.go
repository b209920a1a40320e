// Package reference converts objects naively, to compare the engine with.
//
// It works on decoded trees and says only what the rows and the shared places
// put into the target of an object that carries no stash. It keeps nothing.
package reference

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

type schema = apiextensionsv1.JSONSchemaProps

// Converter converts between the hub and one spoke.
type Converter struct {
	group   string
	hub     string
	schemas map[string]*schema
	rows    map[string][]v1alpha1.Row
	tables  map[string]map[string][]v1alpha1.Row
	parse   func(string) (tree.Path, bool)
	unclear bool
	// comeAndGo are the objects of the target that may be absent as well.
	comeAndGo map[*tree.Value]bool
}

// New makes a converter. Parse reads the paths of rows.
func New(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, parse func(string) (tree.Path, bool)) *Converter {
	c := &Converter{group: crd.Spec.Group, hub: table.Spec.Hub, schemas: map[string]*schema{}, rows: map[string][]v1alpha1.Row{}, tables: map[string]map[string][]v1alpha1.Row{}, parse: parse}
	for _, v := range crd.Spec.Versions {
		c.schemas[v.Name] = v.Schema.OpenAPIV3Schema
	}
	for _, v := range table.Spec.Versions {
		c.rows[v.Name], c.tables[v.Name] = v.Rows, v.Tables
	}
	return c
}

// Convert returns the object in the version to, which must be the hub or, for
// an object of the hub, a spoke. It reports false where the table leaves room:
// the language does not say what to expect. The paths are those of empty objects that
// may be absent as well.
func (c *Converter) Convert(object *tree.Value, from, to string) (*tree.Value, []tree.Path, bool) {
	c.unclear, c.comeAndGo = false, map[*tree.Value]bool{}
	spoke, toHub := from, true
	if from == c.hub {
		spoke, toHub = to, false
	}
	s := side{c: c, toHub: toHub, tables: c.tables[spoke], root: object, rootSchema: c.schemas[from]}
	out := s.element(object, c.rows[spoke], c.schemas[from], c.schemas[to], true)
	out.Set("apiVersion", tree.NewString(c.group+"/"+to))
	var comeAndGo []tree.Path
	out.Walk(func(p tree.Path, v *tree.Value) {
		if c.comeAndGo[v] {
			comeAndGo = append(comeAndGo, p)
		}
	})
	return out, comeAndGo, !c.unclear
}

// side is one direction.
type side struct {
	c      *Converter
	toHub  bool
	tables map[string][]v1alpha1.Row
	// root is the whole object.
	root       *tree.Value
	rootSchema *schema
}

func (s side) ends(r v1alpha1.Row) (source, target *v1alpha1.Place) {
	if s.toHub {
		return r.Spoke, r.Hub
	}
	return r.Hub, r.Spoke
}

// element converts an object that rows are relative to: the root, or an
// element of a list or map.
func (s side) element(v *tree.Value, rows []v1alpha1.Row, from, to *schema, root bool) *tree.Value {
	claimed := map[string]bool{}
	for _, r := range rows {
		source, target := s.ends(r)
		for _, places := range [][2]*v1alpha1.Place{{source, target}, {target, source}} {
			for _, p := range s.paths(places[0]) {
				claimed[p.String()] = claimed[p.String()] || !watched(r, places[0], places[1])
			}
		}
	}
	out := s.shared(v, from, to, nil, claimed)
	if root {
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			out.Set(name, v.Get(name).Clone())
		}
		for _, name := range []string{"labels", "annotations"} {
			texts := v.Get("metadata").Get(name)
			if texts == nil {
				continue
			}
			for _, m := range texts.Members {
				if p := tree.Names("metadata", name, m.Name); claimed[p.String()] {
					out.Put(p, nil)
				}
			}
		}
	}
	for _, r := range rows {
		s.row(r, v, out, from, to)
	}
	for _, r := range rows {
		_, target := s.ends(r)
		if r.Constant == nil || target == nil {
			continue
		}
		p := s.path(target)
		if parent := out.At(p[:len(p)-1]); parent != nil && parent.Kind == tree.Object && out.At(p) == nil {
			out.Put(p, literal(r.Constant))
		} else if parent == nil && len(p) > 1 && at(to, p[:len(p)-1]).Default != nil {
			// The object around the constant comes into being by its default.
			s.c.unclear = true
		} else if parent == nil && required(out, p[:len(p)-1], from, to) {
			out.Put(p, literal(r.Constant))
		}
	}
	s.follow(v, out, nil, claimed)
	return out
}

// follow notes the objects of the target that hold nothing but others of them, where
// those of the source hold nothing but what rows tie: they may follow it elsewhere.
func (s side) follow(v, out *tree.Value, at tree.Path, claimed map[string]bool) {
	for _, m := range out.Members {
		mine, p := v.Get(m.Name), at.Name(m.Name)
		if claimed[p.String()] || mine == nil || mine.Kind != tree.Object || m.Value.Kind != tree.Object {
			continue
		}
		s.follow(mine, m.Value, p, claimed)
		holds := slices.ContainsFunc(m.Value.Members, func(m tree.Member) bool { return !s.c.comeAndGo[m.Value] })
		if !holds && len(mine.Members) > 0 && onlyTied(mine, p, claimed) {
			s.c.comeAndGo[m.Value] = true
		}
	}
}

func onlyTied(v *tree.Value, at tree.Path, claimed map[string]bool) bool {
	for _, m := range v.Members {
		if p := at.Name(m.Name); !claimed[p.String()] && (m.Value.Kind != tree.Object || len(m.Value.Members) == 0 || !onlyTied(m.Value, p, claimed)) {
			return false
		}
	}
	return true
}

// required says whether the objects on the way to a place that only one version has
// must be there, as far as they are missing.
func required(v *tree.Value, p tree.Path, from, to *schema) bool {
	for i, step := range p {
		switch next := v.Get(step.Name); {
		case v == nil || v.Kind != tree.Object:
			return false
		case next != nil:
			v = next
		case at(from, p[:i+1]).Type == "object" || !slices.Contains(at(to, p[:i]).Required, step.Name):
			return false
		default:
			v = tree.NewObject()
		}
	}
	return true
}

// shared copies what both schemas have at the same path and no row claims.
func (s side) shared(v *tree.Value, from, to *schema, at tree.Path, claimed map[string]bool) *tree.Value {
	switch {
	case v.Kind == tree.Null && !nullable(to):
		return nil
	case v.Kind == tree.Object && holdsMembers(from) && holdsMembers(to):
		out := tree.NewObject()
		for _, m := range v.Members {
			p := at.Name(m.Name)
			if claimed[p.String()] {
				continue
			}
			mine, known := from.Properties[m.Name]
			theirs, knownThere := to.Properties[m.Name]
			var value *tree.Value
			switch {
			case known && knownThere:
				value = s.shared(m.Value, &mine, &theirs, p, claimed)
			case known || knownThere:
			case from.AdditionalProperties != nil && to.AdditionalProperties != nil:
				value = s.shared(m.Value, from.AdditionalProperties.Schema, to.AdditionalProperties.Schema, p, claimed)
			case preserves(from) && preserves(to):
				value = m.Value.Clone()
			}
			if value != nil {
				out.Members = append(out.Members, tree.Member{Name: m.Name, Value: value})
			}
		}
		return out
	case v.Kind == tree.List && from.Type == "array" && to.Type == "array":
		out := tree.NewList()
		for _, item := range v.Items {
			value := s.shared(item, from.Items.Schema, to.Items.Schema, nil, nil)
			if value == nil {
				s.c.unclear = true
				continue
			}
			out.Items = append(out.Items, value)
		}
		return out
	}
	return v.Clone()
}

// row writes what one row says.
func (s side) row(r v1alpha1.Row, v, out *tree.Value, from, to *schema) {
	source, target := s.ends(r)
	if r.CEL != nil {
		s.cel(r, v, out, from, to)
		return
	}
	if source == nil || target == nil {
		return
	}
	switch {
	case r.Template != "":
		s.template(r.Template, source, target, v, out, to)
		return
	case r.Variant != nil:
		s.variant(r, source, target, v, out, to)
		return
	case r.Where != nil || r.Entries != nil:
		s.parted(r, source, target, v, out, from, to)
		return
	case loose(r):
		value := v.At(s.path(source))
		if value == nil {
			return
		}
		if made, ok := s.elements(r, value, at(from, s.path(source)), at(to, s.path(target))); ok {
			out.Put(s.path(target), made.Clone())
		}
		return
	case r.Each != nil:
		value := v.At(s.path(source))
		if value == nil {
			return
		}
		mine, theirs := at(from, s.path(source)), at(to, s.path(target))
		if value.Kind == tree.Null {
			if theirs.Nullable {
				out.Put(s.path(target), value.Clone())
			}
			return
		}
		if mine.Type == "" || theirs.Type == "" {
			s.c.unclear = true // only the rows know what there is
			return
		}
		converted := &tree.Value{Kind: value.Kind}
		for _, item := range value.Items {
			converted.Items = append(converted.Items, s.member(item, s.rowsOf(r.Each.Rows, r.Each.Table), mine.Items.Schema, theirs.Items.Schema))
		}
		for _, m := range value.Members {
			inner := s.member(m.Value, s.rowsOf(r.Each.Rows, r.Each.Table), mine.AdditionalProperties.Schema, theirs.AdditionalProperties.Schema)
			converted.Members = append(converted.Members, tree.Member{Name: m.Name, Value: inner})
		}
		out.Put(s.path(target), converted)
		return
	}
	value := v.At(s.path(source))
	mine, theirs := s.defaults(r)
	if value == nil && mine != nil && s.within(v, s.path(source), from, to) {
		value = mine
	}
	if value == nil {
		return
	}
	if r.Table != "" && value.Kind == tree.Object {
		out.Put(s.path(target), s.element(value, s.tables[r.Table], at(from, s.path(source)), at(to, s.path(target)), false))
		return
	}
	if value.Kind == tree.Object && r.Text == "" {
		// Only what both have, as for an object at the same path.
		value = s.shared(value, at(from, s.path(source)), at(to, s.path(target)), nil, nil)
	}
	value, mapped := s.mapped(r, value, at(from, s.path(source)), at(to, s.path(target)))
	if !mapped || !inRange(at(to, s.path(target)), value) || value.Kind == tree.Null && !nullable(at(to, s.path(target))) {
		return
	}
	if theirs != nil && tree.Equal(value, theirs) {
		return
	}
	if p := s.path(target); len(p) > 1 && p[0].Name == "metadata" {
		if value.Kind != tree.String {
			return
		}
		if p[1].Name == "labels" && !validLabel(value.Text) {
			return
		}
		if out.Get("metadata") == nil {
			out.Set("metadata", tree.NewObject())
		}
	}
	out.Put(s.path(target), value.Clone())
}

// within says whether the innermost object around a place that both versions
// have at the same path is there. Objects that one version has come and go with
// what is in them, so that their absence says nothing.
func (s side) within(v *tree.Value, p tree.Path, from, to *schema) bool {
	for n := len(p) - 1; n > 0; n-- {
		around := v.At(p[:n])
		if p[0].Name == "metadata" || at(from, p[:n]).Type == "object" && at(to, p[:n]).Type == "object" {
			return around != nil && around.Kind == tree.Object
		}
	}
	return true
}

// rowsOf are rows and those of a named table.
func (s side) rowsOf(rows []v1alpha1.Row, table string) []v1alpha1.Row {
	return append(rows[:len(rows):len(rows)], s.tables[table]...)
}

func (s side) member(v *tree.Value, rows []v1alpha1.Row, from, to *schema) *tree.Value {
	if v.Kind != tree.Object {
		s.c.unclear = true
		return v.Clone()
	}
	return s.element(v, rows, from, to, false)
}

// defaults returns what the row says that the absent source and the absent
// target stand for.
func (s side) defaults(r v1alpha1.Row) (source, target *tree.Value) {
	if r.Default == nil {
		return nil, nil
	}
	if s.toHub {
		return literal(r.Default.Spoke), literal(r.Default.Hub)
	}
	return literal(r.Default.Hub), literal(r.Default.Spoke)
}
