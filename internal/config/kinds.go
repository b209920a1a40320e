package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// reader reads a document of one kind.
type reader func(l *loader, node *manifest.Node, source Source)

// kindReaders lists the kinds that are read, by group, kind and version.
func kindReaders() map[string]map[string]map[string]reader {
	native := []string{"v1", "v1beta1"}
	return map[string]map[string]map[string]reader{
		v1alpha1.GroupName: {
			v1alpha1.KindCrosswalk:        {v1alpha1.Version: (*loader).crosswalk},
			v1alpha1.KindValidationPolicy: {v1alpha1.Version: readPolicy[v1alpha1.ValidationPolicy]},
			v1alpha1.KindMutationPolicy:   {v1alpha1.Version: readPolicy[v1alpha1.MutationPolicy]},
		},
		apiextensionsv1.GroupName: {
			"CustomResourceDefinition": {"v1": (*loader).crd},
		},
		admissionregistrationv1.GroupName: {
			"ValidatingAdmissionPolicy":        versions(native, readPolicy[admissionregistrationv1.ValidatingAdmissionPolicy]),
			"ValidatingAdmissionPolicyBinding": versions(native, readBinding[admissionregistrationv1.ValidatingAdmissionPolicyBinding]),
			"MutatingAdmissionPolicy":          versions(native, readPolicy[admissionregistrationv1.MutatingAdmissionPolicy]),
			"MutatingAdmissionPolicyBinding":   versions(native, readBinding[admissionregistrationv1.MutatingAdmissionPolicyBinding]),
		},
	}
}

// versions reads several versions in the same way: their fields have the same names and
// meaning. A test checks that.
func versions(names []string, read reader) map[string]reader {
	all := map[string]reader{}
	for _, name := range names {
		all[name] = read
	}
	return all
}

// object reads a document of a known kind, or the items of a list.
func (l *loader) object(node *manifest.Node, source Source) {
	if node == nil || node.Kind != manifest.Map {
		return
	}
	source.Line = node.Line
	apiVersion, kind := node.GetString("apiVersion"), node.GetString("kind")
	group, version, _ := strings.Cut(apiVersion, "/")
	readers := kindReaders()[group]
	if item, list := strings.CutSuffix(kind, "List"); apiVersion == "v1" && kind == "List" || list && readers[item] != nil {
		if items := node.Get("items"); items != nil {
			for _, item := range items.Items {
				l.object(item, source)
			}
		}
		return
	}
	switch read := readers[kind][version]; {
	case read != nil:
		read(l, node, source)
	case readers[kind] != nil && group == v1alpha1.GroupName:
		l.fail(source, fmt.Errorf("unknown version: %s of %s; this release reads %s", kind, apiVersion, v1alpha1.GroupVersion()))
	case readers[kind] != nil:
		l.fail(source, fmt.Errorf("unknown version: %s of %s; use %s/v1", kind, apiVersion, group))
	case group == v1alpha1.GroupName:
		// A typing error here would otherwise look like a kind that is not ours.
		l.fail(source, fmt.Errorf("there is no kind %s in %s; this release reads %s", kind, group, strings.Join(slices.Sorted(maps.Keys(readers)), ", ")))
	}
}
