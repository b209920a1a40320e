package policies

import (
	"context"
	"fmt"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// grant lets serve read a resource as an operator does: by a ClusterRole with the label
// that makes it part of what serve may look up.
func (p play) grant(group, resource string) {
	p.Helper()
	p.post("/apis/rbac.authorization.k8s.io/v1/clusterroles", "serve-reads-"+resource, fmt.Sprintf(
		`{"metadata":{"name":"serve-reads-%[2]s","labels":{"crosswalk.dev/aggregate-to-serve":"true"}},"rules":[{"apiGroups":[%[1]q],"resources":[%[2]q],"verbs":["get","list","watch"]}]}`, group, resource))
	stage.UntilAllowed(p.T, p.v1.API, harness.Accounts+"serve", authorizationv1.ResourceAttributes{Verb: "watch", Group: group, Resource: resource})
}

// creation selects only new objects, so that no right to read scaled ones is needed.
const creation = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE], resources: [crontabs]}]}\n"

const serviceExists = `
lookups: [{name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.host}]
validations: [{expression: lookups.service != null, fieldPath: .spec.host, messageExpression: "'there is no Service ' + object.spec.host"}]
matchConditions: [{name: host, expression: has(object.spec.host)}]
`

// What may not be read, is not served or is not there is told apart, and what becomes
// of the write is for the failurePolicy to say.
func (p play) testLookups() {
	p.Cleanup(func() { p.remove("ValidationPolicy", "services") })
	p.apply("ValidationPolicy", "services", creation+serviceExists)
	p.says("services", "Ready", "False MissingRights: crosswalk serve may not list and watch services for lookups.service, so requests follow the failurePolicy. "+
		`Apply this: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: crosswalk-serve-services, labels: {crosswalk.dev/aggregate-to-serve: "true"}}, `+
		`rules: [{apiGroups: [""], resources: ["services"], verbs: [list, watch]}]}`)
	p.wantRefused(p.v1, "first", `,"host":"database"`, "services", "forbidden")
	p.apply("ValidationPolicy", "services", creation+serviceExists+"failurePolicy: Ignore")
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "first", `,"host":"database"`) })
	p.permit("services")
	p.ready("ValidationPolicy", "services")
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

	p.Cleanup(func() { p.remove("ValidationPolicy", "unserved") })
	const missing = "spec.lookups[0].kind: there is no kind Thing in stable.example.com/v1, so reading it fails"
	printed := p.applied(manifest("ValidationPolicy", "unserved",
		about+"lookups: [{name: thing, apiVersion: stable.example.com/v1, kind: Thing, nameExpression: \"'a'\"}]\nvalidations: [{expression: lookups.thing == null}]"))
	if !strings.Contains(printed, "Warning: "+missing+"\n") {
		p.Errorf("kubectl printed %s", printed)
	}
	p.says("unserved", "Ready", "False NoSuchResource: "+missing)
	p.wantRefused(p.v1, "fourth", "", "unserved", "the kind is not served")
	p.grant("stable.example.com", "things")
	p.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "things.stable.example.com", `{"metadata":{"name":"things.stable.example.com"},"spec":{
		"group":"stable.example.com","scope":"Namespaced","names":{"plural":"things","singular":"thing","kind":"Thing","listKind":"ThingList"},
		"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`)
	stage.Until(p.T, 30*time.Second, func(ctx context.Context) error { return create(ctx, p.v1, "fifth", "") })
	p.ready("ValidationPolicy", "unserved")
}

// What the schema refuses is told in its words alone, in whichever version it is written
// and the policies are, and no policy has failed because of it.
func (p play) testTypes() {
	merge := "mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{spec: Object.spec{timeZone: 'UTC'}}\"}}]\n"
	patch := "mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/image', value: object.spec.image.lowerAscii()}]\"}}]\n"
	policies := map[string]string{"merges": about + merge, "patches": about + patch, "merges-in-the-hub": "hub: true\n" + about + merge}
	for name, spec := range policies {
		p.policy("MutationPolicy", name, spec)
	}
	for _, test := range []struct {
		r          harness.Resource
		more, want string
	}{
		{p.v1, `,"port":8080`, `spec.port: Invalid value: "integer": spec.port in body must be of type string: "integer"`},
		{p.beta, `,"hostPort":8080`, `spec.hostPort: Invalid value: "integer": spec.hostPort in body must be of type string: "integer"`},
		{p.v1, `,"replicas":"2"`, `spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"`},
		{p.beta, `,"replicas":2.5`, `spec.replicas: Invalid value: "number": spec.replicas in body must be of type integer: "number"`},
	} {
		said := p.refused(string(crontab(test.r, "mistyped", test.more)))
		if !strings.Contains(said, `The CronTab "mistyped" is invalid: `) || !strings.Contains(said, test.want) || strings.Contains(said, "policy") {
			p.Errorf("kubectl says\n%s\nwant\n%s", said, test.want)
		}
	}
	for name := range policies {
		if n := p.opinions(name, ""); n != 0 {
			p.Errorf("%s has %d opinions", name, n)
		}
	}
	said := p.refused(`{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: imageless}, spec: {cronSpec: "* * * * *"}}`)
	if !strings.HasSuffix(strings.TrimSpace(said), `The CronTab "imageless" is invalid: spec.image: Required value`) {
		p.Errorf("kubectl says\n%s", said)
	}
	if n := p.opinions("patches", "failed"); n != 0 {
		p.Errorf("patches has failed %d times", n)
	}
	p.wantCreated(p.beta, "typed", `,"hostPort":"h:8080"`)
	// A null is not there any more when anybody is asked, so that it keeps no policy from
	// being asked.
	p.pipe(`{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: "null"}, spec: {cronSpec: "* * * * *", image: x, host: null, notify: null}}`, "create", "-f", "-")
	p.Cleanup(func() { _, _ = p.v1.Delete(context.Background(), "null") })
	if got := p.kubectl("get", "crontab.v1.stable.example.com", "null", "-o", "jsonpath={.spec}"); !strings.Contains(got, `"timeZone":"UTC"`) {
		p.Errorf("got %s", got)
	}
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

// A policy that is not about an object misses no params, whoever asks its conditions: the
// API server, or serve where they are written through a variable.
func (p play) testParams() {
	p.grant("", "configmaps")
	const rest = "paramKind: {apiVersion: v1, kind: ConfigMap}\nparamRef: {name: limits, parameterNotFoundAction: Deny}\nvalidations: [{expression: 'params != null'}]\n"
	for name, conditions := range map[string]string{
		"asked-by-the-api-server": "matchConditions: [{name: host, expression: has(object.spec.host)}]\n",
		"asked-by-serve":          "variables: [{name: hosted, expression: has(object.spec.host)}]\nmatchConditions: [{name: host, expression: variables.hosted}]\n",
	} {
		p.policy("ValidationPolicy", name, about+conditions+rest)
		stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
			err := create(ctx, p.v1, name, `,"host":"database"`)
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "no ConfigMap is named limits") {
				return fmt.Errorf("there are no params, but the API server says %v", err)
			}
			return nil
		})
		p.wantCreated(p.v1, name, "")
		p.remove("ValidationPolicy", name)
	}
}
