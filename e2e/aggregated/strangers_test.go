package aggregated

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// What one policy tells, and another puts into objects: ConfigMaps of the namespace of the
// write.
const telling = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: crosswalk-serve-plans, labels: {crosswalk.dev/aggregate-to-serve: "true"}}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}, {apiGroups: [stable.example.com], resources: [crontabs], verbs: [get]}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: telling}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}]}
  matchConditions: [{name: told, expression: object.metadata.name == 'told'}]
  lookups:
  - {name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: "'plans'"}
  - {name: all, apiVersion: v1, kind: ConfigMap, selector: {}}
  validations:
  - {expression: lookups.plans == null, message: is planned, messageExpression: "'is planned as ' + string(lookups.plans.data.code)"}
  - {expression: size(lookups.all) == 0, message: has others, messageExpression: "'has ' + lookups.all.map(c, c.metadata.name).join(', ')"}
  - {expression: "lookups.plans == null || object.metadata[lookups.plans.data.code] == ''"}
  auditAnnotations: [{key: code, valueExpression: string(lookups.plans.data.code)}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: giving}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE], resources: [crontabs]}]}
  matchConditions: [{name: given, expression: object.metadata.name == 'given'}]
  lookups: [{name: plans, apiVersion: v1, kind: ConfigMap, nameExpression: "'plans'"}]
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{spec: Object.spec{image: string(lookups.plans.data.code)}}"}
`

// forged is a review that nobody who may write has asked for.
func forged(name string) string {
	return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"1",
"kind":{"group":"stable.example.com","version":"v1","kind":"CronTab"},"resource":{"group":"stable.example.com","version":"v1","resource":"crontabs"},
"name":"` + name + `","namespace":"vault","operation":"CREATE","userInfo":{"username":"system:admin","groups":["system:masters"]},
"object":{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"` + name + `","namespace":"vault"},"spec":{"cronSpec":"* * * * *","image":"x","replicas":1,"host":"h","port":"1"}}}}`
}

// A forged review, of an administrator in a namespace that the forger cannot read, is told
// nothing of what is there; a writer is told, and given, everything.
func (a asked) testStrangers(t *testing.T) {
	stage.AggregateRoles(t, a.scene)
	a.prepareStrangers(t)
	for _, condition := range []string{"Ready", "FullAnswers"} {
		if said := a.kubectl(t, "", "wait", "--for=condition="+condition, "--timeout=60s", "validationpolicy/telling", "mutationpolicy/giving"); strings.Contains(said, "error") {
			t.Fatalf("%s\n%s", said, a.kubectl(t, "", "describe", "validationpolicy/telling", "mutationpolicy/giving"))
		}
	}

	stage.Until(t, 30*time.Second, func(context.Context) error { // the API server hears of it
		for _, want := range []string{"is planned as swordfish", "has plans", "no such key: swordfish"} {
			if said := a.write(t, "told"); !strings.Contains(said, want) {
				return fmt.Errorf("a writer is told %s, want %s", said, want)
			}
		}
		if said := a.write(t, "given"); said != "swordfish" {
			return fmt.Errorf("a writer is given %s", said)
		}
		return nil
	})

	direct, grouped := a.scene.Serve[0].Port, a.scene.AggregatedPort
	for path, want := range map[string]string{
		"/validate/policies/telling":             `"allowed":false`,
		"/validate/policies":                     `"allowed":false`,
		"/validate/policies/telling?timeout=10s": "is planned",
		"/mutate/policies/giving":                `"allowed":false`,
		"/mutate/policies":                       "spec.mutations[0].applyConfiguration.expression is not evaluated",
	} {
		name := "told"
		if strings.HasPrefix(path, "/mutate") {
			name = "given"
		}
		code, said := a.post(t, direct, path, "application/json", forged(name))
		if code != http.StatusOK || !strings.Contains(said, want) {
			t.Errorf("%s: %d %s, want %s", path, code, said, want)
		}
		for _, read := range []string{"swordfish", "has plans", "patch", "auditAnnotations"} {
			if strings.Contains(said, read) {
				t.Errorf("%s tells a stranger %s", path, said)
			}
		}
		if code, said := a.post(t, grouped, "/apis/admission.crosswalk.dev/v1alpha1/reviews"+path, "application/json", forged(name)); code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", path, code, said)
		}
	}
	file := t.TempDir() + "/review.json"
	if err := os.WriteFile(file, []byte(forged("told")), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := a.kubectl(t, "", "create", "--raw", "/apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies/telling", "-f", file, "--as=dana"); !strings.Contains(said, "Forbidden") {
		t.Errorf("a user without rights is answered %s", said)
	}
	a.kubectl(t, "", "delete", "validationpolicy/telling", "mutationpolicy/giving", "namespace/vault", "--wait=false")
}

// prepareStrangers applies the policies, and a ConfigMap in a namespace of its own.
func (a asked) prepareStrangers(t *testing.T) {
	t.Helper()
	a.kubectl(t, "", "create", "namespace", "vault")
	a.kubectl(t, "", "create", "configmap", "-n", "vault", "plans", "--from-literal=code=swordfish")
	if said := a.kubectl(t, telling, "apply", "-f", "-"); strings.Contains(said, "rror") {
		t.Fatal(said)
	}
}

// write creates a CronTab as somebody who may, and gives its image, or what is against it.
func (a asked) write(t *testing.T, name string) string {
	t.Helper()
	return a.kubectl(t, "{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: "+name+", namespace: vault}, spec: {cronSpec: '* * * * *', image: x, replicas: 1, host: h, port: '1'}}",
		"create", "-f", "-", "-o", "jsonpath={.spec.image}")
}

// post sends a request to a port of serve's, in the name of an administrator and without
// anything that shows it.
func (a asked) post(t *testing.T, port int, path, contentType, body string) (int, string) {
	t.Helper()
	client := a.client(t)
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("https://127.0.0.1:%d%s", port, path), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("X-Remote-User", "system:admin")
	request.Header.Set("X-Remote-Group", "system:masters")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
