package audit

import (
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

func scopeOf(t *testing.T, text string) *v1alpha1.PolicyScope {
	t.Helper()
	scope := &v1alpha1.PolicyScope{MatchConstraints: new(admissionregistrationv1.MatchResources)}
	if err := yaml.UnmarshalStrict([]byte(text), scope.MatchConstraints); err != nil {
		t.Fatal(err)
	}
	return scope
}

func TestVersionFor(t *testing.T) {
	plain := &resource{group: "example.com", plural: "stars", creatable: true, versions: []string{"v1", "v1beta1"}}
	withTable := &resource{group: "example.com", plural: "stars", creatable: true, versions: []string{"v1", "v1beta1"}, table: new(cluster.Table)}
	const rules = "resourceRules: [{apiGroups: [example.com], apiVersions: [v1beta1], operations: [CREATE], resources: [stars]}]"
	tests := map[string]struct {
		of    *resource
		match string
		hub   bool
		want  string
	}{
		"every version":                      {plain, strings.Replace(rules, "v1beta1", "'*'", 1), false, "v1"},
		"another version":                    {plain, rules, false, "v1beta1"},
		"another version, with a table":      {withTable, rules, false, "v1"},
		"exactly another version":            {withTable, rules + "\nmatchPolicy: Exact", false, "v1beta1"},
		"a version that is not served":       {plain, strings.Replace(rules, "v1beta1", "v2", 1), false, ""},
		"not served, with a table":           {withTable, strings.Replace(rules, "v1beta1", "v2", 1), false, ""},
		"the hub version, if it is unserved": {withTable, strings.Replace(rules, "v1beta1", "v2", 1), true, "v1"},
		"another group":                      {plain, strings.Replace(rules, "example.com", "example.org", 1), false, ""},
		"every group and resource":           {plain, "resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]", false, "v1"},
		"subresources, too":                  {plain, strings.Replace(rules, "[stars]", "['*/*']", 1), false, "v1beta1"},
		"a subresource":                      {plain, strings.Replace(rules, "[stars]", "[stars/status]", 1), false, ""},
		"updates":                            {plain, strings.Replace(rules, "CREATE", "UPDATE", 1), false, ""},
		"the second rule":                    {plain, strings.Replace(rules, "]}]", "]}, {apiGroups: ['*'], apiVersions: [v1], operations: ['*'], resources: ['*']}]", 1), false, "v1"},
		"nothing":                            {plain, "{}", false, ""},
		"what nobody can create":             {&resource{group: "example.com", plural: "stars", versions: []string{"v1beta1"}}, rules, false, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			scope := scopeOf(t, test.match)
			scope.Hub = test.hub
			if got := test.of.versionFor(scope); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func discovered() []*resource {
	all := metav1.Verbs{"create", "get", "list"}
	return resourcesIn([]*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "pods", SingularName: "pod", Kind: "Pod", ShortNames: []string{"po"}, Namespaced: true, Verbs: all},
			{Name: "pods/log", Kind: "Pod", Verbs: all},
			{Name: "bindings", Kind: "Binding", Verbs: metav1.Verbs{"create"}},
			{Name: "events", Kind: "Event", Namespaced: true, Verbs: all},
		}},
		{GroupVersion: "events.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "events", Kind: "Event", Namespaced: true, Verbs: all}}},
		{GroupVersion: "example.com/v1", APIResources: []metav1.APIResource{{Name: "stars", SingularName: "star", Kind: "Star", Verbs: metav1.Verbs{"list"}}}},
		{GroupVersion: "example.com/v1beta1", APIResources: []metav1.APIResource{{Name: "stars", SingularName: "star", Kind: "Star", Verbs: all}}},
	})
}

func TestResourcesIn(t *testing.T) {
	var got []string
	for _, r := range discovered() {
		got = append(got, r.String()+" "+strings.Join(r.versions, ","))
	}
	if want := "events v1; events.events.k8s.io v1; pods v1; stars.example.com v1,v1beta1"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}

func TestSelected(t *testing.T) {
	tests := map[string]struct {
		names string
		want  string // or the error
	}{
		"none":               {"", "events events.events.k8s.io pods stars.example.com"},
		"plural":             {"pods", "pods"},
		"singular and kind":  {"star Pod", "stars.example.com pods"},
		"short name":         {"po", "pods"},
		"the same twice":     {"po pods", "pods"},
		"with group":         {"stars.example.com", "stars.example.com"},
		"the core group":     {"events", "events"},
		"as kubectl -o name": {"customresourcedefinition.apiextensions.k8s.io/stars.example.com", "stars.example.com"},
		"several":            {"Event", `"Event" can be events or events.events.k8s.io: name one of them`},
		"unknown":            {"bindings", `no resource that can be listed is called "bindings": kubectl api-resources --verbs=list shows them`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			chosen, err := selected(discovered(), strings.Fields(test.names))
			var got []string
			for _, r := range chosen {
				got = append(got, r.String())
			}
			if err != nil {
				got = []string{err.Error()}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%s, want %s", strings.Join(got, " "), test.want)
			}
		})
	}
}

func TestPath(t *testing.T) {
	for want, got := range map[string]string{
		"/api/v1/pods":                                    (&resource{plural: "pods"}).path("v1", ""),
		"/api/v1/namespaces/shop/pods":                    (&resource{plural: "pods"}).path("v1", "shop"),
		"/apis/example.com/v1beta1/stars":                 (&resource{group: "example.com", plural: "stars"}).path("v1beta1", ""),
		"/apis/example.com/v1beta1/namespaces/shop/stars": (&resource{group: "example.com", plural: "stars"}).path("v1beta1", "shop"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestConcerns(t *testing.T) {
	table := new(cluster.Table)
	table.CRD = new(apiextensionsv1.CustomResourceDefinition)
	table.CRD.Spec.Group = "example.com"
	w := &world{tables: map[string]*cluster.Table{"stars.example.com": table}, policies: []compiled{
		{scope: new(v1alpha1.PolicyScope)},
		{scope: scopeOf(t, "resourceRules: [{apiGroups: [apps], apiVersions: ['*'], operations: [CREATE], resources: ['*']}]")},
	}}
	for group, want := range map[string]bool{"example.com": true, "apps": true, "metrics.k8s.io": false} {
		if got := w.concerns(group); got != want {
			t.Errorf("%s: %t", group, got)
		}
	}
}
