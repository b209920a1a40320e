package admit

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Object is an object of a file.
type Object struct {
	JSON   []byte
	Source config.Source
}

// ReadObjects reads every document of a file as an object, and those that are in a
// List.
func ReadObjects(file string, text []byte) ([]Object, config.Errors) {
	documents, errs := config.Documents(file, text)
	var all []Object
	for _, d := range documents {
		found, wrong := objectsIn(d.Node, d.Source)
		all, errs = append(all, found...), append(errs, wrong...)
	}
	return all, errs
}

func objectsIn(n *manifest.Node, source config.Source) (all []Object, errs config.Errors) {
	if n == nil || n.Kind == manifest.Null {
		return nil, nil
	}
	source.Line = n.Line
	// A List of kubectl's, or one of a kind, as the API server gives it.
	if items := n.Get("items"); strings.HasSuffix(n.GetString("kind"), "List") && items != nil && items.Kind == manifest.List {
		for _, item := range items.Items {
			found, wrong := objectsIn(item, source)
			all, errs = append(all, found...), append(errs, wrong...)
		}
		return all, errs
	}
	if !isObject(n) {
		return nil, config.Errors{{File: source.File, Document: source.Document, Line: source.Line, Err: fmt.Errorf("it is no object of Kubernetes: it needs an apiVersion and a kind")}}
	}
	return []Object{{JSON: n.AppendJSON(nil), Source: source}}, nil
}

// Parse reads the object.
func (o Object) Parse() (*unstructured.Unstructured, error) { return read(o.JSON) }
