package policies

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	admissionwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook"
	matcher "k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// Rules match, for the API server's own matcher, what they match for a policy.
func TestRulesMeanTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	some := func(from ...string) []string {
		random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		return from[:1+random.IntN(len(from))]
	}
	patterns := []string{"a", "b", "*", "a/x", "b/x", "a/*", "*/x", "*/*"}
	for range 500 {
		var named []admissionregistrationv1.NamedRuleWithOperations
		for range 1 + random.IntN(3) {
			var operations []admissionregistrationv1.OperationType
			for _, o := range some("CREATE", "UPDATE", "*") {
				operations = append(operations, admissionregistrationv1.OperationType(o))
			}
			named = append(named, admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
				Operations: operations,
				Rule:       admissionregistrationv1.Rule{APIGroups: some("g", "h", "*"), APIVersions: some("v1", "v2", "*"), Resources: some(slices.Clone(patterns)...)},
			}})
		}
		made := rulesOf(named)
		for _, operation := range []admission.Operation{admission.Create, admission.Update, admission.Delete} {
			for _, what := range []schema.GroupVersionResource{{Group: "g", Version: "v1", Resource: "a"}, {Group: "h", Version: "v2", Resource: "b"}, {Group: "i", Version: "v3", Resource: "c"}} {
				for _, sub := range []string{"", "x", "y"} {
					attributes := admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, "default", "it", what, sub, operation, nil, false, nil)
					matches := func(rule admissionregistrationv1.RuleWithOperations) bool {
						return (&matcher.Matcher{Rule: rule, Attr: attributes}).Matches()
					}
					want := slices.ContainsFunc(named, func(n admissionregistrationv1.NamedRuleWithOperations) bool { return matches(n.RuleWithOperations) })
					if got := slices.ContainsFunc(made, matches); got != want {
						t.Fatalf("%v/%s %s: got %v, want %v\nof %+v\nmade %+v", what, sub, operation, got, want, named, made)
					}
				}
			}
		}
	}
}

// Which requests the API server's own matcher takes for those of a policy that is
// about everything.
func TestNever(t *testing.T) {
	s := scope(t, "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*']}]}")
	w := Plan(Desired{Target: target(), Validations: map[string]Scope{"a": s}}).Validating.Webhooks[0]
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	matcher := admissionwebhook.NewValidatingWebhookAccessor(w.Name, Name, &w).GetCompiledMatcher(compiler)
	for group, want := range map[string]bool{
		"": true, "stable.example.com": true, "rbac.authorization.k8s.io": true,
		"authentication.k8s.io": false, "authorization.k8s.io": false, "crosswalk.dev": false,
	} {
		resource := schema.GroupVersionResource{Group: group, Version: "v1", Resource: "things"}
		attributes := admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind{}, "", "it", resource, "", admission.Delete, nil, false, nil)
		result := matcher.Match(t.Context(), &admission.VersionedAttributes{Attributes: attributes}, nil, nil)
		if result.Error != nil || result.Matches != want {
			t.Errorf("%s: got %+v, want %v", group, result, want)
		}
	}
}

// What is a condition of a webhook.
func TestConditions(t *testing.T) {
	everything := "\nmatchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}"
	many := "matchConditions: ["
	for i := range mostConditions {
		many += fmt.Sprintf("{name: c%d, expression: 'true'},", i)
	}
	many += "]"
	for name, test := range map[string]struct {
		text string
		push bool
		want int
	}{
		"none":                        {"", true, 0},
		"pushed":                      {"matchConditions: [{name: a, expression: 'true'}]", true, 1},
		"not to be pushed":            {"matchConditions: [{name: a, expression: variables.a}]", false, 0},
		"as many as there may be":     {many, true, mostConditions},
		"about everything":            {everything, true, 1},
		"about everything and pushed": {"matchConditions: [{name: a, expression: 'true'}]" + everything, true, 2},
		"one too many":                {many + everything, true, 1},
		"a name of ours":              {"matchConditions: [{name: crosswalk.dev/others, expression: 'true'}]" + everything, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := parsed(t, test.text)
			p.Push = test.push
			if got := len(ScopeOf(p, target()).MatchConditions); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// What the API server asks about scaling, a line for each webhook.
func TestScales(t *testing.T) {
	rule := func(rest string) string { return "{apiGroups: [g], apiVersions: [v1], " + rest + "}" }
	about := func(rules, more string) string {
		return "\nmatchConstraints: {resourceRules: [" + rules + "]" + more + "}"
	}
	updates := rule("operations: [CREATE, UPDATE], resources: [as]")
	for name, test := range map[string]struct {
		text string
		want string
	}{
		"an update":                           {about(updates, ""), "as CREATE UPDATE v1; as/scale UPDATE v1"},
		"a creation":                          {about(rule("operations: [CREATE], resources: [as]"), ""), "as CREATE v1"},
		"everything":                          {about(rule("operations: ['*'], resources: ['*']"), ""), "* * v1; */scale UPDATE v1"},
		"every subresource":                   {about(rule("operations: ['*'], resources: ['*/*']"), ""), "*/* * v1"},
		"the status":                          {about(rule("operations: [UPDATE], resources: [as/status]"), ""), "as/status UPDATE v1"},
		"the Scale":                           {about(rule("operations: [UPDATE], resources: [as/scale]"), ""), "as/scale UPDATE v1"},
		"both":                                {about(rule("operations: [UPDATE], resources: [as, as/scale]"), ""), "as as/scale UPDATE v1"},
		"both, by two rules":                  {about(updates+", "+rule("operations: ['*'], resources: ['*/scale']"), ""), "as CREATE UPDATE v1; */scale * v1"},
		"the Scale of something else":         {about(updates+", "+rule("operations: [UPDATE], resources: [bs/scale]"), ""), "as CREATE UPDATE v1; bs/scale UPDATE v1; as/scale UPDATE v1"},
		"the Scale of some":                   {about(updates+", "+rule("operations: [UPDATE], resources: [as/scale], resourceNames: [x]"), ", objectSelector: {matchLabels: {a: b}}"), "as CREATE UPDATE v1; as/scale UPDATE v1 chosen | as/scale UPDATE v1"},
		"without scaling":                     {about(updates, ", excludeResourceRules: ["+rule("operations: ['*'], resources: ['*/scale']")+"]"), "as CREATE UPDATE v1"},
		"without updates":                     {about(updates, ", excludeResourceRules: ["+rule("operations: [UPDATE], resources: [as]")+"]"), "as CREATE UPDATE v1"},
		"without scaling in another version":  {about(updates, ", excludeResourceRules: [{apiGroups: [g], apiVersions: [v2], operations: ['*'], resources: ['*/scale']}]"), "as CREATE UPDATE v1; as/scale UPDATE v1"},
		"chosen by labels":                    {about(updates, ", objectSelector: {matchLabels: {a: b}}"), "as CREATE UPDATE v1 chosen | as/scale UPDATE v1"},
		"chosen by a condition":               {"matchConditions: [{name: a, expression: 'true'}]" + about(updates, ""), "as CREATE UPDATE v1 if a | as/scale UPDATE v1"},
		"chosen by labels in all groups":      {about("{apiGroups: ['*'], apiVersions: [v1], operations: [UPDATE], resources: [as]}", ", objectSelector: {matchLabels: {a: b}}"), "as UPDATE v1 chosen if crosswalk.dev/others | as/scale UPDATE v1 if crosswalk.dev/others"},
		"for the hub":                         {"hub: true" + about(updates, ""), "as CREATE UPDATE *; as/scale UPDATE *"},
		"for the hub, every subresource":      {"hub: true" + about(rule("operations: [UPDATE], resources: ['as/*']"), ", objectSelector: {matchLabels: {a: b}}"), "as as/status UPDATE * chosen | as/scale UPDATE *"},
		"for the hub, the Scale":              {"hub: true" + about(rule("operations: [UPDATE], resources: [as/scale]"), ", objectSelector: {matchLabels: {a: b}}"), "as/scale UPDATE *"},
		"for the hub, creation and the Scale": {"hub: true" + about(rule("operations: [CREATE], resources: [as, as/status]")+", "+rule("operations: ['*'], resources: [as/scale]"), ""), "as as/status CREATE *; as/scale UPDATE *"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			for _, w := range Plan(Desired{Target: target(), Validations: map[string]Scope{"p": scope(t, test.text)}}).Validating.Webhooks {
				var lines []string
				for _, r := range w.Rules {
					lines = append(lines, strings.Trim(fmt.Sprint(r.Resources, r.Operations, r.APIVersions), "[]"))
				}
				line := strings.NewReplacer("] [", " ", "[", "", "]", "").Replace(strings.Join(lines, "; "))
				if len(w.ObjectSelector.MatchLabels) > 0 {
					line += " chosen"
				}
				for _, c := range w.MatchConditions {
					line += " if " + c.Name
				}
				asked = append(asked, line)
			}
			if got := strings.Join(asked, " | "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// labelled are the objects of every kind, all with one label, and scalable.
type labelled struct{ *policy.Given }

func (labelled) Get(_ context.Context, kind schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(1)}}}
	object.SetGroupVersionKind(kind)
	object.SetNamespace(namespace)
	object.SetName(name)
	object.SetLabels(map[string]string{"a": "b"})
	return object, nil
}

func (labelled) Fits(context.Context, schema.GroupVersionResource, []byte) bool { return true }

func (labelled) Refuses(context.Context, schema.GroupVersionResource, []byte) field.ErrorList {
	return nil
}

func (labelled) Replicas(_ context.Context, resource schema.GroupVersionResource) (string, []string, error) {
	return strings.ToUpper(resource.Resource), []string{"spec", "replicas"}, nil
}

// What a policy has an opinion about when it is scaled, the API server asks about: of
// that the rules in a webhook and those of the policy itself are two accounts.
func TestScalesAreAskedAbout(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	some := func(from ...string) []string {
		random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		return from[:1+random.IntN(len(from))]
	}
	rules := func(n int) (all []admissionregistrationv1.NamedRuleWithOperations) {
		for range n {
			n := admissionregistrationv1.NamedRuleWithOperations{RuleWithOperations: admissionregistrationv1.RuleWithOperations{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.OperationType(some("CREATE", "UPDATE", "*")[0])},
				Rule:       admissionregistrationv1.Rule{APIGroups: some("g", "h"), APIVersions: some("v1", "v2"), Resources: some("a", "b", "a/scale", "b/status", "a/*")[:1]},
			}}
			if random.IntN(4) == 0 {
				n.ResourceNames = []string{"it"}
			}
			all = append(all, n)
		}
		return all
	}
	judged, unjudged := 0, 0
	for range 1500 {
		exact := admissionregistrationv1.Exact
		p := &v1alpha1.ValidationPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		p.Spec.MatchConstraints = &admissionregistrationv1.MatchResources{MatchPolicy: &exact, ResourceRules: rules(1 + random.IntN(3)), ExcludeResourceRules: rules(random.IntN(2))}
		p.Spec.Validations = []v1alpha1.Validation{{Expression: "false"}}
		if random.IntN(2) == 0 {
			p.Spec.MatchConstraints.ObjectSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
		}
		p.Spec.Hub = random.IntN(2) == 0
		compiled, problems := policy.Compile(p)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		opinions := 0
		cluster := policy.Cluster{Live: labelled{policy.NewGiven()}, Definitions: labelled{}, Tables: sameShape{}}
		set := policy.NewValidationSet(cluster, func(*policy.Policy, policy.Opinion) { opinions++ })
		if err := set.Replace(compiled); err != nil {
			t.Fatal(err)
		}
		asks := Plan(Desired{Target: target(), Validations: map[string]Scope{"p": ScopeOf(Policy{Kind: v1alpha1.KindValidationPolicy, Name: "p", PolicyScope: p.Spec.PolicyScope, Push: true}, target())}})
		what := schema.GroupVersionResource{Group: some("g", "h")[0], Version: some("v1", "v2")[0], Resource: some("a", "b")[0]}
		scale := metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
		review := &admissionv1.AdmissionRequest{
			Operation: admissionv1.Update, Name: some("it", "other")[0], Namespace: "default", Kind: scale, Resource: metav1.GroupVersionResource(what), SubResource: "scale",
		}
		review.Object.Raw = []byte(`{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":2}}`)
		review.OldObject.Raw = review.Object.Raw
		if _, err := set.Review(t.Context(), review); err != nil {
			t.Fatal(err)
		}
		attributes := admission.NewAttributesRecord(nil, nil, schema.GroupVersionKind(scale), "default", review.Name, what, "scale", admission.Update, nil, false, nil)
		asked := slices.ContainsFunc(asks.Validating.Webhooks, func(w admissionregistrationv1.ValidatingWebhook) bool {
			return len(w.ObjectSelector.MatchLabels) == 0 && slices.ContainsFunc(w.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
				return (&matcher.Matcher{Rule: rule, Attr: attributes}).Matches()
			})
		})
		if opinions > 0 && !asked {
			t.Fatalf("nobody asks about %v/scale, of which the policy has an opinion: %+v", what, p.Spec.PolicyScope)
		}
		if judged += opinions; opinions == 0 {
			unjudged++
		}
	}
	if judged < 100 || unjudged < 100 {
		t.Errorf("%d judged, %d not", judged, unjudged)
	}
}

// sameShape is a table of every kind, in whose versions objects are alike.
type sameShape struct{}

func (sameShape) Table(group, _ string) (policy.Table, bool) {
	return sameShapeOf(group), group != "autoscaling"
}

type sameShapeOf string

func (sameShapeOf) Hub() string { return "v1" }

func (group sameShapeOf) Convert(_, object []byte, to string) ([]byte, error) {
	u := new(unstructured.Unstructured)
	if err := u.UnmarshalJSON(object); err != nil {
		return nil, err
	}
	u.SetAPIVersion(string(group) + "/" + to)
	return u.MarshalJSON()
}

func (sameShapeOf) Places(place []string, _, _ string) [][]string { return [][]string{place} }
