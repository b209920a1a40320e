package install

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// A right is "verb resource.group namespace/name"; * stands for the namespace of
// things without one, and for any name.
type right = string

// What each role may do. Verbs that go together are written with commas.
var common = map[string][]right{
	"serve": {
		"get,list,watch crosswalks.crosswalk.dev */*",
		"list,watch validationpolicies.crosswalk.dev */*",
		"list,watch mutationpolicies.crosswalk.dev */*",
		"get,list,watch namespaces */*",
		"get,list,watch customresourcedefinitions.apiextensions.k8s.io */*",
		"list,watch secrets crosswalk-system/crosswalk-serving",
		"list,watch controllerrevisions.apps crosswalk-system/*",
	},
	"manage": {
		"get,list,watch,create,patch crosswalks.crosswalk.dev */*",
		"patch crosswalks/status.crosswalk.dev */*",
		"get,list,watch validationpolicies.crosswalk.dev */*",
		"get,list,watch mutationpolicies.crosswalk.dev */*",
		"patch validationpolicies/status.crosswalk.dev */*",
		"patch mutationpolicies/status.crosswalk.dev */*",
		"get,list,watch,patch customresourcedefinitions.apiextensions.k8s.io */*",
		"get,list,watch,create validatingwebhookconfigurations.admissionregistration.k8s.io */*",
		"get,list,watch,create mutatingwebhookconfigurations.admissionregistration.k8s.io */*",
		"patch validatingwebhookconfigurations.admissionregistration.k8s.io */crosswalk",
		"patch validatingwebhookconfigurations.admissionregistration.k8s.io */crosswalk-policies",
		"patch mutatingwebhookconfigurations.admissionregistration.k8s.io */0-crosswalk",
		"patch mutatingwebhookconfigurations.admissionregistration.k8s.io */crosswalk-policies",
		"get,list,watch apiservices.apiregistration.k8s.io */*",
		"create events crosswalk-system/*",
		"create,patch events.events.k8s.io */*",
		"get services crosswalk-system/*",
		"list,watch endpointslices.discovery.k8s.io crosswalk-system/*",
		"list,watch,create,delete controllerrevisions.apps crosswalk-system/*",
		"create canaries.crosswalk.dev crosswalk-system/*",
		"create leases.coordination.k8s.io crosswalk-system/*",
		"get,update leases.coordination.k8s.io crosswalk-system/crosswalk-manage",
		"get,list,watch secrets crosswalk-system/crosswalk-serving",
	},
}

// more is what roles may do besides, by overlay.
var more = map[string]map[string][]right{
	"base":                 {"manage": authority},
	"components/injection": {"manage": slices.Concat(authority, injection)},
	"overlays/cert-manager": {"manage": {
		"get certificates.cert-manager.io crosswalk-system/crosswalk-serving",
	}},
	"overlays/aggregated": {"manage": slices.Concat(authority, ownAPIServices), "serve": {
		"create tokenreviews.authentication.k8s.io */*",
		"create subjectaccessreviews.authorization.k8s.io */*",
		"get,list,watch configmaps kube-system/extension-apiserver-authentication",
	}},
}

// ownAPIServices is what manage may do where serve has API groups of its own.
var ownAPIServices = []right{
	"patch apiservices.apiregistration.k8s.io */v1alpha1.admission.crosswalk.dev",
	"patch apiservices.apiregistration.k8s.io */v1alpha1.conversion.crosswalk.dev",
}

// injection is what manage may do with components/injection.
var injection = []right{
	"patch validatingwebhookconfigurations.admissionregistration.k8s.io */*",
	"patch mutatingwebhookconfigurations.admissionregistration.k8s.io */*",
	"patch apiservices.apiregistration.k8s.io */*",
}

// authority is what manage may do where it is the authority.
var authority = []right{
	"create secrets crosswalk-system/*",
	"update secrets crosswalk-system/crosswalk-serving",
	"get,list,watch,update secrets crosswalk-system/crosswalk-authority",
}

// never is what nobody of ours may do, whatever the tables above say.
var never = map[string][]right{
	"serve": {
		"get secrets crosswalk-system/crosswalk-authority",
		"list secrets crosswalk-system/*",
		"get secrets default/crosswalk-serving",
		"update secrets crosswalk-system/crosswalk-serving",
		"update crosswalks.crosswalk.dev */*",
		"patch customresourcedefinitions.apiextensions.k8s.io */*",
		"create controllerrevisions.apps crosswalk-system/*",
		"create pods crosswalk-system/*",
		"get crontabs.stable.example.com default/*",
	},
	"manage": {
		"get secrets crosswalk-system/another",
		"list secrets crosswalk-system/*",
		"get secrets default/crosswalk-authority",
		"delete crosswalks.crosswalk.dev */*",
		"update mutatingwebhookconfigurations.admissionregistration.k8s.io */crosswalk-policies",
		"delete customresourcedefinitions.apiextensions.k8s.io */*",
		"delete mutatingwebhookconfigurations.admissionregistration.k8s.io */*",
		"update controllerrevisions.apps crosswalk-system/*",
		"create pods crosswalk-system/*",
		"get crontabs.stable.example.com default/*",
		"escalate clusterroles.rbac.authorization.k8s.io */*",
		"impersonate users */*",
	},
}

// testRights asks the real authorizer for each right, and the whole list of rights
// for anything else.
func (c *cluster) testRights(t *testing.T, overlay string) {
	for _, role := range []string{"serve", "manage"} {
		wanted := slices.Concat(common[role], more[overlay][role])
		for _, r := range single(wanted) {
			if !c.may(t, role, r) {
				t.Errorf("crosswalk-%s may not %s", role, r)
			}
		}
		for _, r := range never[role] {
			if c.may(t, role, r) {
				t.Errorf("crosswalk-%s may %s", role, r)
			}
		}
		for _, r := range c.rights(t, account(role)) {
			if !slices.Contains(single(wanted), r) && !slices.Contains(c.everybodys, r) {
				t.Errorf("crosswalk-%s may also %s", role, r)
			}
		}
	}
}

// single splits rights into one verb each.
func single(rights []right) []right {
	var all []right
	for _, r := range rights {
		verbs, rest, _ := strings.Cut(r, " ")
		for verb := range strings.SplitSeq(verbs, ",") {
			all = append(all, verb+" "+rest)
		}
	}
	return all
}

// may asks whether a role has a right.
func (c *cluster) may(t *testing.T, role string, r right) bool {
	t.Helper()
	return c.allowed(t, account(role), []string{"system:serviceaccounts", "system:serviceaccounts:crosswalk-system", "system:authenticated"}, r)
}

// allowed asks the authorizer, which is what kubectl auth can-i does.
func (c *cluster) allowed(t *testing.T, user string, groups []string, r right) bool {
	t.Helper()
	verb, rest, _ := strings.Cut(r, " ")
	what, where, _ := strings.Cut(rest, " ")
	resource, group, _ := strings.Cut(what, ".")
	resource, subresource, _ := strings.Cut(resource, "/")
	namespace, name, _ := strings.Cut(where, "/")
	review := authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SubjectAccessReview"},
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: user, Groups: groups,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: verb, Group: group, Resource: resource, Subresource: subresource,
				Namespace: strings.Trim(namespace, "*"), Name: strings.Trim(name, "*"),
			},
		},
	}
	c.post(t, "/apis/authorization.k8s.io/v1/subjectaccessreviews", &review)
	return review.Status.Allowed
}

// rights lists what a ServiceAccount may do in Crosswalk's namespace and cluster-wide.
// The rules do not tell whether they hold in other namespaces, so things with a namespace
// are told from things without by the table above.
func (c *cluster) rights(t *testing.T, account string) []right {
	t.Helper()
	const ask = `{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": {"namespace": "crosswalk-system"}}`
	data, err := c.plane.KubectlWith(t.Context(), ask, "create", "--validate=false", "-o", "json", "-f", "-", "--as="+account)
	if err != nil {
		t.Fatal(err)
	}
	var review authorizationv1.SelfSubjectRulesReview
	if err := json.Unmarshal([]byte(data), &review); err != nil {
		t.Fatal(err)
	}
	if review.Status.Incomplete {
		t.Fatalf("the authorizer does not know all: %s", review.Status.EvaluationError)
	}
	var all []right
	for _, rule := range review.Status.ResourceRules {
		names := rule.ResourceNames
		if len(names) == 0 {
			names = []string{"*"}
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				what := strings.Trim(resource+"."+group, ".")
				for _, name := range names {
					for _, verb := range rule.Verbs {
						all = append(all, fmt.Sprintf("%s %s %s/%s", verb, what, scope(what), name))
					}
				}
			}
		}
	}
	if len(all) == 0 {
		t.Fatal("the authorizer knows no rights")
	}
	return all
}

// scope is the namespace in which the table grants a resource.
func scope(what string) string {
	all := slices.Concat(common["serve"], common["manage"])
	for _, overlay := range overlays {
		all = slices.Concat(all, more[overlay]["serve"], more[overlay]["manage"])
	}
	for _, r := range all {
		fields := strings.Fields(r)
		if fields[1] == what {
			namespace, _, _ := strings.Cut(fields[2], "/")
			return namespace
		}
	}
	return "nowhere"
}

func (c *cluster) post(t *testing.T, path string, object any) {
	t.Helper()
	body, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.api.Do(t.Context(), http.MethodPost, path, harness.JSONType, body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer, object); err != nil {
		t.Fatal(err)
	}
}
