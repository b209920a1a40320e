package config

import (
	"cmp"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Config is what the files say, complete: every table has its CRD.
type Config struct {
	// Tables are sorted by name.
	Tables []Table
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
	return config, nil
}
