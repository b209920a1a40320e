package conversion

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/compile"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/diagnose"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/mapping"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/complement"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// Problem is one mistake in a table: the row, both fields, the mistake and its remedy.
type Problem = diagnose.Problem

// Problems is the error of Compile: all mistakes in a table.
type Problems = diagnose.Problems

// Compile returns a converter for a CRD and its table. If the table does not fit the CRD, the
// error is of type Problems and has every mistake.
func Compile(crd *apiextensionsv1.CustomResourceDefinition, table *v1alpha1.Crosswalk, options ...Option) (*Converter, error) {
	c := &compiler{crd: crd, table: table, maxSize: MaxSize, schemas: map[string]*schema.Schema{}, functions: map[string]mapping.Function{}, revisions: map[string]string{}}
	for _, option := range options {
		option(c)
	}
	c.checkRetired()
	c.crd, c.table = Effective(crd, table)
	c.checkShared(table)
	converter := c.compile()
	if converter != nil {
		converter.retired, converter.maxSize = retired(table), c.maxSize
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return converter, nil
}

type compiler struct {
	// crd and table are the results of Effective.
	crd      *apiextensionsv1.CustomResourceDefinition
	table    *v1alpha1.Crosswalk
	versions []string
	schemas  map[string]*schema.Schema
	// functions are the functions that rows may call.
	functions map[string]mapping.Function
	// revisions are their revisions.
	revisions map[string]string
	// maxSize is the largest size of an object, in bytes.
	maxSize  int
	problems Problems
}

func (c *compiler) problem(version, remedy, format string, args ...any) {
	c.problems = append(c.problems, Problem{Table: c.table.Name, Version: version, Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (c *compiler) compile() *Converter {
	if c.crd.Name != c.table.Name {
		c.problem("", "give the Crosswalk the name of its CRD", "the CRD is %s", c.crd.Name)
	}
	computes := c.anyRow(func(r *v1alpha1.Row) bool { return r.CEL != nil })
	for i := range c.crd.Spec.Versions {
		v := &c.crd.Spec.Versions[i]
		var props *apiextensionsv1.JSONSchemaProps
		if v.Schema != nil {
			props = v.Schema.OpenAPIV3Schema
		}
		c.versions = append(c.versions, v.Name)
		c.schemas[v.Name] = schema.New(props, computes)
	}
	hub := c.table.Spec.Hub
	rows, tables := c.rows(hub)
	if c.schemas[hub] == nil {
		c.problem("", c.meantHub(hub), "hub %s is not a version of the CRD, which has %s", hub, strings.Join(c.versions, ", "))
		c.problems[len(c.problems)-1].Field = "hub"
		return nil
	}
	converter := &Converter{
		name: c.crd.Name, group: c.crd.Spec.Group, kind: c.crd.Spec.Names.Kind,
		hub: hub, versions: c.versions, plans: map[string]*plan.Plan{}, steps: map[string]*[2]complement.Step{}, apiVersions: map[string][]byte{},
		schemas: map[string]*apiextensionsv1.JSONSchemaProps{}, hasStatus: map[string]bool{},
	}
	for _, v := range c.crd.Spec.Versions {
		converter.hasStatus[v.Name] = v.Subresources != nil && v.Subresources.Status != nil
		if v.Schema != nil {
			converter.schemas[v.Name] = v.Schema.OpenAPIV3Schema
		}
	}
	inputs := map[string]compile.Input{}
	for _, version := range c.versions {
		converter.apiVersions[version] = jsontext.Quote(nil, converter.group+"/"+version)
		if len(version) > stash.MaxVersion {
			c.problem(version, "", "the version's name is longer than %d characters, which is too long for the name of its stash", stash.MaxVersion)
		}
		if version == hub || c.misnamed(version) {
			continue
		}
		inputs[version] = compile.Input{
			Table:      c.table.Name,
			Versions:   [2]string{version, hub},
			Schemas:    [2]*schema.Schema{c.schemas[version], c.schemas[hub]},
			Rows:       rows[version],
			Tables:     tables[version],
			Parameters: c.parameters(),
			Functions:  c.functions,
			Revisions:  c.revised(),
		}
	}
	// What a row of any version marks is marked before the first row is checked.
	if c.anyRow(func(r *v1alpha1.Row) bool { return r.Sensitive }) {
		for _, in := range inputs {
			compile.Build(in)
		}
	}
	built := map[string]*compile.Built{}
	for _, version := range c.versions {
		in, ok := inputs[version]
		if !ok {
			continue
		}
		p, problems := compile.Build(in)
		if len(problems) > 0 && !c.hasEntry(version) && c.unneeded(version) {
			c.hintUnnamed(version, len(problems))
			continue
		}
		if c.problems = append(c.problems, problems...); len(problems) > 0 {
			c.hintRetired(version)
		}
		built[version] = p
		converter.plans[version] = p.Plan
		converter.steps[version] = converter.stepsOf(p.Plan)
	}
	for _, version := range c.versions {
		if p := built[version]; p != nil {
			c.problems = append(c.problems, p.Check()...)
			converter.warnings = append(converter.warnings, p.Warnings()...)
		}
	}
	c.checkParameters(built)
	for version, p := range built {
		p.HubDrops = c.anyRow(func(r *v1alpha1.Row) bool { return r.Drop != "" && r.Hub != nil })
		if len(c.problems) == 0 {
			p.Finish()
			p.Mark = compile.MarkOf(inputs[version]) // includes what other versions drop
		}
	}
	c.checkPrivate(built)
	if len(c.problems) == 0 {
		converter.fingerprint, converter.functions = c.fingerprint(), c.calls()
	}
	return converter
}

// rows returns the rows and the tables of each version.
func (c *compiler) rows(hub string) (rows map[string][]v1alpha1.Row, tables map[string]map[string][]v1alpha1.Row) {
	rows, tables = map[string][]v1alpha1.Row{}, map[string]map[string][]v1alpha1.Row{}
	for _, v := range c.table.Spec.Versions {
		switch _, twice := rows[v.Name]; {
		case v.Name == hub:
			c.problem(v.Name, "remove it: rows map the other versions to the hub", "%s is the hub and has no rows of its own", hub)
		case c.schemas[v.Name] == nil:
			c.problem(v.Name, c.meant(v.Name), "this is not a version of the CRD, which has %s", strings.Join(c.versions, ", "))
		case twice:
			c.problem(v.Name, "put all rows of a version into one entry", "%s occurs twice", v.Name)
		}
		rows[v.Name] = append(rows[v.Name], v.Rows...)
		if tables[v.Name] = v.Tables; v.Name == hub || c.schemas[v.Name] == nil {
			delete(tables, v.Name)
		}
	}
	return rows, tables
}

// anyRow reports whether such returns true for a row of any version, at any depth.
func (c *compiler) anyRow(such func(*v1alpha1.Row) bool) bool {
	var any func(rows []v1alpha1.Row) bool
	any = func(rows []v1alpha1.Row) bool {
		return slices.ContainsFunc(rows, func(r v1alpha1.Row) bool {
			return such(&r) || slices.ContainsFunc(r.Inner(), func(i v1alpha1.Inner) bool { return any(*i.Rows) })
		})
	}
	return slices.ContainsFunc(c.table.Spec.Versions, func(v v1alpha1.VersionTable) bool {
		return any(v.Rows) || slices.ContainsFunc(slices.Collect(maps.Values(v.Tables)), any)
	})
}

// checkPrivate reports fields that two spokes have and the hub lacks, because the table does
// not define whether they correspond.
func (c *compiler) checkPrivate(plans map[string]*compile.Built) {
	first := map[string]string{}
	for _, version := range c.versions {
		p := plans[version]
		if p == nil {
			continue
		}
		for _, place := range p.Private {
			other, seen := first[place.Path]
			if !seen {
				first[place.Path] = version
				continue
			}
			c.problem(version, fmt.Sprintf("add it to the hub, or separate it with a row in either version: %s", place.Row),
				"%s is in %s and %s, but not in the hub, so its value can't be copied between them", place.Path, other, version)
		}
	}
}

// fingerprint returns a hash of everything that conversions depend on: the table, the schemas,
// and the release's formats.
func (c *compiler) fingerprint() string {
	type version struct {
		Name   string
		Schema *schema.Schema
	}
	var versions []version
	for _, name := range c.versions {
		versions = append(versions, version{name, c.schemas[name]})
	}
	slices.SortFunc(versions, func(a, b version) int { return strings.Compare(a.Name, b.Name) })
	spec := c.table.Spec
	spec.Admission = "" // does not affect conversions
	parts := []any{"crosswalk 1", c.crd.Name, c.crd.Spec.Names.Kind, versions, spec}
	if calls := c.calls(); calls != nil {
		parts = append(parts, calls)
	}
	text, err := json.Marshal(parts)
	if err != nil {
		// The table contains only values that were read from JSON.
		c.problem("", "", "the table cannot be written as JSON: %v", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
