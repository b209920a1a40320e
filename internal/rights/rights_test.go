package rights

import (
	"errors"
	"slices"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

func TestTexts(t *testing.T) {
	got := Texts(slices.Concat(
		Parse("", "get,list customresourcedefinitions.apiextensions.k8s.io", "patch crosswalks/status.crosswalk.dev", "create,patch events.events.k8s.io"),
		Parse("crosswalk-system", "get services", "get,update leases.coordination.k8s.io crosswalk-manage", "get secrets a", "get secrets b"),
	))
	want := []string{
		"get,list customresourcedefinitions.apiextensions.k8s.io", "patch crosswalks/status.crosswalk.dev", "create,patch events.events.k8s.io",
		"get services in crosswalk-system", "get,update leases.coordination.k8s.io crosswalk-manage in crosswalk-system",
		"get secrets a in crosswalk-system", "get secrets b in crosswalk-system",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// What a rule lists is not asked for, and another authorizer may grant the rest.
func TestMissing(t *testing.T) {
	const namespace = "crosswalk-system"
	rule := func(verb, group, resource string, names ...string) authorizationv1.ResourceRule {
		return authorizationv1.ResourceRule{Verbs: []string{verb}, APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: names}
	}
	for name, test := range map[string]struct {
		everywhere, within []authorizationv1.ResourceRule // what RBAC grants
		needed             []Right
		granted            bool // by another authorizer
		asked              []string
		missing            []string
	}{
		"listed": {
			everywhere: []authorizationv1.ResourceRule{rule("get", "crosswalk.dev", "crosswalks"), rule("patch", "crosswalk.dev", "crosswalks/status")},
			needed:     Parse("", "get crosswalks.crosswalk.dev", "patch crosswalks/status.crosswalk.dev"),
		},
		"everything": {everywhere: []authorizationv1.ResourceRule{rule("*", "*", "*")}, needed: Parse("", "get pods", "patch crosswalks/status.crosswalk.dev")},
		"subresources of all": {
			everywhere: []authorizationv1.ResourceRule{rule("get", "*", "*/scale")},
			needed:     Parse("", "get deployments/scale.apps", "get deployments.apps"),
			asked:      []string{"get deployments.apps"}, missing: []string{"get deployments.apps"},
		},
		"one name": {
			within: []authorizationv1.ResourceRule{rule("get", "", "secrets", "a", "b"), rule("create", "", "secrets", "a")},
			needed: Parse(namespace, "get secrets b", "get secrets c", "get secrets", "create secrets"),
			asked:  []string{"get secrets c in crosswalk-system", "get secrets in crosswalk-system", "create secrets in crosswalk-system"},
			missing: []string{
				"get secrets c in crosswalk-system", "get secrets in crosswalk-system", "create secrets in crosswalk-system"},
		},
		"another verb, group and resource": {
			everywhere: []authorizationv1.ResourceRule{rule("get", "a", "x"), rule("list", "b", "x"), rule("list", "a", "y")},
			needed:     Parse("", "list x.a"), asked: []string{"list x.a"}, missing: []string{"list x.a"},
		},
		"a resource is not its subresource": {
			everywhere: []authorizationv1.ResourceRule{rule("patch", "a", "x")},
			needed:     Parse("", "patch x/status.a"), asked: []string{"patch x/status.a"}, missing: []string{"patch x/status.a"},
		},
		"in one namespace only": {
			within: []authorizationv1.ResourceRule{rule("list", "", "services")},
			needed: slices.Concat(Parse("", "list services"), Parse(namespace, "list services")),
			asked:  []string{"list services"}, missing: []string{"list services"},
		},
		"not listed":     {needed: Parse("", "list services"), granted: true, asked: []string{"list services"}},
		"nothing needed": {},
	} {
		t.Run(name, func(t *testing.T) {
			client := fake.NewClientset()
			var asked []string
			client.PrependReactor("create", "selfsubjectrulesreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
				review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectRulesReview)
				review.Status.ResourceRules = test.everywhere
				switch review.Spec.Namespace {
				case namespace:
					review.Status.ResourceRules = slices.Concat(test.everywhere, test.within)
				case "":
					t.Error("the API server needs a namespace")
				}
				return true, review, nil
			})
			client.PrependReactor("create", "selfsubjectaccessreviews", func(action clienttesting.Action) (bool, runtime.Object, error) {
				review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
				asked = append(asked, Right(*review.Spec.ResourceAttributes).String())
				review.Status.Allowed = test.granted
				return true, review, nil
			})
			missing, err := Missing(t.Context(), client.AuthorizationV1(), test.needed)
			var got []string
			for _, right := range missing {
				got = append(got, right.String())
			}
			if err != nil || !slices.Equal(got, test.missing) || !slices.Equal(asked, test.asked) {
				t.Errorf("%v; missing are\n%q\nwant\n%q\nasked for\n%q\nwant\n%q", err, got, test.missing, asked, test.asked)
			}
		})
	}
}

func TestMissingWithoutAnswer(t *testing.T) {
	for _, resource := range []string{"selfsubjectrulesreviews", "selfsubjectaccessreviews"} {
		client := fake.NewClientset()
		client.PrependReactor("create", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return true, action.(clienttesting.CreateAction).GetObject(), nil
		})
		failure := errors.New("no answer")
		client.PrependReactor("create", resource, func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, failure })
		if _, err := Missing(t.Context(), client.AuthorizationV1(), Parse("", "get pods")); !errors.Is(err, failure) {
			t.Errorf("%s: %v", resource, err)
		}
	}
}
