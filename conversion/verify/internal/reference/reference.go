// Package reference converts objects in a simple way, to compare the engine with.
//
// It works on decoded trees, and returns only what rows and shared fields put into the target of an
// object without a stash. It keeps nothing.
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
	// comeAndGo are the objects of the target that may also be absent.
	comeAndGo map[*tree.Value]bool
}

// New makes a converter. parse parses the paths of rows.
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

// Convert converts an object to the version to, which must be the hub or, for an object of the hub,
// a spoke. It returns false if the language does not define the result. The paths are those of
// empty objects that may also be absent.
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

// side is one direction of a conversion.
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

// element converts an object that rows are relative to: the root, or an element of a list or map.
func (s side) element(v *tree.Value, rows []v1alpha1.Row, from, to *schema, root bool) *tree.Value {
	claimed := map[string]bool{}
	for _, r := range rows {
		source, target := s.ends(r)
		for _, places := range [][2]*v1alpha1.Place{{source, target}, {target, source}} {
			for _, p := range s.paths(places[0]) {
				claimed[p.String()] = claimed[p.String()] || !s.watches(r, p) && !isOnlyRead(r, places[0], places[1])
			}
		}
	}
	out := s.copyShared(v, from, to, nil, claimed)
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
			// The object around the constant is made by its default.
			s.c.unclear = true
		} else if parent == nil && mustMakeAround(out, p[:len(p)-1], from, to) {
			out.Put(p, literal(r.Constant))
		}
	}
	s.around(rows, out, from, to, claimed)
	s.follow(v, out, nil, claimed)
	return out
}

// follow records the objects of the target that contain only objects, if the corresponding objects
// of the source contain only what rows map elsewhere. They may be absent.
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
