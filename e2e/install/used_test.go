package install

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// elsewhere is what other tests ask the audit log for.
var elsewhere = map[right]string{
	"patch events.events.k8s.io */*": "e2e/authority: an Event that is told again",
}

// TestUsed: Crosswalk uses every right that it has. It reads cert-manager's Certificate to
// tell what is wrong with it, as e2e/certificates shows.
func TestUsed(t *testing.T) {
	t.Parallel()
	programs := stage.Programs(t)
	table, err := harness.ReadTable(filepath.Join(programs.Root, example))
	if err != nil {
		t.Fatal(err)
	}
	scene := stage.StartWith(t, programs, harness.SceneOptions{Aggregated: true, ManageFlags: []string{"--ca-overlap=1s"}}, table)
	c := &cluster{programs: programs, plane: scene.ControlPlane}
	if c.api, err = c.plane.API(); err != nil {
		t.Fatal(err)
	}
	c.useAll(t)
	c.askItself(t, scene.AggregatedPort)
	stage.Until(t, time.Minute, func(context.Context) error {
		return errors.Join(c.unused("serve", "overlays/aggregated"), c.unused("manage", "overlays/aggregated", "components/injection"))
	})
}

// useAll brings about what Crosswalk does in the life of a cluster.
func (c *cluster) useAll(t *testing.T) {
	t.Helper()
	const policies = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: used}
spec:
  matchConstraints:
    namespaceSelector: {matchLabels: {used: "true"}}
    resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs]}]
  validations: [{expression: object.spec.image != 'none'}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: used}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{image: 'a'}}"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: another, annotations: {crosswalk.dev/inject-ca: "true"}}
webhooks:
- {name: a.example.com, clientConfig: {service: {namespace: default, name: a}}, rules: [], failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: another, annotations: {crosswalk.dev/inject-ca: "true"}}
webhooks:
- {name: a.example.com, clientConfig: {service: {namespace: default, name: a}}, rules: [], failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.used.example.com, annotations: {crosswalk.dev/inject-ca: "true"}}
spec: {group: used.example.com, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {namespace: default, name: a}}
`
	c.kubectl(t, "apply", "-f", c.path("components/injection/rbac.yaml"))
	if _, err := c.plane.KubectlWith(t.Context(), policies, "apply", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	c.kubectl(t, "wait", "--for=condition=Ready", "--timeout=60s", "validationpolicy/used", "mutationpolicy/used")
	c.askAbout(t, "not-yet-heard-of")

	// What somebody deletes is made again.
	for _, gone := range []string{"crosswalk/canaries.crosswalk.dev", "validatingwebhookconfiguration/crosswalk", "mutatingwebhookconfiguration/0-crosswalk"} {
		c.kubectl(t, "delete", gone)
	}
	c.kubectl(t, "delete", "validationpolicy/used", "mutationpolicy/used")
	c.kubectl(t, "wait", "validatingwebhookconfiguration/another", "mutatingwebhookconfiguration/another", "--for=jsonpath={.webhooks[0].clientConfig.caBundle}", "--timeout=30s")
	c.kubectl(t, "wait", "apiservice/v1.used.example.com", "--for=jsonpath={.spec.caBundle}", "--timeout=30s")
	c.kubectl(t, "annotate", "secret", "-n", namespace, "crosswalk-authority", "crosswalk.dev/rotate=now")
	// A table that no object needs goes, and its revisions go with it.
	c.unserve(t)
	c.kubectl(t, "delete", "crosswalk", crontabs, "--timeout=60s")
}

// askAbout asks serve about a write in a namespace that is so new that serve, which
// follows namespaces, has not heard of it.
func (c *cluster) askAbout(t *testing.T, namespace string) {
	t.Helper()
	review := fmt.Appendf(nil, `{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "1",
		"kind": {"group": "stable.example.com", "version": "v1", "kind": "CronTab"}, "operation": "CREATE", "name": "a", "namespace": %[1]q,
		"resource": {"group": "stable.example.com", "version": "v1", "resource": "crontabs"}, "userInfo": {"username": "a"},
		"object": {"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "a", "namespace": %[1]q}, "spec": {"image": "a"}}}}`, namespace)
	if _, err := c.api.Do(t.Context(), http.MethodPost, "/apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/used?timeout=10s", harness.JSONType, review); err != nil {
		t.Fatal(err)
	}
}

// askItself asks serve as somebody does who does not come through the API server, so that
// serve has to ask whose token it is.
func (c *cluster) askItself(t *testing.T, port int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://127.0.0.1:%d/apis", port), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+c.kubectl(t, "create", "token", "-n", namespace, "crosswalk-serve"))
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // this is about who asks, not who answers
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode == http.StatusUnauthorized {
		t.Errorf("%s: %v", answer.Status, err)
	}
}

// unused names the rights that a role has with the overlays and has not used. Whoever
// watches may list too: that is how an API server is asked that does not stream what there
// is. A right to any name is used where none of the names is one that the role has a right
// to besides.
func (c *cluster) unused(role string, overlays ...string) error {
	allowed, err := c.plane.Allowed(harness.Accounts)
	if err != nil {
		return err
	}
	rights := common[role]
	for _, overlay := range overlays {
		rights = slices.Concat(rights, more[overlay][role])
	}
	rights = single(rights)
	used := map[right]bool{}
	for _, a := range allowed {
		what := a.Resource
		if a.Subresource != "" {
			what += "/" + a.Subresource
		}
		what = a.Verb + " " + strings.Trim(what+"."+a.Group, ".") + " "
		if a.User != role {
			continue
		}
		if named := what + "*/" + a.Name; slices.Contains(rights, named) {
			used[named] = true
			continue
		}
		for _, where := range []string{"*/*", a.Namespace + "/*", a.Namespace + "/" + a.Name} {
			used[what+where] = true
		}
	}
	var errs []error
	for _, r := range rights {
		if asked, lists := strings.CutPrefix(r, "list "); !used[r] && elsewhere[r] == "" && !(lists && used["watch "+asked]) {
			errs = append(errs, fmt.Errorf("crosswalk-%s has never used its right: %s", role, r))
		}
	}
	return errors.Join(errs...)
}
