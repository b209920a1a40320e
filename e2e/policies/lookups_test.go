package policies

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// grant lets serve read a resource as an operator does: by a ClusterRole with the label
// that makes it part of what serve may look up.
func (p play) grant(group, resource string) {
	p.Helper()
	p.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", "serve-reads-"+resource, fmt.Sprintf(
		`{"metadata":{"name":"serve-reads-%[2]s","labels":{"crosswalk.dev/aggregate-to-serve":"true"}},"rules":[{"apiGroups":[%[1]q],"resources":[%[2]q],"verbs":["get","list","watch"]}]}`, group, resource))
	review := fmt.Appendf(nil, `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"system:serviceaccount:%s:crosswalk-serve","resourceAttributes":{"verb":"watch","group":%q,"resource":%q}}}`,
		harness.Namespace, group, resource)
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		said, err := p.v1.API.Do(ctx, http.MethodPost, "/apis/authorization.k8s.io/v1/subjectaccessreviews", harness.JSONType, review)
		if err == nil && !strings.Contains(string(said), `"allowed":true`) {
			err = fmt.Errorf("the label has no effect: %s", said)
		}
		return err
	})
}

const serviceExists = `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.host}]
validations: [{expression: lookups.service != null, fieldPath: .spec.host, messageExpression: "'there is no Service ' + object.spec.host"}]
matchConditions: [{name: host, expression: has(object.spec.host)}]
`

// What may not be read, is not served or is not there is told apart, and what becomes
// of the write is for the failurePolicy to say.
func (p play) testLookups() {
	p.policy("ValidationPolicy", "services", about+serviceExists)
	p.wantRefused(p.v1, "first", `,"host":"database"`, "services", "forbidden")
	p.policy("ValidationPolicy", "services", about+serviceExists+"failurePolicy: Ignore")
	p.wantCreated(p.v1, "first", `,"host":"database"`)
	p.grant("", "services")
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		err := create(ctx, p.v1, "first", `,"host":"database"`)
		if err == nil || !strings.Contains(err.Error(), "there is no Service database") {
			return fmt.Errorf("serve may read Services now, but the API server says %v", err)
		}
		return nil
	})
	p.post("/api/v1/namespaces/default/services", "database", `{"metadata":{"name":"database"},"spec":{"ports":[{"port":1}]}}`)
	stage.Until(p.T, 5*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "second", `,"host":"database"`) })
	p.wantRefused(p.v1, "third", `,"host":"another"`, "spec.host: Invalid value: ", "there is no Service another")

	p.policy("ValidationPolicy", "unserved", about+"lookups: [{name: thing, apiVersion: stable.example.com/v1, kind: Thing, nameExpression: \"'a'\"}]\nvalidations: [{expression: lookups.thing == null}]")
	p.wantRefused(p.v1, "fourth", "", "unserved", "no such kind is served")
	p.grant("stable.example.com", "things")
	p.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "things.stable.example.com", `{"metadata":{"name":"things.stable.example.com"},"spec":{
		"group":"stable.example.com","scope":"Namespaced","names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`)
	stage.Until(p.T, 30*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "fifth", "") })
}

// unique is a rule that a cache can only help to keep.
const unique = about + `
lookups: [{name: others, apiVersion: stable.example.com/v1, kind: CronTab, selector: {}}]
validations:
- expression: "!has(object.spec.host) || !lookups.others.exists(o, o.metadata.name != object.metadata.name && has(o.spec.host) && o.spec.host == object.spec.host)"
  fieldPath: .spec.host
  message: another one has it
`

// A lookup is a read before the write, from a cache or live: two writes at the same
// time can both pass a rule that each alone would pass. One after the other cannot.
func (p play) testTwoAtOnce() {
	p.grant("stable.example.com", "crontabs")
	for _, how := range []string{"cached", "live"} {
		p.policy("ValidationPolicy", "unique-"+how, strings.Replace(unique, "selector: {}", "selector: {}, live: "+fmt.Sprint(how == "live"), 1))
		p.together(how)
		if err := create(p.Context(), p.v1, "third-"+how, `,"host":"`+how+`"`); err == nil || !strings.Contains(err.Error(), "another one has it") {
			p.Errorf("after two with the same host a third one: %v", err)
		}
		p.remove("ValidationPolicy", "unique-"+how)
	}
}

// together creates two with the same host, neither of which is stored before both have
// been judged: another webhook, asked at the same time as ours, answers for both at
// once.
func (p play) together(host string) {
	p.Helper()
	var both sync.WaitGroup
	both.Add(2)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		review := new(admissionv1.AdmissionReview)
		if err := json.NewDecoder(r.Body).Decode(review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		both.Done()
		both.Wait()
		time.Sleep(time.Second) // ours has answered for both by then
		_ = json.NewEncoder(w).Encode(admissionv1.AdmissionReview{TypeMeta: review.TypeMeta, Response: &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}})
	}))
	defer server.Close()
	const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
	configuration, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"name": "together"},
		"webhooks": []any{map[string]any{
			"name": "together.example.com", "sideEffects": "None", "admissionReviewVersions": []string{"v1"},
			"clientConfig":    map[string]any{"url": server.URL, "caBundle": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})},
			"rules":           []any{map[string]any{"apiGroups": []string{"stable.example.com"}, "apiVersions": []string{"v1"}, "operations": []string{"CREATE"}, "resources": []string{"crontabs"}}},
			"matchConditions": []any{map[string]any{"name": "two", "expression": "object.metadata.name.startsWith('both-')"}},
		}},
	})
	if err != nil {
		p.Fatal(err)
	}
	if _, err := p.v1.API.Do(p.Context(), http.MethodPost, path, harness.JSONType, configuration); err != nil {
		p.Fatal(err)
	}
	time.Sleep(time.Second) // until the API server has heard of it
	var writes sync.WaitGroup
	names := []string{"both-one-" + host, "both-other-" + host}
	for _, name := range names {
		writes.Go(func() {
			if _, err := p.v1.Create(p.Context(), crontab(p.v1, name, `,"host":"`+host+`"`)); err != nil {
				p.Errorf("%s, at the same time as another one: %v", name, err)
			}
		})
	}
	writes.Wait()
	if _, err := p.v1.API.Do(p.Context(), http.MethodDelete, path+"/together", harness.JSONType, nil); err != nil {
		p.Error(err)
	}
	p.Cleanup(func() {
		for _, name := range names {
			_, _ = p.v1.Delete(context.Background(), name)
		}
	})
	// The cache hears of both.
	stage.Until(p.T, 5*time.Second, func(ctx context.Context) error {
		if err := create(ctx, p.v1, "third", `,"host":"`+host+`"`); err == nil {
			return fmt.Errorf("a third one with the host %s is accepted", host)
		}
		return nil
	})
}

// What a schema cannot fill in comes from another object.
func (p play) testDefaults() {
	p.grant("", "configmaps")
	p.post("/api/v1/namespaces/default/configmaps", "defaults", `{"metadata":{"name":"defaults"},"data":{"host":"mail","port":"25"}}`)
	p.policy("MutationPolicy", "defaults", about+`
lookups: [{name: defaults, apiVersion: v1, kind: ConfigMap, nameExpression: "'defaults'"}]
matchConditions: [{name: hostless, expression: "!has(object.spec.host)"}]
reinvocationPolicy: IfNeeded
mutations:
- patchType: ApplyConfiguration
  applyConfiguration: {expression: "Object{spec: Object.spec{host: lookups.defaults.data.host, port: lookups.defaults.data.port}}"}
- patchType: JSONPatch
  jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a/b': 'c~d'.replace('~', '-')}}]"}
`)
	p.pipe(string(crontab(p.v1, "filled", "")), "apply", "-f", "-")
	p.Cleanup(func() { _, _ = p.v1.Delete(context.Background(), "filled") })
	if got := p.kubectl("get", "crontab.v1.stable.example.com", "filled", "-o", `jsonpath={.spec.host}:{.spec.port} {.metadata.labels}`); got != `mail:25 {"a/b":"c-d"}` {
		p.Errorf("got %s", got)
	}
	// The API server converts to v1 and back for a writer in v1beta1.
	p.pipe(string(crontab(p.beta, "filled-too", "")), "apply", "-f", "-")
	p.Cleanup(func() { _, _ = p.v1.Delete(context.Background(), "filled-too") })
	if got := p.kubectl("get", "crontab.v1beta1.stable.example.com", "filled-too", "-o", `jsonpath={.spec.hostPort}`); got != "mail:25" {
		p.Errorf("got %s", got)
	}
	// What is there stays.
	p.pipe(string(crontab(p.v1, "own", `,"host":"mine"`)), "apply", "-f", "-")
	p.Cleanup(func() { _, _ = p.v1.Delete(context.Background(), "own") })
	if got := p.kubectl("get", "crontab.v1.stable.example.com", "own", "-o", `jsonpath={.spec.host} {.metadata.labels}`); got != "mine " {
		p.Errorf("got %s", got)
	}
}
