package policies

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/internal/builtin"
)

// crosswalk admit knows every resource of Kubernetes itself that can be written, and no
// other, as discovery tells them.
func (p play) testKinds() {
	if p.programs.Kubernetes != "" {
		p.Skip(harness.LeftOut + "the kinds that `crosswalk admit` knows, which are those of one release")
	}
	served, known := map[string]bool{}, map[string]bool{}
	for version := range strings.FieldsSeq(p.kubectl("api-versions")) {
		group, _, grouped := strings.Cut(version, "/")
		path := "/apis/" + version
		switch {
		case !grouped:
			path = "/api/" + version
		case strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io"):
			continue // of a CRD, or of Crosswalk
		}
		text, err := p.v1.API.Get(p.Context(), path)
		if err != nil {
			p.Fatal(err)
		}
		var list metav1.APIResourceList
		if err := json.Unmarshal(text, &list); err != nil {
			p.Fatal(err)
		}
		for _, r := range list.APIResources {
			sent := schema.FromAPIVersionAndKind(version, r.Kind)
			if r.Version != "" {
				sent = schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
			}
			if verbs := written(r); len(verbs) > 0 {
				served[describe(version, r.Name, sent, r.Namespaced, verbs)] = true
			}
		}
	}
	for _, r := range builtin.Resources() {
		name := r.Resource
		if r.Subresource != "" {
			name += "/" + r.Subresource
		}
		known[describe(r.GroupVersion().String(), name, r.Sent, r.Namespaced, r.Operations)] = true
	}
	for _, one := range slices.Sorted(maps.Keys(served)) {
		if !known[one] {
			p.Errorf("internal/builtin/resources.txt has not what is served: %s", one)
		}
	}
	for _, one := range slices.Sorted(maps.Keys(known)) {
		if !served[one] {
			p.Errorf("internal/builtin/resources.txt has what is not served: %s", one)
		}
	}
}

func describe(version, name string, sent schema.GroupVersionKind, namespaced bool, verbs []string) string {
	where := "cluster"
	if namespaced {
		where = "namespaced"
	}
	kind := sent.Kind
	if sent.GroupVersion().String() != version {
		kind = sent.GroupVersion().String() + ":" + kind
	}
	return strings.Join([]string{version, name, kind, where, strings.Join(verbs, ",")}, " ")
}

// written are the operations by which something is written. To what takes options, and no
// object, one connects, whatever the verb.
func written(r metav1.APIResource) []string {
	if strings.HasSuffix(r.Kind, "Options") {
		return []string{"connect"}
	}
	return slices.DeleteFunc([]string{"create", "update", "delete"}, func(verb string) bool { return !slices.Contains(r.Verbs, verb) })
}
