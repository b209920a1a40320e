package policies

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

func target() webhooks.Target {
	return webhooks.Target{Service: cluster.Service{Namespace: "crosswalk-system", Name: "crosswalk"}, Port: 443}
}

const crontabs = "{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}"

// scope is that of a policy that validates, from the YAML of its PolicyScope. One
// without matchConstraints is about CronTabs.
func scope(t *testing.T, text string) Scope {
	t.Helper()
	return ScopeOf(parsed(t, text), target())
}

func parsed(t *testing.T, text string) Policy {
	t.Helper()
	if !strings.Contains(text, "matchConstraints:") {
		text += "\nmatchConstraints: {resourceRules: [" + crontabs + "]}"
	}
	p := Policy{Kind: v1alpha1.KindValidationPolicy}
	if err := yaml.UnmarshalStrict([]byte(text), &p.PolicyScope); err != nil {
		t.Fatal(err)
	}
	p.Push = true
	return p
}

// The whole of what is written.
func TestPlan(t *testing.T) {
	mutation := parsed(t, "failurePolicy: Ignore")
	mutation.Kind, mutation.Reinvocation = v1alpha1.KindMutationPolicy, admissionregistrationv1.IfNeededReinvocationPolicy
	d := Desired{
		Target: target(), Mutations: map[string]Scope{"defaults": ScopeOf(mutation, target())},
		Validations: map[string]Scope{
			"schedules": scope(t, "matchConditions: [{name: a, expression: object.spec.a == 'x'}]"), "names": scope(t, ""), "a.b": scope(t, ""),
		},
	}
	d.Bundle, d.Annotations, d.Suffix = []byte("bundle"), map[string]string{"who": "us"}, "-files"
	p := Plan(d)
	rehearsal.WantObjects(t, "testdata/plan.yaml", p.Mutating, p.Validating)
}

// How policies share webhooks: one line for each webhook.
func TestGroups(t *testing.T) {
	for name, test := range map[string]struct {
		policies map[string]string
		want     []string
	}{
		"none":                        {nil, nil},
		"the same scope":              {map[string]string{"b": "", "a": "failurePolicy: Fail"}, []string{"a/b"}},
		"another failurePolicy":       {map[string]string{"b": "", "a": "failurePolicy: Ignore"}, []string{"a", "b"}},
		"another matchPolicy":         {map[string]string{"b": "", "a": "matchConstraints: {matchPolicy: Exact, resourceRules: [" + crontabs + "]}"}, []string{"a", "b"}},
		"another selector":            {map[string]string{"b": "", "a": "matchConstraints: {objectSelector: {matchLabels: {a: b}}, resourceRules: [" + crontabs + "]}"}, []string{"a", "a", "b"}},
		"another namespace selector":  {map[string]string{"b": "", "a": "matchConstraints: {namespaceSelector: {matchLabels: {a: b}}, resourceRules: [" + crontabs + "]}"}, []string{"a", "b"}},
		"another condition":           {map[string]string{"b": "", "a": "matchConditions: [{name: a, expression: 'true'}]"}, []string{"a", "a", "b"}},
		"in the order of their first": {map[string]string{"c": "", "a": "", "b": "failurePolicy: Ignore"}, []string{"a/c", "b"}},
		"names of things":             {map[string]string{"c": "", "b": "matchConstraints: {resourceRules: [" + strings.TrimSuffix(crontabs, "}") + ", resourceNames: [x]}]}"}, []string{"b/c"}},
		"what it is excluded from":    {map[string]string{"c": "", "b": "matchConstraints: {resourceRules: [" + crontabs + "], excludeResourceRules: [" + crontabs + "]}"}, []string{"b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := Desired{Target: target(), Validations: map[string]Scope{}}
			for name, text := range test.policies {
				d.Validations[name] = scope(t, text)
			}
			var got []string
			for _, w := range Plan(d).Validating.Webhooks {
				got = append(got, strings.TrimPrefix(*w.ClientConfig.Service.Path, ValidatePath+"/"))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// What means the same is the same scope.
func TestScopesAreNormal(t *testing.T) {
	for name, test := range map[string][2]string{
		"the order of lists": {
			"{resourceRules: [" + crontabs + ", {apiGroups: [a, b], apiVersions: [v1, v2], operations: [DELETE, CREATE], resources: [d, c]}]}",
			"{resourceRules: [" + crontabs + ", " + crontabs + ", {apiGroups: [b, a, a], apiVersions: [v2, v1], operations: [CREATE, DELETE], resources: [c, d], scope: '*'}]}",
		},
		"the order of rules where nothing is converted": {
			"{matchPolicy: Exact, resourceRules: [" + crontabs + ", {apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [c]}]}",
			"{matchPolicy: Exact, resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [c]}, " + crontabs + "]}",
		},
		"defaults": {
			"{resourceRules: [" + crontabs + "]}",
			"{matchPolicy: Equivalent, namespaceSelector: {}, objectSelector: {matchLabels: {}}, resourceRules: [" + crontabs + "]}",
		},
		"what * covers": {
			"{resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*', 'a/b', 'b/*']}]}",
			"{resourceRules: [{apiGroups: [a, '*'], apiVersions: [v1, '*'], operations: [CREATE, '*'], resources: [a, 'a/b', '*', 'b/*', b, 'b/c']}]}",
		},
		"what */* covers": {
			"{resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: ['*/*']}]}",
			"{resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: ['*', 'a/*', '*/b', '*/*']}]}",
		},
		"requirements": {
			"{namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [x, y]}, {key: b, operator: Exists}]}, resourceRules: [" + crontabs + "]}",
			"{namespaceSelector: {matchExpressions: [{key: b, operator: Exists}, {key: a, operator: In, values: [y, x]}]}, resourceRules: [" + crontabs + "]}",
		},
		"Crosswalk's own namespace": {
			"{resourceRules: [" + crontabs + "]}",
			"{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [crosswalk-system]}]}, resourceRules: [" + crontabs + "]}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := scope(t, "matchConstraints: "+test[0]), scope(t, "matchConstraints: "+test[1])
			if a.hash() != b.hash() {
				t.Errorf("%+v\nis not\n%+v", a, b)
			}
		})
	}
}

// The API server converts to the version of the first rule that fits.
func TestOrderOfVersionsIsKept(t *testing.T) {
	s := scope(t, "matchConstraints: {resourceRules: ["+strings.Replace(crontabs, "v1", "v2", 1)+", "+crontabs+"]}")
	if len(s.Rules) != 4 || s.Rules[0].APIVersions[0] != "v2" || s.Rules[2].APIVersions[0] != "v2" {
		t.Errorf("got %+v", s.Rules)
	}
}

// More policies than one webhook asks for.
func TestChunks(t *testing.T) {
	one := scope(t, "")
	d := Desired{Target: target(), Validations: map[string]Scope{}}
	for i := range 2*mostNames + 1 {
		d.Validations[fmt.Sprintf("p%03d", i)] = one
	}
	var got []string
	for _, w := range Plan(d).Validating.Webhooks {
		names := namesIn(&w.ClientConfig, ValidatePath)
		got = append(got, fmt.Sprintf("%s %s-%s %d", w.Name, names[0], names[len(names)-1], len(names)))
	}
	want := []string{
		"p000-and-99-more.validationpolicies.crosswalk.dev p000-p099 100",
		"p100-and-99-more.validationpolicies.crosswalk.dev p100-p199 100",
		"p200.validationpolicy.crosswalk.dev p200-p200 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever the policies, each is asked for by exactly one webhook, with its own scope,
// and the plan does not depend on the order in which they come.
func TestPlanIsAPartition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	scopes := []Scope{
		scope(t, ""), scope(t, "failurePolicy: Ignore"), scope(t, "hub: true"), scope(t, "matchConditions: [{name: a, expression: 'true'}]"),
		scope(t, "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}"),
	}
	for range 40 {
		d := Desired{Target: target(), Mutations: map[string]Scope{}, Validations: map[string]Scope{}}
		for range random.IntN(300) {
			validation := scopes[random.IntN(len(scopes))]
			validation.ByItself = random.IntN(2) == 0
			d.Validations[fmt.Sprintf("p%d", random.IntN(1000))] = validation
			mutation := scopes[random.IntN(len(scopes))]
			mutation.Scales, mutation.ByItself = nil, random.IntN(2) == 0
			mutation.Kind, mutation.ReinvocationPolicy = v1alpha1.KindMutationPolicy, []admissionregistrationv1.ReinvocationPolicyType{"Never", "IfNeeded"}[random.IntN(2)]
			d.Mutations[fmt.Sprintf("p%d", random.IntN(1000))] = mutation
		}
		sides, again := Plan(d).Sides(), Plan(Desired{d.Target, maps.Clone(d.Mutations), maps.Clone(d.Validations)}).Sides()
		for i, wanted := range []map[string]Scope{d.Mutations, d.Validations} {
			if !sides[i].Holds(again[i]) {
				t.Fatal("the same policies are another plan")
			}
			asked := map[string]int{}
			names := map[string]bool{}
			for _, w := range sides[i].Webhooks {
				if names[w.Name] {
					t.Fatalf("%s is there twice", w.Name)
				}
				names[w.Name] = true
				for _, name := range namesIn(w.Client, paths()[i]) {
					if !isAboutScaling(w.Name) {
						asked[name]++
					}
				}
			}
			told := registered(sides[i])
			for name, scope := range wanted {
				if asked[name] != 1 || told[name].hash() != scope.hash() {
					t.Fatalf("%s is asked for %d times, with the scope %+v, want %+v", name, asked[name], told[name], scope)
				}
			}
			if len(asked) != len(wanted) {
				t.Fatalf("%d policies are asked for, want %d", len(asked), len(wanted))
			}
		}
	}
}

// A policy for the hub version is asked for whatever version is written.
func TestHub(t *testing.T) {
	s := scope(t, `
hub: true
matchConditions: [{name: a, expression: 'true'}]
matchConstraints: {matchPolicy: Equivalent, resourceRules: [`+crontabs+", "+strings.Replace(crontabs, "v1", "v2", 1)+"]}")
	if s.MatchPolicy != admissionregistrationv1.Exact || len(s.Rules) != 2 || !slices.Equal(s.Rules[0].APIVersions, []string{"*"}) || len(s.MatchConditions) > 0 {
		t.Errorf("got %+v", s)
	}
}

func TestCRDsOf(t *testing.T) {
	for text, want := range map[string]string{
		"[" + crontabs + "]": "crontabs.stable.example.com",
		"[{apiGroups: [a, b], apiVersions: [v1], operations: [CREATE], resources: [cs, cs/status, ds]}]": "cs.a cs.b ds.a ds.b",
		"[{apiGroups: ['*'], apiVersions: [v1], operations: [CREATE], resources: [cs]}]":                 "",
		"[{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: ['*/status']}]":           "",
	} {
		got, err := CRDsOf(parsed(t, "matchConstraints: {resourceRules: "+text+"}"))
		if strings.Join(got, " ") != want || (err != nil) != (want == "") {
			t.Errorf("%s: got %q, %v", text, got, err)
		}
	}
}

// Only policies for the hub version of this very CRD are found.
func TestForHub(t *testing.T) {
	hub := mutation(t, "hub")
	hub.Spec.Hub = true
	s := newStage(t)
	for _, p := range []client.Object{
		validation(t, "a", "hub: true"), validation(t, "b", ""), hub,
		validation(t, "c", "hub: true\nmatchConstraints: {resourceRules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [cs]}]}"),
	} {
		s.put(p)
	}
	got, err := ForHub(t.Context(), s.client, "crontabs.stable.example.com")
	if want := []string{"validationpolicy a", "mutationpolicy hub"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got %q, want %q", err, got, want)
	}
}

// A policy without constraints, which does not compile, can be planned all the same.
func TestScopeOfNothing(t *testing.T) {
	s := ScopeOf(Policy{PolicyScope: v1alpha1.PolicyScope{}}, target())
	if len(s.Rules) != 0 || s.ObjectSelector == nil || !slices.EqualFunc(s.NamespaceSelector.MatchExpressions,
		[]metav1.LabelSelectorRequirement{target().OtherNamespaces()}, func(a, b metav1.LabelSelectorRequirement) bool { return a.Key == b.Key }) {
		t.Errorf("got %+v", s)
	}
}
