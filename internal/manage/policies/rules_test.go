package policies

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	admissionwebhook "k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules"
	"k8s.io/apiserver/pkg/cel/environment"
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
						return (&rules.Matcher{Rule: rule, Attr: attributes}).Matches()
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
		"the Scale of some":                   {about(updates+", "+rule("operations: [UPDATE], resources: [as/scale], resourceNames: [x]"), ""), "as CREATE UPDATE v1; as/scale UPDATE v1"},
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
				var said []string
				for _, r := range w.Rules {
					said = append(said, strings.Trim(fmt.Sprint(r.Resources, r.Operations, r.APIVersions), "[]"))
				}
				line := strings.NewReplacer("] [", " ", "[", "", "]", "").Replace(strings.Join(said, "; "))
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
