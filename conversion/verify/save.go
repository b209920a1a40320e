package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/places"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

// saved is the form in which a counterexample is kept as a test.
type saved struct {
	// CRD is the name of the CRD, and Kind its kind.
	CRD     string      `json:"crd"`
	Kind    string      `json:"kind"`
	Problem string      `json:"problem"`
	Law     Law         `json:"law"`
	From    string      `json:"from"`
	Through []string    `json:"through"`
	Served  bool        `json:"served,omitempty"`
	Object  string      `json:"object"`
	Edits   []savedEdit `json:"edits,omitempty"`
	Damage  *Damage     `json:"damage,omitempty"`
	savedTable
	// Earlier is the table before, and its schemas, for L7.
	Earlier *savedTable `json:"earlier,omitempty"`
}

type savedTable struct {
	Table   v1alpha1.CrosswalkSpec                      `json:"table"`
	Schemas map[string]*apiextensionsv1.JSONSchemaProps `json:"schemas"`
	// StatusApart is true if status is a subresource of every version.
	StatusApart bool `json:"statusApart,omitempty"`
	// Annotations are those of the table. A CompileFunc may choose functions by them.
	Annotations map[string]string `json:"annotations,omitempty"`
}

func (s *Subject) saved() savedTable {
	out := savedTable{s.Table.Spec, map[string]*apiextensionsv1.JSONSchemaProps{}, s.statusApart(s.Table.Spec.Hub), s.Table.Annotations}
	for _, v := range s.CRD.Spec.Versions {
		out.Schemas[v.Name] = v.Schema.OpenAPIV3Schema
	}
	return out
}

// subject compiles a saved table for the CRD of that name and kind.
func (t savedTable) subject(name, kind string, compile CompileFunc) (*Subject, error) {
	plural, group, _ := strings.Cut(name, ".")
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: name}}
	crd.Spec.Group, crd.Spec.Scope = group, apiextensionsv1.NamespaceScoped
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: plural, Kind: kind, ListKind: kind + "List"}
	for _, version := range slices.Sorted(maps.Keys(t.Schemas)) {
		v := apiextensionsv1.CustomResourceDefinitionVersion{
			Name: version, Served: true, Storage: version == t.Table.Hub,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: t.Schemas[version]},
		}
		if t.StatusApart {
			v.Subresources = &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}}
		}
		crd.Spec.Versions = append(crd.Spec.Versions, v)
	}
	table := &v1alpha1.Crosswalk{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: t.Annotations}, Spec: t.Table}
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
	out := saved{
		CRD: c.Subject.CRD.Name, Kind: c.Subject.CRD.Spec.Names.Kind,
		Problem: c.Problem, Law: c.Law, From: c.From, Through: c.Through, Served: c.Served, Object: string(c.Object), Damage: c.Damage,
		savedTable: c.Subject.saved(),
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
	// YAML rejects a character that JSON allows; JSON is YAML as well.
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
	s, err := in.subject(in.CRD, in.Kind, compile)
	if err != nil || in.Earlier == nil {
		return s, c, err
	}
	earlier, err := in.Earlier.subject(in.CRD, in.Kind, compile)
	s.After(earlier)
	return s, c, err
}
