package authority

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// subject is an object of one of the kinds.
type subject struct {
	*stage
	kind, name string
	path       string // in the API
	manifest   string // as its author applies it: without bundles
	owned      string // what we own in managedFields
	places     int
}

// gitops is the manager that applies manifests.
const gitops = "gitops"

// subjects makes one of each kind; their names hold tag.
func (s *stage) subjects(tag string) []subject {
	webhooks := func(kind, plural string) subject {
		return subject{
			stage: s, kind: kind, name: tag, places: 2,
			path: "/apis/admissionregistration.k8s.io/v1/" + plural + "/" + tag,
			manifest: `
apiVersion: admissionregistration.k8s.io/v1
kind: ` + kind + `
metadata:
  name: ` + tag + `
  annotations: {crosswalk.dev/inject-ca: "true"}
webhooks:
- name: by-service.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: x, namespace: default, path: /admit}}
  rules: [{apiGroups: [nowhere.example.com], apiVersions: [v1], resources: [things], operations: [CREATE]}]
- name: by-url.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://x.example.com/admit"}
  rules: [{apiGroups: [nowhere.example.com], apiVersions: [v1], resources: [things], operations: [CREATE]}]
`,
			owned: `{"f:webhooks":{` +
				`"k:{\"name\":\"by-service.example.com\"}":{".":{},"f:clientConfig":{"f:caBundle":{}},"f:name":{}},` +
				`"k:{\"name\":\"by-url.example.com\"}":{".":{},"f:clientConfig":{"f:caBundle":{}},"f:name":{}}}}`,
		}
	}
	return []subject{
		{
			stage: s, kind: "CustomResourceDefinition", name: "things." + tag + ".example.com", places: 1,
			path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things." + tag + ".example.com",
			manifest: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.` + tag + `.example.com
  annotations: {crosswalk.dev/inject-ca: "true"}
spec:
  group: ` + tag + `.example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: x, namespace: default, path: /convert}}}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
			owned: `{"f:spec":{"f:conversion":{"f:webhook":{"f:clientConfig":{"f:caBundle":{}}}}}}`,
		},
		webhooks("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
		webhooks("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
		s.apiService("v2." + tag + ".example.com").withManifest(`
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v2.` + tag + `.example.com
  annotations: {crosswalk.dev/inject-ca: "true"}
spec: {group: ` + tag + `.example.com, version: v2, groupPriorityMinimum: 10, versionPriority: 10, service: {name: x, namespace: default}}
`),
	}
}

func (s *stage) apiService(name string) subject {
	return subject{
		stage: s, kind: "APIService", name: name, places: 1, owned: `{"f:spec":{"f:caBundle":{}}}`,
		path: "/apis/apiregistration.k8s.io/v1/apiservices/" + name,
	}
}

func (s subject) withManifest(manifest string) subject {
	s.manifest = manifest
	return s
}

// holding is the manifest with a bundle at each place.
func (s subject) holding(bundle []byte) subject {
	encoded := base64.StdEncoding.EncodeToString(bundle)
	text := strings.ReplaceAll(s.manifest, "clientConfig: {", "clientConfig: {caBundle: "+encoded+", ")
	if s.kind == "APIService" {
		text = strings.Replace(text, "spec: {", "spec: {caBundle: "+encoded+", ", 1)
	}
	return s.withManifest(text)
}

// tryApply is server-side apply by manager.
func (s subject) tryApply(t *testing.T, manager, more string) error {
	t.Helper()
	_, err := s.api.Do(t.Context(), http.MethodPatch, s.path+"?fieldValidation=Strict&fieldManager="+manager+more,
		harness.ApplyPatchType, []byte(s.manifest))
	return err
}

func (s subject) apply(t *testing.T, manager string) {
	t.Helper()
	if err := s.tryApply(t, manager, ""); err != nil {
		t.Fatal(err)
	}
}

// patch is a merge patch by somebody, in YAML.
func (s subject) patch(t *testing.T, patch string) {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.api.Do(t.Context(), http.MethodPatch, s.path+"?fieldManager=somebody", harness.MergePatchType, text); err != nil {
		t.Fatal(err)
	}
}

func (s subject) get(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	text, err := s.api.Get(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return o
}

// clientConfigs finds what holds caBundle.
func (s subject) clientConfigs(o *unstructured.Unstructured) []map[string]any {
	spec, _ := o.Object["spec"].(map[string]any)
	switch s.kind {
	case "CustomResourceDefinition":
		config, _, _ := unstructured.NestedFieldNoCopy(o.Object, "spec", "conversion", "webhook", "clientConfig")
		found, _ := config.(map[string]any)
		return []map[string]any{found}
	case "APIService":
		return []map[string]any{spec}
	}
	var all []map[string]any
	for _, webhook := range o.Object["webhooks"].([]any) {
		all = append(all, webhook.(map[string]any)["clientConfig"].(map[string]any))
	}
	return all
}

// lacks says which place does not hold exactly these bytes.
func (s subject) lacks(t *testing.T, bundle []byte) string {
	t.Helper()
	configs := s.clientConfigs(s.get(t))
	if len(configs) != s.places {
		return fmt.Sprintf("%s %s has %d places", s.kind, s.name, len(configs))
	}
	for i, config := range configs {
		if got, _ := config["caBundle"].(string); got != base64.StdEncoding.EncodeToString(bundle) {
			return fmt.Sprintf("%s %s: place %d holds %q", s.kind, s.name, i, got)
		}
	}
	return ""
}

func (s subject) waitFor(t *testing.T, bundle []byte) {
	t.Helper()
	eventually(t, func() string { return s.lacks(t, bundle) })
}

// settled waits until the API server has said in the status what it has to say
// about a new object, and returns the resourceVersion.
func (s subject) settled(t *testing.T) string {
	t.Helper()
	want := map[string]string{
		"CustomResourceDefinition": "Established=True",
		"APIService":               "Available=False", // there is no such Service
	}[s.kind]
	eventually(t, func() string {
		if want == "" {
			return ""
		}
		conditions, _, _ := unstructured.NestedSlice(s.get(t).Object, "status", "conditions")
		for _, c := range conditions {
			if c := c.(map[string]any); fmt.Sprintf("%s=%s", c["type"], c["status"]) == want {
				return ""
			}
		}
		return fmt.Sprintf("%s %s: no condition %s in %v", s.kind, s.name, want, conditions)
	})
	return s.get(t).GetResourceVersion()
}

// ownedBy returns the fields that a manager has applied; empty where it has none.
func (s subject) ownedBy(t *testing.T, manager string) string {
	t.Helper()
	for _, entry := range s.get(t).GetManagedFields() {
		if entry.Manager == manager {
			return entry.FieldsV1.GetRawString()
		}
	}
	return ""
}

// rest is the object without its bundles and what the API server adds.
func (s subject) rest(t *testing.T) string {
	t.Helper()
	o := s.get(t)
	for _, config := range s.clientConfigs(o) {
		delete(config, "caBundle")
	}
	all := maps.Clone(o.Object)
	delete(all, "metadata")
	delete(all, "status")
	text, err := json.Marshal([]any{all, o.GetAnnotations(), o.GetLabels()})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// waitForEvent waits until an Event about the object has this reason, and returns its note.
func (s subject) waitForEvent(t *testing.T, kind, reason, note string) string {
	t.Helper()
	found := ""
	eventually(t, func() string {
		text, err := s.api.Get(t.Context(), "/apis/events.k8s.io/v1/namespaces/default/events")
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Items []struct {
				Type, Reason, Note, ReportingController string
				Regarding                               struct{ Kind, Name string }
			}
		}
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, e := range list.Items {
			if e.Regarding.Kind != s.kind || e.Regarding.Name != s.name {
				continue
			}
			if e.Type == kind && e.Reason == reason && strings.Contains(e.Note, note) && e.ReportingController == "crosswalk-injection" {
				found = e.Note
				return ""
			}
			seen = append(seen, e.Type+" "+e.Reason+": "+e.Note)
		}
		return fmt.Sprintf("%s %s: no event %s %s: %s, but %q", s.kind, s.name, kind, reason, note, seen)
	})
	return found
}

// code is the status of an answer that is an error, and its text.
func code(err error) (int, string) {
	var status *harness.StatusError
	if !errors.As(err, &status) {
		return 0, fmt.Sprint(err)
	}
	return status.Code, status.Body
}
