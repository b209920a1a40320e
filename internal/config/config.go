package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Config is what the files say, complete: every table has its CRD, every policy
// its bindings.
type Config struct {
	// Tables are sorted by name.
	Tables []Table
	// CRDs are all of them, those without a table too, sorted by name.
	CRDs []*apiextensionsv1.CustomResourceDefinition
	// Policies are sorted by name. Those that judge differ in their names, and so
	// do those that change.
	Policies []*Policy

	paths []string
}

// NeedTables is the error of a command that has nothing to do without a table.
func (c *Config) NeedTables() error {
	if len(c.Tables) > 0 {
		return nil
	}
	return fmt.Errorf("no Crosswalk (%s) in %s", v1alpha1.GroupVersion(), strings.Join(c.paths, ", "))
}

// Table is a conversion table and the CRD that it is for.
type Table struct {
	CRD       *apiextensionsv1.CustomResourceDefinition
	Crosswalk *v1alpha1.Crosswalk
	// Source is where the Crosswalk was read.
	Source Source

	node *manifest.Node
}

// Source is a place in a file.
type Source struct {
	File     string
	Document int
	Line     int
}

func (s Source) fail(err error) *Error {
	return &Error{File: s.File, Document: s.Document, Line: s.Line, Err: err}
}

// Load reads files and folders. The error is [Errors].
func Load(paths []string) (*Config, error) {
	var l loader
	for _, file := range l.files(paths) {
		l.file(file)
	}
	config := l.join(paths)
	if len(l.errors) > 0 {
		return nil, l.errors
	}
	slices.SortFunc(config.Tables, func(a, b Table) int {
		return cmp.Compare(a.Crosswalk.Name, b.Crosswalk.Name)
	})
	slices.SortFunc(config.CRDs, func(a, b *apiextensionsv1.CustomResourceDefinition) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(config.Policies, func(a, b *Policy) int {
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Kind, b.Kind))
	})
	return config, nil
}
