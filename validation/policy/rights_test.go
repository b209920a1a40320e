package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// permits is a cluster in which some resources may be read.
type permits struct {
	may []string
	err error
}

func (p permits) May(_ context.Context, verb string, resource schema.GroupResource) (bool, error) {
	return slices.Contains(p.may, verb+" "+resource.String()), p.err
}

func (p permits) Resource(_ context.Context, kind schema.GroupVersionKind) (schema.GroupResource, error) {
	if kind.Kind == "Nothing" {
		return schema.GroupResource{}, fmt.Errorf("no: %w", ErrUnknownKind)
	}
	return schema.GroupResource{Group: kind.Group, Resource: strings.ToLower(kind.Kind) + "s"}, p.err
}

// The rights that a policy lacks are those to get what it judges when it is scaled, and to read
// lookups and params.
func TestLacks(t *testing.T) {
	cluster, _ := scalable(t)
	const crontabs = "get crontabs.stable.example.com"
	rule := func(group, resources string) string {
		return "matchConstraints: {resourceRules: [{apiGroups: [" + group + "], apiVersions: ['*'], operations: [UPDATE], resources: [" + resources + "]}]}\n"
	}
	for _, test := range []struct {
		name, spec string
		rights     permits
		want       string
	}{
		{"none", rulesFor("crontabs"), permits{}, crontabs + " scaling"},
		{"another", rulesFor("crontabs"), permits{may: []string{"list crontabs.stable.example.com", "get others.stable.example.com"}}, crontabs + " scaling"},
		{"the right one", rulesFor("crontabs"), permits{may: []string{crontabs}}, ""},
		{"nobody knows", rulesFor("crontabs"), permits{err: errors.New("no answer")}, "no answer"},
		{"what is not scaled", rulesFor("crontabs/status"), permits{}, ""},
		{"the Scale itself", rulesFor("crontabs/scale"), permits{}, ""},
		{"for the hub", "hub: true\n" + rulesFor("crontabs/scale"), permits{}, crontabs + " scaling"},
		{"creation", strings.Replace(rulesFor("crontabs"), "UPDATE", "CREATE", 1), permits{}, ""},
		{"what has no Scale", rule("stable.example.com", "others"), permits{}, ""},
		{"kinds of Kubernetes", rule("apps", "deployments, daemonsets") + "", permits{}, "get deployments.apps scaling"},
		{"the core group", rule("''", "pods, replicationcontrollers"), permits{}, "get replicationcontrollers scaling"},
		{"everything", rule("'*'", "'*'"), permits{}, "get *.* scaling"},
		{"every resource of a group", rule("apps", "'*'"), permits{}, "get *.apps scaling"},
		{"some by name, in a namespace", "matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments], resourceNames: [x], scope: Namespaced}]}\n", permits{}, "get deployments.apps scaling"},
		{"what is excluded", "matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}], " +
			"excludeResourceRules: [{apiGroups: [apps], apiVersions: ['*'], operations: ['*'], resources: ['*/scale']}]}\n", permits{}, ""},
		{"a lookup", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n", permits{}, "list configmaps lookups.a, watch configmaps lookups.a"},
		{"a lookup and one right", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n", permits{may: []string{"list configmaps"}}, "watch configmaps lookups.a"},
		{"a lookup and both rights", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n", permits{may: []string{"list configmaps", "watch configmaps"}}, ""},
		{"a live lookup", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: apps/v1, kind: Deployment, nameExpression: \"'a'\", live: true}]\n", permits{}, "get deployments.apps lookups.a"},
		{"a live lookup of many", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: Pod, selector: {}, live: true}]\n", permits{}, "list pods lookups.a"},
		{"a kind that does not exist", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: Nothing, selector: {}}, {name: b, apiVersion: v1, kind: Pod, selector: {}, live: true}]\n", permits{}, "list pods lookups.b"},
		{"params", rulesFor("crontabs/status") + "paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: a, namespace: b, parameterNotFoundAction: Deny}\n", permits{}, "list configmaps params, watch configmaps params"},
		{"rights of users", rulesFor("crontabs/status") + "matchConditions: [{name: a, expression: \"authorizer.group('').resource('pods').check('get').allowed()\"}]\n", permits{}, "create subjectaccessreviews.authorization.k8s.io authorizer"},
		{"rights of users in a variable", rulesFor("crontabs/status") + "variables: [{name: a, expression: \"authorizer.requestResource.check('get').allowed()\"}]\nmatchConditions: [{name: a, expression: variables.a}]\n", permits{}, "create subjectaccessreviews.authorization.k8s.io authorizer"},
		{"rights of users in a variable that is not used", rulesFor("crontabs/status") + "variables: [{name: a, expression: \"authorizer.requestResource.check('get').allowed()\"}]\n", permits{}, ""},
		{"the right to ask", rulesFor("crontabs/status") + "matchConditions: [{name: a, expression: \"authorizer.requestResource.check('get').allowed()\"}]\n", permits{may: []string{"create subjectaccessreviews.authorization.k8s.io"}}, ""},
		{"a lookup of which nobody knows", rulesFor("crontabs/status") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n", permits{err: errors.New("no answer")}, "no answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cluster.Rights = test.rights
			set := NewValidationSet(cluster, nil)
			if err := set.Replace(compiled(t, test.spec+"validations: [{expression: 'true'}]")); err != nil {
				t.Fatal(err)
			}
			lacks, err := set.Lacks(t.Context(), "schedules")
			got := strings.Join(lacks, ", ")
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("lacks %s, want %s", got, test.want)
			}
		})
	}
	if lacks, err := NewValidationSet(cluster, nil).Lacks(t.Context(), "gone"); lacks != nil || err != nil {
		t.Errorf("got %v, %v", lacks, err)
	}
}
