package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/weave"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// saved is the form in which a counterexample is kept as a test.
type saved struct {
	Problem string                                      `json:"problem"`
	Law     Law                                         `json:"law"`
	From    string                                      `json:"from"`
	Through []string                                    `json:"through"`
	Served  bool                                        `json:"served,omitempty"`
	Object  string                                      `json:"object"`
	Edits   []savedEdit                                 `json:"edits,omitempty"`
	Damage  *Damage                                     `json:"damage,omitempty"`
	Table   v1alpha1.CrosswalkSpec                      `json:"table"`
	Schemas map[string]*apiextensionsv1.JSONSchemaProps `json:"schemas"`
	// StatusApart says that status is a subresource.
	StatusApart bool `json:"statusApart,omitempty"`
	// Later says that functions are in their later revision.
	Later bool `json:"laterFunctions,omitempty"`
	// Earlier is the table before, and its schemas, for L7.
	Earlier *savedTable `json:"earlier,omitempty"`
}

type savedTable struct {
	Table       v1alpha1.CrosswalkSpec                      `json:"table"`
	Schemas     map[string]*apiextensionsv1.JSONSchemaProps `json:"schemas"`
	StatusApart bool                                        `json:"statusApart,omitempty"`
	Later       bool                                        `json:"laterFunctions,omitempty"`
}

func (s *Subject) saved() savedTable {
	out := savedTable{s.Table.Spec, map[string]*apiextensionsv1.JSONSchemaProps{}, s.statusApart(s.Table.Spec.Hub), weave.Revised(s.Table)}
	for _, v := range s.CRD.Spec.Versions {
		out.Schemas[v.Name] = v.Schema.OpenAPIV3Schema
	}
	return out
}

func (t savedTable) subject(compile CompileFunc) (*Subject, error) {
	crd, table := weave.Document(t.Table.Hub)
	table.Spec = t.Table
	for _, name := range slices.Sorted(maps.Keys(t.Schemas)) {
		weave.AddVersion(crd, name, t.Schemas[name])
	}
	if t.StatusApart {
		weave.StatusApart(crd)
	}
	if t.Later {
		weave.Revise(table)
	}
	return NewSubject(crd, table, compile)
}

type savedEdit struct {
	Path   string `json:"path"`
	Insert bool   `json:"insert,omitempty"`
	Delete bool   `json:"delete,omitempty"`
	Value  string `json:"value,omitempty"`
}

// Save returns a counterexample as YAML that [Load] reads, for a test.
func (c *Counterexample) Save() ([]byte, error) {
	now := c.Subject.saved()
	out := saved{
		Problem: c.Problem, Law: c.Law, From: c.From, Through: c.Through, Served: c.Served, Object: string(c.Object), Damage: c.Damage,
		Table: now.Table, Schemas: now.Schemas, StatusApart: now.StatusApart, Later: now.Later,
	}
	if was := c.Subject.earlier; was != nil {
		earlier := was.saved()
		out.Earlier = &earlier
	}
	for _, e := range c.Edits {
		edit := savedEdit{Path: e.Path.String(), Insert: e.Insert, Delete: e.Value == nil}
		if e.Value != nil {
			edit.Value = e.Value.String()
		}
		out.Edits = append(out.Edits, edit)
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	if text, err := yaml.JSONToYAML(data); err == nil {
		return text, nil
	}
	// YAML refuses a character that JSON allows; JSON is YAML as well.
	return bytes.ReplaceAll(data, []byte("\x7f"), []byte(`\u007f`)), nil
}

// Load reads the result of Save and compiles its table.
func Load(data []byte, compile CompileFunc) (*Subject, Case, error) {
	var in saved
	if err := yaml.UnmarshalStrict(data, &in); err != nil {
		return nil, Case{}, err
	}
	c := Case{Law: in.Law, From: in.From, Through: in.Through, Served: in.Served, Object: []byte(in.Object), Damage: in.Damage}
	for _, e := range in.Edits {
		path, ok := places.Parse(e.Path)
		if !ok {
			return nil, c, fmt.Errorf("edit: path %q cannot be read", e.Path)
		}
		edit := Edit{Path: path, Insert: e.Insert}
		if !e.Delete {
			v, err := tree.Parse([]byte(e.Value))
			if err != nil {
				return nil, c, fmt.Errorf("edit of %s: %w", e.Path, err)
			}
			edit.Value = v
		}
		c.Edits = append(c.Edits, edit)
	}
	s, err := savedTable{in.Table, in.Schemas, in.StatusApart, in.Later}.subject(compile)
	if err != nil || in.Earlier == nil {
		return s, c, err
	}
	earlier, err := in.Earlier.subject(compile)
	s.After(earlier)
	return s, c, err
}
