package policy

import (
	"fmt"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

const stored = `
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: nightly, namespace: default, labels: {team: a}}
spec: {cronSpec: '* * * * *', image: x, replicas: 3, host: localhost, port: "80"}
`

// scaling is a request to scale an object, from and to numbers.
func scaling(t testing.TB, from, to int) *admissionv1.AdmissionRequest {
	t.Helper()
	text := func(n int) string {
		if n == 0 {
			return "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: nightly}, spec: {}}"
		}
		return fmt.Sprintf("{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: nightly}, spec: {replicas: %d}}", n)
	}
	r := request(t, admissionv1.Update, text(to), text(from))
	r.Kind = metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	r.RequestKind, r.SubResource, r.RequestSubResource = &r.Kind, "scale", "scale"
	return r
}

// scalable is a cluster with the CRD of the example, its table, and some objects.
func scalable(t testing.TB, objects ...string) (Cluster, *reading) {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	text, err := os.ReadFile("../../examples/crontab/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	live := given(t, objects...)
	return Cluster{Live: live, Definitions: types, Namespaces: live, Tables: exampleTables(t)}, live
}

func rulesFor(resources string) string {
	return "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [UPDATE], resources: [" + resources + "]}]}\n"
}

// Who scales an object is judged by the policies about the object, as if he had written it.
func TestWhoScalesWritesTheObject(t *testing.T) {
	const few = "validations: [{expression: object.spec.replicas <= 5, fieldPath: .spec.replicas, messageExpression: \"'at most 5 of ' + object.spec.image\"}]\n"
	const other = "validations: [{expression: object.spec.host != 'localhost', message: is no host}]\n"
	const denied = `spec.replicas: Invalid value: 9: at most 5 of x`
	about := rulesFor("crontabs")
	excluded := func(what string) string {
		return "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: ['*'], resources: [crontabs]}], " +
			"excludeResourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: [" + what + "]}]}\n"
	}
	chosen := func(selector string) string {
		return "matchConstraints: {" + selector + ", resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: [UPDATE], resources: [crontabs]}]}\n"
	}
	for _, test := range []struct {
		name, spec string
		from, to   int
		want       string
		reads      int
	}{
		{"to a number that is allowed", about + few, 3, 4, "", 1},
		{"to one that is not", about + few, 3, 9, denied, 1},
		{"down, and still too many", about + few, 20, 9, denied, 1},
		{"the number stays", about + few, 9, 9, "", 1},
		{"the number stays, and all counts", about + few + "ratcheting: false\n", 9, 9, denied, 1},
		{"to none", about + "validations: [{expression: object.spec.replicas > 0, message: at least one}]\n", 3, 0, "at least one", 1},
		{"what does not change", about + other, 3, 9, "", 1},
		{"what does not change, and all counts", about + other + "ratcheting: false\n", 3, 9, "is no host", 1},
		{"the number before", about + "validations: [{expression: oldObject.spec.replicas == 7 && object.spec.replicas == 9, message: no}]\n", 7, 9, "", 1},
		{"what the request says", about + "validations: [{message: no, expression: \"request.subResource == 'scale' && request.kind.kind == 'CronTab' && request.requestKind.kind == 'Scale' && request.operation == 'UPDATE' && object.kind == 'CronTab' && request.userInfo.username == 'ann'\"}]\n", 3, 9, "", 1},
		{"for the hub", "hub: true\n" + about + few, 3, 9, denied, 1},
		{"for the hub, by the name of the subresource", "hub: true\n" + rulesFor("crontabs/scale") + few, 3, 9, denied, 1},
		{"for the hub, by any subresource", "hub: true\n" + rulesFor("'crontabs/*'") + few, 3, 9, denied, 1},
		{"by any resource", rulesFor("'*'") + few, 3, 9, denied, 1},
		{"the Scale itself", rulesFor("crontabs/scale") + "validations: [{expression: object.kind != 'Scale' || object.spec.replicas <= 5, message: of a Scale}]\n", 3, 9, "of a Scale", 0},
		{"the Scale itself, and the object", rulesFor("crontabs, crontabs/scale") + "validations: [{expression: object.kind != 'Scale', message: of a Scale}]\nratcheting: false\n", 3, 9, "of a Scale", 0},
		{"the status", rulesFor("crontabs/status") + few, 3, 9, "", 0},
		{"another resource", rulesFor("others") + few, 3, 9, "", 0},
		{"creation alone", strings.Replace(about, "UPDATE", "CREATE", 1) + few, 3, 9, "", 0},
		{"without scaling", excluded("crontabs/scale") + few, 3, 9, "", 0},
		{"without the resource", excluded("crontabs") + few, 3, 9, "", 0},
		{"an object that is chosen", chosen("objectSelector: {matchLabels: {team: a}}") + few, 3, 9, denied, 1},
		{"an object that is not", chosen("objectSelector: {matchLabels: {team: b}}") + few, 3, 9, "", 1},
		{"a namespace that is chosen", chosen("namespaceSelector: {matchLabels: {a: b}}") + few, 3, 9, denied, 1},
		{"a namespace that is not", chosen("namespaceSelector: {matchLabels: {a: c}}") + few, 3, 9, "", 0},
		{"a condition of the object", about + few + "matchConditions: [{name: host, expression: object.spec.host == 'else'}]\n", 3, 9, "", 1},
		{"by another version of the rules", strings.Replace(about, "v1]", "v1beta1]", 1) + strings.ReplaceAll(few, "object.spec.image", "object.spec.hostPort"), 3, 9, "spec.replicas: Invalid value: 9: at most 5 of localhost:80", 1},
		{"by another version, exactly", strings.Replace(chosen("matchPolicy: Exact"), "v1]", "v1beta1]", 1) + few, 3, 9, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			cluster, live := scalable(t, stored, "{apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {a: b}}}")
			got := told(review(t, Validations(cluster, compiled(t, test.spec)), scaling(t, test.from, test.to)))
			if strings.TrimSuffix(got, ` (validationpolicy "schedules")`) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if len(live.reads) != test.reads {
				t.Errorf("read %v, want %d", live.reads, test.reads)
			}
		})
	}
}

// A hub policy judges what is scaled through another version, in words of that version.
func TestScaledThroughAnotherVersion(t *testing.T) {
	cluster, _ := scalable(t, strings.NewReplacer("/v1\n", "/v1beta1\n", `host: localhost, port: "80"`, "hostPort: 'localhost:80'").Replace(stored))
	p := compiled(t, "hub: true\nratcheting: false\n"+rulesFor("crontabs")+`
validations:
- {expression: object.spec.replicas <= 5, fieldPath: .spec.replicas, message: at most 5}
- {expression: object.spec.host != 'localhost', fieldPath: .spec.host, message: elsewhere}
`)
	r := scaling(t, 3, 9)
	r.Resource.Version = "v1beta1"
	want := `spec.replicas: Invalid value: 9: at most 5 (validationpolicy "schedules")
spec.hostPort: Invalid value: "localhost:80": elsewhere (validationpolicy "schedules")`
	if got := told(review(t, Validations(cluster, p), r)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Many policies read the object once, and none that is not about it.
func TestScaledIsReadOnce(t *testing.T) {
	cluster, live := scalable(t, stored)
	one := compiled(t, rulesFor("crontabs")+"validations: [{expression: object.spec.replicas <= 5}]")
	two := compiled(t, "hub: true\n"+rulesFor("crontabs")+"validations: [{expression: object.spec.replicas <= 6}]")
	if got := len(review(t, Validations(cluster, one, two), scaling(t, 3, 9)).Causes); got != 2 || len(live.reads) != 1 {
		t.Errorf("%d causes, read %v", got, live.reads)
	}
}

// What is scaled may be of a kind of Kubernetes itself, which has no definition.
func TestScaledDeployment(t *testing.T) {
	live := given(t, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: nightly, namespace: default}, spec: {replicas: 1, paused: true}}")
	p := compiled(t, "matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]}\n"+
		"validations: [{expression: object.spec.replicas <= 5 || !object.spec.paused, message: too many}]")
	r := scaling(t, 1, 9)
	r.Resource = metav1.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	if got := causes(review(t, Validations(Cluster{Live: live}, p), r)); got != "too many" {
		t.Error(got)
	}
}

// What is scaled and cannot be read follows the failurePolicy.
func TestScaledThatCannotBeRead(t *testing.T) {
	whole, _ := scalable(t, stored)
	empty, _ := scalable(t)
	forbidden := whole
	forbidden.Live = &reading{NewGiven(), nil, apierrors.NewForbidden(schema.GroupResource{Group: "stable.example.com", Resource: "crontabs"}, "nightly", nil)}
	undefined, blind := whole, whole
	undefined.Definitions, blind.Live = nil, nil
	const before = `validationpolicy "schedules" cannot be evaluated: the scaled object is not known: `
	for name, test := range map[string]struct {
		cluster Cluster
		edit    func(*admissionv1.AdmissionRequest)
		want    string
	}{
		"gone":      {empty, nil, "CronTab nightly in namespace default: CronTab.stable.example.com \"nightly\" not found"},
		"forbidden": {forbidden, nil, "CronTab nightly in namespace default: Crosswalk may not read it; allow its role to get: "},
		"no definition": {undefined, nil, "no CustomResourceDefinition defines where the replicas of crontabs.stable.example.com are; " +
			"exclude crontabs/scale with excludeResourceRules"},
		"no objects":   {blind, nil, "objects cannot be read here; exclude crontabs/scale with excludeResourceRules"},
		"no name":      {whole, func(r *admissionv1.AdmissionRequest) { r.Name = "../x" }, `"../x" in namespace "default" is not a valid name`},
		"no namespace": {whole, func(r *admissionv1.AdmissionRequest) { r.Namespace = "a/b" }, `"nightly" in namespace "a/b" is not a valid name`},
	} {
		t.Run(name, func(t *testing.T) {
			r := scaling(t, 3, 9)
			if test.edit != nil {
				test.edit(r)
			}
			spec := rulesFor("crontabs") + "validations: [{expression: object.spec.replicas <= 5}]\n"
			if got := causes(review(t, Validations(test.cluster, compiled(t, spec)), r)); !strings.HasPrefix(got, before+test.want) {
				t.Errorf("got\n%s\nwant\n%s", got, before+test.want)
			}
			var opinions []Opinion
			ignoring := validations(test.cluster, func(_ *Policy, o Opinion) { opinions = append(opinions, o) }, []*Policy{compiled(t, spec+"failurePolicy: Ignore\n")})
			if verdict := review(t, ignoring, r); !verdict.Allowed() || len(opinions) != 1 || !opinions[0].Failed {
				t.Errorf("ignored: %s, %v", causes(verdict), opinions)
			}
		})
	}
}

// A mutation cannot change what is scaled: one that names the Scale changes the Scale.
func TestMutationsSeeTheScale(t *testing.T) {
	cluster, live := scalable(t, stored)
	for resources, want := range map[string]string{"crontabs": "", "crontabs/scale": "5"} {
		p := mutationPolicy(t, `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 5}]"}}]`)
		p.Spec.MatchConstraints.ResourceRules[0].Resources = []string{resources}
		m, problems := CompileMutation(p)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		verdict := review(t, Mutations(cluster, m), scaling(t, 3, 9))
		if !verdict.Allowed() || want == "" && verdict.Object != nil || !strings.Contains(string(verdict.Object), want) || len(live.reads) > 0 {
			t.Errorf("%s: %s, %s", resources, causes(verdict), verdict.Object)
		}
	}
}
