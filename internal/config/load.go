package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// loader collects what the files hold.
type loader struct {
	errors     Errors
	crds       []found[*apiextensionsv1.CustomResourceDefinition]
	crosswalks []found[*v1alpha1.Crosswalk]
	// refused names the tables that were there but could not be read, so that
	// one mistake is not reported as two.
	refused bool
}

type found[T any] struct {
	name   string
	object T
	source Source
	node   *manifest.Node
}

// files lists the files behind the paths, in the order given, each once.
func (l *loader) files(paths []string) []string {
	var files []string
	for _, path := range paths {
		found, err := manifest.Files(path)
		if err != nil {
			l.errors = append(l.errors, &Error{File: path, Err: err})
		}
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

func (l *loader) file(path string) {
	data, err := manifest.ReadFile(path)
	if err != nil {
		l.errors = append(l.errors, &Error{File: path, Err: err})
		return
	}
	format := manifest.Detect(data)
	docs, err := manifest.Split(data, format)
	for _, doc := range docs {
		if doc.Number == 0 {
			continue
		}
		node, err := manifest.Parse(doc, format)
		if err != nil {
			l.syntax(path, doc.Number, err)
			continue
		}
		l.object(node, Source{File: path, Document: doc.Number})
	}
	if err != nil {
		l.syntax(path, len(docs)+1, err)
	}
}

func (l *loader) syntax(path string, number int, err error) {
	l.refused = true
	var syntax *manifest.SyntaxError
	if errors.As(err, &syntax) {
		l.errors = append(l.errors, &Error{File: path, Document: number, Line: syntax.Line, Err: errors.New(syntax.Reason)})
		return
	}
	l.errors = append(l.errors, &Error{File: path, Document: number, Err: err})
}

func (l *loader) object(node *manifest.Node, source Source) {
	if node == nil || node.Kind != manifest.Map {
		return
	}
	source.Line = node.Line
	apiVersion, kind := node.GetString("apiVersion"), node.GetString("kind")
	group, version, _ := strings.Cut(apiVersion, "/")
	switch {
	case apiVersion == "v1" && kind == "List", group == v1alpha1.GroupName && kind == v1alpha1.KindCrosswalk+"List":
		if items := node.Get("items"); items != nil {
			for _, item := range items.Items {
				l.object(item, source)
			}
		}
	case group == apiextensionsv1.GroupName && kind == "CustomResourceDefinition":
		if version != "v1" {
			l.fail(source, fmt.Errorf("a CustomResourceDefinition of %s is not read: write it as %s/v1", apiVersion, group))
			return
		}
		l.crd(node, source)
	case group == v1alpha1.GroupName && kind == v1alpha1.KindCrosswalk:
		if version != v1alpha1.Version {
			l.fail(source, fmt.Errorf("a Crosswalk of %s is not known: this release reads %s", apiVersion, v1alpha1.GroupVersion()))
			return
		}
		l.crosswalk(node, source)
	case group == v1alpha1.GroupName:
		// A slip here would otherwise look like a kind that is none of ours.
		l.fail(source, fmt.Errorf("there is no kind %s in %s: this release reads %s", kind, group, v1alpha1.KindCrosswalk))
	}
}

func (l *loader) fail(source Source, err error) {
	l.refused = true
	l.errors = append(l.errors, source.fail(err))
}

func (l *loader) crd(node *manifest.Node, source Source) {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := json.Unmarshal(node.AppendJSON(nil), crd); err != nil {
		l.fail(source, fmt.Errorf("CustomResourceDefinition %s: %w", name(node), err))
		return
	}
	if crd.Name == "" {
		l.fail(source, errors.New("a CustomResourceDefinition without metadata.name"))
		return
	}
	if crd.Spec.Names.ListKind == "" {
		// As the API server defaults it.
		crd.Spec.Names.ListKind = crd.Spec.Names.Kind + "List"
	}
	for _, other := range l.crds {
		if other.name == crd.Name {
			l.fail(source, fmt.Errorf("CustomResourceDefinition %s is there twice: first in %s, line %d", crd.Name, other.source.File, other.source.Line))
			return
		}
	}
	l.crds = append(l.crds, found[*apiextensionsv1.CustomResourceDefinition]{crd.Name, crd, source, node})
}

func (l *loader) crosswalk(node *manifest.Node, source Source) {
	if problems := checkCrosswalk(node); len(problems) > 0 {
		for _, problem := range problems {
			at := source
			at.Line = problem.line
			l.fail(at, fmt.Errorf("crosswalk %s: %w", name(node), problem.err))
		}
		return
	}
	crosswalk := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(node.AppendJSON(nil), crosswalk); err != nil {
		l.fail(source, fmt.Errorf("crosswalk %s: %w", name(node), err))
		return
	}
	for _, other := range l.crosswalks {
		if other.name == crosswalk.Name {
			l.fail(source, fmt.Errorf("crosswalk %s is there twice: first in %s, line %d", crosswalk.Name, other.source.File, other.source.Line))
			return
		}
	}
	l.crosswalks = append(l.crosswalks, found[*v1alpha1.Crosswalk]{crosswalk.Name, crosswalk, source, node})
}

func name(node *manifest.Node) string {
	if name := node.Get("metadata").GetString("name"); name != "" {
		return name
	}
	return "without a name"
}

// join gives every table its CRD.
func (l *loader) join(paths []string) *Config {
	config := new(Config)
	var names []string
	for _, crd := range l.crds {
		names = append(names, crd.name)
	}
	for _, table := range l.crosswalks {
		i := slices.Index(names, table.name)
		if i < 0 {
			if l.refused {
				// The CRD may be in what could not be read.
				continue
			}
			remedy := "add its file to --config, or set metadata.name to the name of the CRD"
			if near := nearest(table.name, names); near != "" {
				remedy = "did you mean " + near + "?"
			}
			l.errors = append(l.errors, table.source.fail(fmt.Errorf(
				"crosswalk %s: there is no CustomResourceDefinition of that name; %s", table.name, remedy)))
			continue
		}
		config.Tables = append(config.Tables, Table{CRD: l.crds[i].object, Crosswalk: table.object, Source: table.source, node: table.node})
	}
	if len(l.crosswalks) == 0 && len(l.errors) == 0 {
		cleaned := make([]string, len(paths))
		for i, path := range paths {
			cleaned[i] = filepath.Clean(path)
		}
		l.errors = append(l.errors, &Error{Err: fmt.Errorf(
			"no Crosswalk (%s) in %s", v1alpha1.GroupVersion(), strings.Join(cleaned, ", "))})
	}
	return config
}
