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

// Config is the complete content of the files: every table has its CRD, and every policy its
// bindings.
type Config struct {
	// Tables are sorted by name.
	Tables []Table
	// CRDs are all CRDs, including those without a table, sorted by name.
	CRDs []*apiextensionsv1.CustomResourceDefinition
	// Policies are sorted by name. Names are unique among the policies that validate, and among
	// those that mutate.
	Policies []*Policy

	paths []string
}

// NeedTables returns an error if there is no table, for commands that need one.
func (c *Config) NeedTables() error {
	if len(c.Tables) > 0 {
		return nil
	}
	return fmt.Errorf("no Crosswalk (%s) in %s", v1alpha1.GroupVersion(), strings.Join(c.paths, ", "))
}

// Table is a conversion table and its CRD.
type Table struct {
	CRD       *apiextensionsv1.CustomResourceDefinition
	Crosswalk *v1alpha1.Crosswalk
	// Source is the place from which the Crosswalk was read.
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
