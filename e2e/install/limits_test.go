package install

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// What the attacks are on: objects of others, of which only those named asking have asked
// for a caBundle.
const others = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: theirs.limits.example.com, labels: {a: b}, annotations: {a: b}}
spec:
  group: limits.example.com
  scope: Namespaced
  names: {plural: theirs, kind: Their}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: default, name: a, path: /convert/a}}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: asking.limits.example.com, annotations: {crosswalk.dev/inject-ca: "true"}}
spec:
  group: limits.example.com
  scope: Namespaced
  names: {plural: asking, kind: Asking}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: default, name: a, path: /convert/a}}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: theirs}
webhooks: [{name: a.example.com, clientConfig: {service: {namespace: default, name: a}}, failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: asking, annotations: {crosswalk.dev/inject-ca-from: default/a}}
webhooks: [{name: a.example.com, clientConfig: {service: {namespace: default, name: a}}, failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.theirs.example.com}
spec: {group: theirs.example.com, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {namespace: default, name: a}}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.asking.example.com, annotations: {crosswalk.dev/inject-ca: "true"}}
spec: {group: asking.example.com, version: v1, groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true, service: {namespace: default, name: a}}
---
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: theirs.limits.example.com}
spec: {hub: v1}
`

// A change is what crosswalk manage tries on one object, as a merge patch.
type change struct {
	object, patch string
	refused       string // the end of what is said; empty where it may
}

const (
	caBundle = `"caBundle": "BUNDLE"` // of a CA that the test makes

	arm = `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
		"service": {"namespace": "crosswalk-system", "name": "crosswalk", "path": "/convert/a"}, ` + caBundle + `}}}}}`

	convert    = "crosswalk manage may point the conversion of a CRD only at its own Service, reset it only from there, and write the caBundle only if the CRD asks for it"
	register   = "crosswalk manage may register only its own Service, or the API server's for its own API group, and may not change what others have registered"
	keep       = "crosswalk manage may change only the caBundle of a webhook configuration, if that asks for it"
	keepOf     = "crosswalk manage may change only the caBundle of an APIService, if that asks for it, and insecureSkipTLSVerify to false"
	annotate   = "crosswalk manage may change no annotation but cert-manager.io/inject-ca-from, to its own Certificate"
	relabel    = "crosswalk manage may not change labels, owners or other finalizers than its own"
	create     = "crosswalk manage may create only its own objects"
	respecCRD  = "crosswalk manage may change nothing in a CRD's spec but its conversion"
	respec     = "crosswalk manage may not change the spec of a Crosswalk"
	theirs     = "crd/theirs.limits.example.com"
	asking     = "crd/asking.limits.example.com"
	theirHooks = "mutatingwebhookconfiguration/theirs"
	itsHooks   = "mutatingwebhookconfiguration/crosswalk-policies"
)

// The order matters: what may be done is done, and what follows builds on it.
var changes = []change{
	// Conversion elsewhere, or nowhere.
	{theirs, conversion(`"url": "https://attacker.example.com", "service": null`), convert},
	{theirs, conversion(`"service": {"namespace": "default", "name": "crosswalk", "path": "/convert/a"}`), convert},
	{theirs, conversion(`"service": {"namespace": "crosswalk-system", "name": "another", "path": "/convert/a"}`), convert},
	{theirs, conversion(`"service": {"namespace": "crosswalk-system", "name": "crosswalk", "path": "/mutate/a"}`), convert},
	{theirs, conversion(caBundle), convert},
	{theirs, `{"spec": {"conversion": {"strategy": "None", "webhook": null}}}`, convert},
	{asking, `{"spec": {"conversion": {"strategy": "None", "webhook": null}}}`, convert},
	{asking, conversion(caBundle + `, "service": {"name": "b"}`), convert},
	{asking, `{"spec": {"conversion": {"webhook": {"conversionReviewVersions": ["v1", "v1beta1"], "clientConfig": {` + caBundle + `}}}}}`, convert},
	{asking, conversion(caBundle), ""},
	{theirs, arm, ""},
	{theirs, conversion(`"service": {"name": "a"}`), convert},
	{theirs, `{"spec": {"conversion": {"strategy": "None", "webhook": null}}}`, ""},
	{theirs, conversion(`"service": {"namespace": "default", "name": "a", "path": "/convert/a"}`), convert},
	// What else a CRD has.
	{theirs, `{"spec": {"names": {"shortNames": ["b"]}}}`, respecCRD},
	{theirs, `{"spec": {"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}`, respecCRD},
	{theirs, `{"metadata": {"labels": {"a": "c"}}}`, relabel},
	{theirs, `{"metadata": {"finalizers": ["crosswalk.dev/disarm"]}}`, relabel},
	{theirs, `{"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Namespace", "name": "default", "uid": "1"}]}}`, relabel},
	{theirs, `{"metadata": {"annotations": {"crosswalk.dev/inject-ca": "true"}}}`, annotate},
	{theirs, `{"metadata": {"annotations": {"a": null}}}`, annotate},
	{theirs, `{"metadata": {"annotations": {"cert-manager.io/inject-ca-from": "default/a"}}}`, annotate},
	{theirs, `{"metadata": {"annotations": {"cert-manager.io/inject-ca-from": "crosswalk-system/crosswalk-serving"}}}`, ""},
	// Webhooks.
	{theirHooks, `{"webhooks": null}`, keep},
	{theirHooks, webhooks(`"service": {"namespace": "default", "name": "a"}, ` + caBundle), keep},
	{theirHooks, `{"metadata": {"annotations": {"cert-manager.io/inject-ca-from": "crosswalk-system/crosswalk-serving"}}}`, annotate},
	{"mutatingwebhookconfiguration/asking", webhooks(`"service": {"namespace": "crosswalk-system", "name": "crosswalk"}, ` + caBundle), keep},
	{"mutatingwebhookconfiguration/asking", `{"webhooks": null}`, keep},
	{"mutatingwebhookconfiguration/asking", strings.Replace(webhooks(`"service": {"namespace": "default", "name": "a", "port": 443}, `+caBundle), "Ignore", "Fail", 1), keep},
	{"mutatingwebhookconfiguration/asking", webhooks(`"service": {"namespace": "default", "name": "a", "port": 443}, ` + caBundle), ""},
	{itsHooks, webhooks(`"url": "https://attacker.example.com"`), register},
	{itsHooks, webhooks(`"service": {"namespace": "default", "name": "crosswalk"}`), register},
	{itsHooks, webhooks(`"service": {"namespace": "default", "name": "kubernetes", "path": "/apis/attacker.example.com/v1/reviews"}`), register},
	{itsHooks, webhooks(`"service": {"namespace": "default", "name": "a", "path": "/apis/admission.crosswalk.dev/v1alpha1/reviews/mutate/policies"}`), register},
	{itsHooks, webhooks(`"service": {"namespace": "a", "name": "kubernetes", "path": "/apis/admission.crosswalk.dev/v1alpha1/reviews/mutate/policies"}`), register},
	{itsHooks, webhooks(`"service": {"namespace": "crosswalk-system", "name": "crosswalk"}`), ""},
	{itsHooks, webhooks(`"service": {"namespace": "default", "name": "kubernetes", "path": "/apis/admission.crosswalk.dev/v1alpha1/reviews/mutate/policies"}`), ""},
	// APIServices.
	{"apiservice/v1.theirs.example.com", `{"spec": {` + caBundle + `}}`, keepOf},
	{"apiservice/v1.theirs.example.com", `{"spec": {"insecureSkipTLSVerify": true}}`, keepOf},
	{"apiservice/v1.theirs.example.com", `{"spec": {"service": {"name": "crosswalk", "namespace": "crosswalk-system"}}}`, keepOf},
	{"apiservice/v1.apps", `{"spec": {"service": {"name": "crosswalk", "namespace": "crosswalk-system"}}}`, keepOf},
	{"apiservice/v1.asking.example.com", `{"spec": {"insecureSkipTLSVerify": false, "groupPriorityMinimum": 2, ` + caBundle + `}}`, keepOf},
	{"apiservice/v1.asking.example.com", `{"spec": {"insecureSkipTLSVerify": false, ` + caBundle + `}}`, ""},
	{"apiservice/v1.asking.example.com", `{"spec": {"insecureSkipTLSVerify": true, "caBundle": null}}`, keepOf},
	// Tables.
	{"crosswalk/theirs.limits.example.com", `{"spec": {"hub": "v2"}}`, respec},
	{"crosswalk/theirs.limits.example.com", `{"metadata": {"annotations": {"a": "b"}}}`, annotate},
	{"crosswalk/theirs.limits.example.com", `{"metadata": {"finalizers": ["crosswalk.dev/disarm"]}}`, ""},
	{"crosswalk/theirs.limits.example.com", `{"metadata": {"finalizers": ["crosswalk.dev/disarm", "another/a"]}}`, relabel},
	{"crosswalk/theirs.limits.example.com", `{"metadata": {"finalizers": null}}`, ""},
}

// made is what crosswalk manage tries to create.
var made = []struct{ manifest, refused string }{
	{`{apiVersion: v1, kind: Secret, metadata: {name: another, namespace: crosswalk-system}}`, create},
	{`{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: another, namespace: crosswalk-system}}`, create},
	{`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: another}}`, create},
	{`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: 0-crosswalk}, webhooks: [
		{name: a.example.com, clientConfig: {url: "https://attacker.example.com"}, failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1]}]}`, register},
	{`{apiVersion: crosswalk.dev/v1alpha1, kind: Crosswalk, metadata: {name: asking.limits.example.com}, spec: {hub: v1}}`, create},
	{`{apiVersion: v1, kind: Secret, metadata: {name: crosswalk-authority, namespace: crosswalk-system}}`, ""},
	{`{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: crosswalk-manage, namespace: crosswalk-system}}`, ""},
}

func conversion(client string) string {
	return `{"spec": {"conversion": {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {` + client + `}}}}}`
}

func webhooks(client string) string {
	return `{"webhooks": [{"name": "a.example.com", "clientConfig": {` + client + `}, "failurePolicy": "Ignore", "sideEffects": "None", "admissionReviewVersions": ["v1"]}]}`
}

// testLimits has somebody act who has the token of crosswalk manage. RBAC lets him do all
// of it, where injection is switched on.
func (c *cluster) testLimits(t *testing.T) {
	bundle := base64.StdEncoding.EncodeToString(stage.Pair(t).CABundle)
	if _, err := c.plane.KubectlWith(t.Context(), others, "create", "-f", "-"); err != nil {
		t.Fatal(err)
	}
	try := func(stdin string, args ...string) string {
		if _, err := c.plane.KubectlWith(stage.Within(t, 20*time.Second), stdin, append(args, "--as="+account("manage"))...); err != nil {
			return err.Error()
		}
		return ""
	}
	// The API server reads policies from a watch.
	stage.Until(t, 20*time.Second, func(context.Context) error {
		if try(made[0].manifest, "create", "--dry-run=server", "-f", "-") == "" {
			return fmt.Errorf("there is no limit")
		}
		return nil
	})
	check := func(what, said, refused string) {
		t.Helper()
		const by = "ValidatingAdmissionPolicy 'crosswalk-manage' with binding 'crosswalk-manage' denied request: "
		if refused == "" && said != "" || refused != "" && !strings.HasSuffix(strings.TrimSpace(said), by+refused) {
			t.Errorf("%s\nsaid %q\nwant %q", what, said, refused)
		}
	}
	for _, x := range changes {
		check(x.object+" "+x.patch, try("", "patch", x.object, "--type=merge", "-p", strings.ReplaceAll(x.patch, "BUNDLE", bundle)), x.refused)
	}
	for _, x := range made {
		check(x.manifest, try(x.manifest, "create", "-f", "-"), x.refused)
	}
	c.createLarge(t)
	check(large, try("", "patch", "crd/"+large, "--type=merge", "-p", strings.ReplaceAll(arm, "BUNDLE", bundle)), "")
	c.kubectl(t, "patch", theirs, "--type=merge", "-p", changes[0].patch) // the administrator
}

const large = "large.limits.example.com"

// createLarge creates a CRD of nearly a megabyte, of which etcd takes one and a half: what
// is compared must not cost more than a policy may.
func (c *cluster) createLarge(t *testing.T) {
	t.Helper()
	properties := map[string]any{}
	for i := range 2500 {
		properties[fmt.Sprintf("field%d", i)] = map[string]any{"type": "string", "description": strings.Repeat("what it is for. ", 20)}
	}
	manifest, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": large},
		"spec": map[string]any{
			"group": "limits.example.com", "scope": "Namespaced", "names": map[string]any{"plural": "large", "kind": "Large"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "properties": properties}},
			}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.plane.KubectlWith(t.Context(), string(manifest), "create", "-f", "-"); err != nil {
		t.Fatal(err)
	}
}
