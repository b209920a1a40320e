package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/edits"
)

// join gives every table its CRD, and every policy its bindings.
func (l *loader) join(paths []string) *Config {
	config := new(Config)
	var names []string
	for _, crd := range l.crds {
		names = append(names, crd.name)
		config.CRDs = append(config.CRDs, crd.object)
	}
	for _, table := range l.crosswalks {
		i := slices.Index(names, table.name)
		if i < 0 {
			if l.refused {
				// The CRD may be in a document that could not be read.
				continue
			}
			remedy := "add its file to --config, or set metadata.name to the name of the CRD"
			if near := edits.Nearest(table.name, names); near != "" {
				remedy = "did you mean " + near + "?"
			}
			l.errors = append(l.errors, table.source.fail(fmt.Errorf(
				"crosswalk %s: there is no CustomResourceDefinition of that name; %s", table.name, remedy)))
			continue
		}
		config.Tables = append(config.Tables, Table{CRD: l.crds[i].object, Crosswalk: table.object, Source: table.source, node: table.node})
	}
	config.Policies = l.policies
	if !l.refused {
		l.bind()
		l.needTables(config)
	}
	config.paths = make([]string, len(paths))
	for i, path := range paths {
		config.paths[i] = filepath.Clean(path)
	}
	if len(l.crosswalks) == 0 && len(l.policies) == 0 && len(l.errors) == 0 {
		l.errors = append(l.errors, &Error{Err: fmt.Errorf(
			"neither a Crosswalk (%s) nor a policy in %s", v1alpha1.GroupVersion(), strings.Join(config.paths, ", "))})
	}
	return config
}

// needTables checks that policies written against a hub version have a table.
func (l *loader) needTables(config *Config) {
	var names []string
	for _, t := range config.Tables {
		names = append(names, t.Crosswalk.Name)
	}
	for _, p := range l.policies {
		if !p.Hub() {
			continue
		}
		for _, resources := range p.resources() {
			known := func(name string) bool { return slices.Contains(names, name) }
			if len(resources) == 0 || slices.ContainsFunc(resources, known) {
				continue
			}
			remedy := "add its file to --config"
			if near := edits.Nearest(resources[0], names); near != "" {
				remedy = "did you mean " + near + "?"
			}
			at := p.Source
			at.Line = lineOf(p.node, "spec.hub")
			l.errors = append(l.errors, at.fail(fmt.Errorf("%v: .spec.hub: there is no Crosswalk for %s, so it has no hub version; %s", p, resources[0], remedy)))
		}
	}
}
