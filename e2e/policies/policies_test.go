package policies

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// mistakes is a policy with rules that no schema can state, written once for v1.
const mistakes = "hub: true\n" + about + `
validations:
- expression: "!object.spec.cronSpec.startsWith('99 ')"
  fieldPath: .spec.cronSpec
  message: a minute is at most 59
- expression: "!object.spec.image.endsWith(':latest')"
  fieldPath: .spec.image
  message: name a tag other than latest
- expression: "!object.spec.image.endsWith(':latest') || object.spec.?replicas.orValue(1) == 1"
  fieldPath: .spec.replicas
  messageExpression: "'of what may change, run one and not ' + string(object.spec.replicas)"
- expression: "object.spec.?port.orValue('1') != '0'"
  fieldPath: .spec.port
  message: must not be 0
`

// A CronTab with four mistakes names all four fields, in the version of its writer.
func (p play) testMistakes() {
	p.policy("ValidationPolicy", "mistakes", mistakes)
	said := p.refused(`{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: wrong}, spec: {cronSpec: 99 2 * * 5, image: "backup:latest", replicas: 3, host: h, port: "0"}}`)
	p.wantMistakes(said, "spec.port")
	said = p.refused(`{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: wrong}, spec: {cronSpec: 99 2 * * 5, image: "backup:latest", replicas: 3, hostPort: "h:0"}}`)
	p.wantMistakes(said, "spec.hostPort")
	p.wantCreated(p.v1, "right", `,"replicas":3`)
	p.wantCreated(p.beta, "right", `,"hostPort":"h:1"`)
}

func (p play) wantMistakes(said, port string) {
	p.Helper()
	for _, want := range []string{
		`The CronTab "wrong" is invalid: `,
		`* spec.cronSpec: Invalid value: "99 2 * * 5": a minute is at most 59`,
		`* spec.image: Invalid value: "backup:latest": name a tag other than latest`,
		`* spec.replicas: Invalid value: 3: of what may change, run one and not 3`,
		`* ` + port + `: Invalid value: `,
	} {
		if !strings.Contains(said, want) {
			p.Errorf("kubectl says\n%s\nwant %s", said, want)
		}
	}
	if strings.Count(said, "\n* ") != 4 {
		p.Errorf("kubectl names another number of fields than four:\n%s", said)
	}
}

// What has been deleted, and is there still, is judged as before: a finalizer exempts nothing.
func (p play) testBeingDeleted() {
	p.policy("ValidationPolicy", "held", about+not7)
	object := strings.Replace(string(crontab(p.v1, "held", "")), `"name"`, `"finalizers":["example.com/hold"],"name"`, 1)
	p.must(p.v1.Create(p.Context(), []byte(object)))
	p.Cleanup(func() { _, _ = p.v1.MergePatch(context.Background(), "held", `{"metadata":{"finalizers":null}}`) })
	p.must(p.v1.Delete(p.Context(), "held"))
	for _, r := range []harness.Resource{p.v1, p.beta} {
		p.must(r.MergePatch(p.Context(), "held", `{"spec":{"replicas":6}}`))
		if _, err := r.MergePatch(p.Context(), "held", `{"spec":{"replicas":7}}`); err == nil || !strings.Contains(err.Error(), "not 7") {
			p.Errorf("7 replicas in %s: %v", r.Version, err)
		}
	}
}

// What a mutation makes of an object is judged like what anybody writes.
func (p play) testMutationsAreJudged() {
	p.policy("MutationPolicy", "seven", about+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 7}}"}}]`)
	p.wantCreated(p.v1, "judged", `,"replicas":6`)
	p.policy("ValidationPolicy", "seven", about+not7)
	p.wantRefused(p.v1, "judged", `,"replicas":6`, "not 7")
	p.wantRefused(p.beta, "judged", `,"replicas":6`, "not 7")
}

// A denial names its policy, whether a rule, an expression or a matchCondition is what
// denies, and whoever evaluates that.
func (p play) testNames() {
	for _, test := range []struct{ name, spec, want string }{
		{"forbids", "validations: [{expression: 'false', message: never, reason: Forbidden}]", `admission webhook "forbids.validationpolicy.crosswalk.dev" denied the request: never (validationpolicy "forbids")`},
		{"fails", "validations: [{expression: object.spec.none == 1}]", `validationpolicy "fails": spec.validations[0].expression "object.spec.none == 1" cannot be evaluated: no such key: none`},
		{"asked-first", "matchConditions: [{name: a, expression: object.spec.none == 1}]\nvalidations: [{expression: 'true'}]",
			`expression 'object.spec.none == 1 // validationpolicy "asked-first"' resulted in error: no such key: none`},
		{"asked-here", "variables: [{name: none, expression: object.spec.none}]\nmatchConditions: [{name: a, expression: variables.none == 1}]\nvalidations: [{expression: 'true'}]",
			`validationpolicy "asked-here": spec.matchConditions[0].expression "variables.none == 1" cannot be evaluated: `},
	} {
		p.policy("ValidationPolicy", test.name, about+test.spec)
		p.wantRefused(p.v1, "unnamed", "", test.want)
		p.remove("ValidationPolicy", test.name)
	}
}

// What is no mistake, but may be one, is told and passes.
func (p play) testWarnings() {
	p.policy("ValidationPolicy", "hints", "hub: true\n"+about+`validationActions: [Warn]
validations: [{expression: "object.spec.?port.orValue('') != '80'", fieldPath: .spec.port, message: is for the proxy}]`)
	p.Cleanup(func() { _, _ = p.v1.Delete(context.Background(), "hinted") })
	said, err := p.combined(string(crontab(p.beta, "hinted", `,"hostPort":"h:80"`)), "create", "-f", "-")
	if err != nil || !strings.Contains(said, "Warning: ") || !strings.Contains(said, "spec.hostPort: ") || !strings.Contains(said, "is for the proxy") {
		p.Errorf("kubectl says %s, %v", said, err)
	}
}

func (p play) testColumns() {
	p.policy("ValidationPolicy", "columns", about+"validationActions: [Warn]\nvalidations: [{expression: 'true'}]")
	p.policy("MutationPolicy", "columns", about+"mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{}'}}]")
	for what, want := range map[string]string{
		"valpol":         `(?m)^NAME +ACTIONS +FAILURE-POLICY +READY +REASON +AGE\ncolumns +Warn +Fail +True +Registered +\d+s$`,
		"mutpol":         `(?m)^NAME +FAILURE-POLICY +READY +REASON +AGE\ncolumns +Fail +True +Registered +\d+s$`,
		"crosswalk-dev":  `(?s)crosswalk.crosswalk.dev/crontabs.stable.example.com.*mutationpolicy.crosswalk.dev/columns.*validationpolicy.crosswalk.dev/columns`,
		"cw/" + crontabs: `(?m)^NAME +CRD +HUB +VERSIONS +READY +REASON +AGE\n` + crontabs + ` +CronTab +v1 +v1beta1,v1 +True +Ready `,
	} {
		if got := p.kubectl("get", what); !regexp.MustCompile(want).MatchString(got) {
			p.Errorf("kubectl get %s prints\n%s", what, got)
		}
	}
}

// kubectl prints what is wrong with a policy, each mistake with its field.
func (p play) testWrongPolicy() {
	said := p.refused(manifest("ValidationPolicy", "wrong", about+"validations: [{expression: object.spec.a}, {expression: objekt == null, fieldPath: spec}]"))
	for _, want := range []string{
		`The ValidationPolicy "wrong" is invalid: `,
		"* spec.validations[0].expression: must evaluate to bool but got dyn",
		"* spec.validations[1].expression: ERROR: <input>:1:1: undeclared reference to 'objekt'",
		"* spec.validations[1].fieldPath: write it with a dot before each name",
	} {
		if !strings.Contains(said, want) {
			p.Errorf("kubectl says\n%s\nwant %s", said, want)
		}
	}
	said = p.refused(manifest("MutationPolicy", "wrong", about+"mutations: [{patchType: JSONPatch}]"))
	if want := "spec.mutations[0].jsonPatch: it is missing"; !strings.Contains(said, want) {
		p.Errorf("kubectl says\n%s\nwant %s", said, want)
	}
}

// What a policy leaves out is not asked about, or not judged: by conditions, which the
// API server looks at itself, by labels and by rules that exclude.
func (p play) testExceptions() {
	rule := "validations: [{expression: 'object.spec.?replicas.orValue(1) < 9', fieldPath: .spec.replicas, message: less than 9}]\n"
	p.policy("ValidationPolicy", "conditions", about+rule+"matchConditions: [{name: others, expression: \"object.metadata.name != 'exempt'\"}]")
	if got := p.kubectl("get", "validatingwebhookconfiguration", "crosswalk-policies", "-o", "jsonpath={.webhooks[*].matchConditions[*].name}"); got != "others" {
		p.Errorf("the API server looks at the conditions %q", got)
	}
	p.wantRefused(p.v1, "wrong", `,"replicas":9`, "less than 9")
	p.wantRefused(p.beta, "wrong", `,"replicas":9`, "less than 9")
	p.wantCreated(p.v1, "exempt", `,"replicas":9`)
	p.policy("ValidationPolicy", "conditions", rule+"matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: ['crontabs/*']}], "+
		"excludeResourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: [CREATE], resources: [crontabs]}]}")
	p.wantCreated(p.v1, "wrong", `,"replicas":9`)
}

// A policy about everything leaves out what must not wait for one, and can be taken
// away again.
func (p play) testAboutEverything() {
	p.policy("ValidationPolicy", "everything", "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE, DELETE], resources: ['*/*']}]}\n"+
		"validations: [{expression: \"request.userInfo.username == 'nobody'\", message: nobody does anything}]")
	if said, err := p.combined("", "create", "configmap", "something"); err == nil || !strings.Contains(said, "nobody does anything") {
		p.Errorf("kubectl says %s, %v", said, err)
	}
	p.kubectl("auth", "can-i", "create", "pods") // a SelfSubjectAccessReview is created
	if said, err := p.combined("", "create", "configmap", "something", "-n", "crosswalk-system"); err != nil {
		p.Errorf("Crosswalk's own namespace: %s", said)
	}
	p.pipe(manifest("ValidationPolicy", "more", about+"validations: [{expression: 'true'}]"), "apply", "-f", "-")
	p.kubectl("delete", "validationpolicy", "everything", "more")
	stage.Until(p.T, 10*time.Second, func(ctx context.Context) error {
		if _, err := p.scene.ControlPlane.Kubectl(ctx, "create", "configmap", "something", "--dry-run=server"); err != nil {
			return fmt.Errorf("after it is gone: %w", err)
		}
		return nil
	})
}

// More policies about the same writes than one webhook asks for.
func (p play) testMany() {
	const many = 103
	path := policyPath("ValidationPolicy")
	p.Cleanup(func() {
		if _, err := p.v1.API.Do(context.Background(), http.MethodDelete, path, harness.JSONType, nil); err != nil {
			p.Error(err)
		}
	})
	for i := range many {
		policy, err := yaml.YAMLToJSON([]byte(manifest("ValidationPolicy", fmt.Sprintf("many-%03d.example.com", i), about+fmt.Sprintf(
			"validations: [{expression: 'object.spec.?replicas.orValue(1) != 4', fieldPath: .spec.replicas, message: number %d}]", i))))
		if err != nil {
			p.Fatal(err)
		}
		if _, err := p.v1.API.Do(p.Context(), http.MethodPost, path, harness.JSONType, policy); err != nil {
			p.Fatal(err)
		}
	}
	stage.Until(p.T, time.Minute, func(ctx context.Context) error {
		said, err := p.v1.API.Get(ctx, path)
		if err != nil {
			return err
		}
		if ready := bytes.Count(said, []byte(`"reason":"Registered","status":"True"`)); ready != many {
			return fmt.Errorf("%d are ready", ready)
		}
		return nil
	})
	got := strings.Fields(p.kubectl("get", "validatingwebhookconfiguration", "crosswalk-policies", "-o", "jsonpath={.webhooks[*].clientConfig.service.path}"))
	const before = "/apis/admission.crosswalk.dev/v1alpha1/reviews/validate/policies"
	if len(got) != 2 || strings.Count(strings.TrimPrefix(got[0], before), "/") != 100 || got[1] != before+"/many-100.example.com/many-101.example.com/many-102.example.com" {
		p.Errorf("the API server asks %q", got)
	}
	p.wantRefused(p.v1, "wrong", `,"replicas":4`, "number ")
	p.wantCreated(p.v1, "right", `,"replicas":3`)
}
