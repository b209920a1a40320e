package config

import (
	"encoding/json"
	"errors"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

func (l *loader) crd(node *manifest.Node, source Source) {
	if problems := checkCRD(node); len(problems) > 0 {
		l.failAll(source, "CustomResourceDefinition "+name(node), problems)
		return
	}
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
			l.fail(source, twice("CustomResourceDefinition "+crd.Name, other.source))
			return
		}
	}
	l.crds = append(l.crds, found[*apiextensionsv1.CustomResourceDefinition]{crd.Name, crd, source, node})
}

func (l *loader) crosswalk(node *manifest.Node, source Source) {
	if problems := checkCrosswalk(node); len(problems) > 0 {
		l.failAll(source, "crosswalk "+name(node), problems)
		return
	}
	crosswalk := new(v1alpha1.Crosswalk)
	if err := json.Unmarshal(node.AppendJSON(nil), crosswalk); err != nil {
		l.fail(source, fmt.Errorf("crosswalk %s: %w", name(node), err))
		return
	}
	for _, other := range l.crosswalks {
		if other.name == crosswalk.Name {
			l.fail(source, twice("crosswalk "+crosswalk.Name, other.source))
			return
		}
	}
	l.crosswalks = append(l.crosswalks, found[*v1alpha1.Crosswalk]{crosswalk.Name, crosswalk, source, node})
}

func twice(what string, first Source) error {
	return fmt.Errorf("%s is there twice: first in %s, line %d", what, first.File, first.Line)
}
