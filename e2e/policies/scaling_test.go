package policies

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// Who scales an object writes it, in whatever version, and is judged by the policies
// about it.
func (p play) testScaling() {
	const few = "validations: [{expression: object.spec.replicas <= 5, fieldPath: .spec.replicas, messageExpression: \"'at most 5 of ' + object.spec.image\"}]\n"
	const denied = `The Scale "many" is invalid: spec.replicas: Invalid value: 9: at most 5 of example.com/backup:1.4 (validationpolicy "few")`
	for _, name := range []string{"many", "few", "other"} {
		p.post("/apis/stable.example.com/v1/namespaces/default/crontabs", name,
			fmt.Sprintf(`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":%q,"labels":{"size":%q}},"spec":{"cronSpec":"0 2 * * 5","image":"example.com/backup:1.4","replicas":8}}`, name, name))
	}
	policy := func(more string) { p.policy("ValidationPolicy", "few", more+few) }

	// What serve may not read follows the failurePolicy.
	policy(about)
	p.wantNotScaled("crontabs/many", 9, `validationpolicy "few" cannot be evaluated: the scaled object is not known: CronTab many in namespace default: Crosswalk may not read it; allow its role to get: `)
	policy(about + "failurePolicy: Ignore\n")
	p.wantScaled("crontabs/many", 9)
	policy(about)
	p.permit("few")
	for _, resource := range []string{"crontabs.v1.stable.example.com/many", "crontabs.v1beta1.stable.example.com/many"} {
		p.wantScaled(resource, 5)
		p.wantScaled(resource, 2)
		p.wantNotScaled(resource, 9, denied)
	}
	// An HPA updates the Scale that it has read.
	scale := string(p.must(p.v1.API.Get(p.Context(), "/apis/stable.example.com/v1/namespaces/default/crontabs/many/scale")))
	for replicas, want := range map[string]string{`"spec":{"replicas":4}`: "", `"spec":{"replicas":9}`: "at most 5 of"} {
		_, err := p.v1.API.Do(p.Context(), http.MethodPut, "/apis/stable.example.com/v1/namespaces/default/crontabs/many/scale", harness.JSONType,
			[]byte(strings.Replace(scale, `"spec":{"replicas":2}`, replicas, 1)))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			p.Errorf("%s: %v", replicas, err)
		}
		scale = strings.Replace(scale, `"resourceVersion"`, `"was"`, 1)
	}

	// What is not scaled has been there before, and what is chosen is told by the object.
	p.policy("ValidationPolicy", "tags", about+"validations: [{expression: \"!object.spec.image.endsWith(':1.4')\", message: an old image}]")
	p.wantScaled("crontabs/other", 3)
	policy("matchConditions: [{name: owned, expression: object.metadata.labels.size != 'other'}]\n" +
		strings.Replace(about, "{resourceRules", "{objectSelector: {matchExpressions: [{key: size, operator: NotIn, values: [many]}]}, resourceRules", 1))
	p.wantScaled("crontabs/many", 9)
	p.wantScaled("crontabs/other", 9)
	p.wantNotScaled("crontabs/few", 9, strings.ReplaceAll(denied, "many", "few"))
	policy(strings.Replace(about, "}]}", "}], excludeResourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: [crontabs/scale]}]}", 1))
	p.wantScaled("crontabs/few", 9)

	p.scaleStar()
	p.scaleDeployment()
}

// permit gives serve the right that a policy says it lacks, as it says it, and waits until
// the policy is content.
func (p play) permit(name string) {
	p.Helper()
	condition := func(want metav1.ConditionStatus) (said string) {
		stage.Until(p.T, 40*time.Second, func(ctx context.Context) error {
			policy := new(v1alpha1.ValidationPolicy)
			data, err := p.v1.API.Get(ctx, policyPath("ValidationPolicy")+"/"+name)
			if err == nil {
				err = json.Unmarshal(data, policy)
			}
			if err != nil {
				return err
			}
			c := meta.FindStatusCondition(policy.Status.Conditions, v1alpha1.ConditionPermitted)
			if c == nil || c.Status != want {
				return fmt.Errorf("%s: %+v", name, policy.Status.Conditions)
			}
			said = c.Message
			return nil
		})
		return said
	}
	_, role, _ := strings.Cut(condition(metav1.ConditionFalse), ": {")
	p.pipe("{"+role, "apply", "-f", "-")
	p.Cleanup(func() { _, _ = p.combined("", "delete", "clusterrole", "crosswalk-serve-"+name) })
	condition(metav1.ConditionTrue)
}

// A policy for the hub that names the subresource sees the object in the hub.
func (p play) scaleStar() {
	const stars = "/apis/cnstar.kubecto-kubernetes.info/v1alpha1/namespaces/default/stars"
	p.grant("cnstar.kubecto-kubernetes.info", "stars")
	p.post(stars, "sun", `{"apiVersion":"cnstar.kubecto-kubernetes.info/v1alpha1","kind":"Star","metadata":{"name":"sun"},"spec":{"schedule":"0 2 * * *","command":"date","replicas":3}}`)
	p.policy("ValidationPolicy", "workers", `
hub: true
matchConstraints: {resourceRules: [{apiGroups: [cnstar.kubecto-kubernetes.info], apiVersions: [v1], operations: [UPDATE], resources: [stars/scale]}]}
validations: [{expression: object.spec.workers.replicas <= 6, fieldPath: .spec.workers.replicas, message: at most 6 workers}]
`)
	for version, field := range map[string]string{"v1alpha1": "spec.replicas", "v1": "spec.workers.replicas"} {
		star := "stars." + version + ".cnstar.kubecto-kubernetes.info/sun"
		p.wantScaled(star, 6)
		p.wantNotScaled(star, 8, field+`: Invalid value: 8: at most 6 workers (validationpolicy "workers")`)
	}
}

// Kubernetes' own kinds are scaled in the same way.
func (p play) scaleDeployment() {
	p.grant("apps", "deployments")
	p.post("/apis/apps/v1/namespaces/default/deployments", "web", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`)
	p.policy("ValidationPolicy", "deployments", `
matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}
validations: [{expression: "object.spec.replicas <= 6 || object.spec.template.spec.containers[0].image != 'web:1'", message: at most 6}]
`)
	p.wantScaled("deployments/web", 6)
	p.wantNotScaled("deployments/web", 8, `at most 6 (validationpolicy "deployments")`)
}

func (p play) wantScaled(what string, replicas int) {
	p.Helper()
	p.kubectl("scale", what, fmt.Sprint("--replicas=", replicas))
}

func (p play) wantNotScaled(what string, replicas int, want string) {
	p.Helper()
	said, err := p.combined("", "scale", what, fmt.Sprint("--replicas=", replicas))
	if err == nil || !strings.Contains(said, want) {
		p.Errorf("%s to %d: kubectl says %s, %v, want %s", what, replicas, said, err, want)
	}
}

func (p play) must(text []byte, err error) []byte {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
	return text
}
