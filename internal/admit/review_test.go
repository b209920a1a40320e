package admit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"

	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// play judges a write of user bob in the namespace ns.
func play(t *testing.T, j *Judge, w Write) *Result {
	t.Helper()
	w.User, w.Namespace = User{Name: "bob"}.Info(), "ns"
	r, err := j.Review(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func causes(r *Result) string {
	var lines []string
	for _, c := range r.Causes {
		lines = append(lines, c.Field+": "+c.Message)
	}
	return strings.Join(lines, "\n")
}

// TestReview plays what the API server does with writes of stones, on the way to
// their policies and after.
func TestReview(t *testing.T) {
	tests := []struct {
		name, policy string
		object, old  string
		sub, context string
		// want is what has become of spec and status, or the denial.
		want     string
		stage    Stage
		warnings []string // warnings
	}{
		{name: "defaults and pruning", object: v1("spec: {weight: 1, bogus: {a: 1}}"), want: `{"spec":{"colour":"grey","weight":1}}`, warnings: []string{`unknown field "spec.bogus"`}},
		{name: "the schema comes before policies", policy: rule("never", "", "false"),
			object: v1("spec: {weight: 101}"), stage: Schema, want: "spec.weight: Invalid value: 101: spec.weight in body should be less than or equal to 100"},
		{name: "rules of the schema", object: v1("spec: {colour: pink}"), stage: Schema, want: "spec: Invalid value: no stone is pink"},
		{name: "metadata", object: "apiVersion: quarry.dev/v1\nkind: Stone\nmetadata: {name: a, labels: {x: '?'}}\n", stage: Schema,
			want: "metadata.labels: Invalid value: \"?\": a valid label"},
		{name: "no name", object: "apiVersion: quarry.dev/v1\nkind: Stone\n", stage: Schema, want: "metadata.name: Required value: name or generateName is required"},
		{name: "a generated name", policy: rule("named", "", "object.metadata.name.startsWith('stone-') && request.name == object.metadata.name"),
			object: "apiVersion: quarry.dev/v1\nkind: Stone\nmetadata: {generateName: stone-}\nspec: {weight: 1}\n", want: `{"spec":{"colour":"grey","weight":1}}`},
		{name: "what is created has an identity", policy: rule("identified", "", "has(object.metadata.uid) && has(object.metadata.creationTimestamp) && object.metadata.generation == 1"),
			object: v1("spec: {weight: 1}"), want: `{"spec":{"colour":"grey","weight":1}}`},
		{name: "but no mutation sees it", policy: `apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: anonymous}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [quarry.dev], apiVersions: ['*'], operations: [CREATE], resources: [stones]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "has(object.metadata.uid) || has(request.name) ? [JSONPatch{op: 'add', path: '/spec/weight', value: 2}] : []"}}]
`, object: "apiVersion: quarry.dev/v1\nkind: Stone\nmetadata: {generateName: stone-, uid: x}\nspec: {weight: 1}\n", want: `{"spec":{"colour":"grey","weight":1}}`},
		{name: "no update takes back a deletion", policy: rule("going", "", "object.metadata.deletionTimestamp == oldObject.metadata.deletionTimestamp && object.metadata.uid == 'x'"),
			object: v1("spec: {weight: 1}"), old: strings.Replace(v1("spec: {weight: 1}"), "name: a", "name: a, uid: x, deletionTimestamp: \"2026-01-01T00:00:00Z\"", 1), want: `{"spec":{"colour":"grey","weight":1}}`},
		{name: "a policy", policy: rule("light", "", "object.spec.weight < 5"), object: v1("spec: {weight: 5}"), stage: Validation, want: "spec: Invalid value: not light"},
		{name: "a policy of another version sees that version", policy: rule("light", "", "object.spec.weight < 5"),
			object: beta("spec: {size: 5}"), stage: Validation, want: "spec: Invalid value: not light"},
		{name: "but not where it matches exactly", policy: strings.Replace(rule("light", "", "false"), "matchConstraints: {", "matchConstraints: {matchPolicy: Exact, ", 1),
			object: beta("spec: {size: 5}"), want: `{"spec":{"size":5}}`},
		{name: "nor what it excludes in any version", policy: strings.Replace(rule("light", "", "false"), "matchConstraints: {",
			"matchConstraints: {excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v1beta1], operations: ['*'], resources: ['*']}], ", 1),
			object: beta("spec: {size: 5}"), want: `{"spec":{"size":5}}`},
		{name: "a hub policy", policy: strings.NewReplacer("fieldPath: .spec", "fieldPath: .spec.weight", ", pebbles", "").Replace(rule("light", "hub: true", "object.spec.weight < 5")),
			object: beta("spec: {size: 5}"), stage: Validation, want: "spec.size: Invalid value: 5: not light"},
		{name: "what the table cannot show", object: beta("spec: {place: here}"), stage: Validation,
			want: "spec.place: the value can't be represented in v1 (.spec.host, .spec.port)"},
		{name: "status is not created", object: v1("status: {phase: Done}"), want: `{}`},
		{name: "status is not updated with the rest", object: v1("spec: {weight: 2}\nstatus: {phase: Done}"), old: v1("status: {phase: New}"),
			want: `{"spec":{"colour":"grey","weight":2},"status":{"phase":"New"}}`},
		{name: "the rest is not updated with status", sub: "status", object: v1("spec: {weight: 2}\nstatus: {phase: Done}"), old: v1("spec: {weight: 1}"),
			want: `{"spec":{"colour":"grey","weight":1},"status":{"phase":"Done"}}`},
		{name: "the old object in another version", policy: rule("kept", "", "object.spec.weight == oldObject.spec.weight"),
			object: beta("spec: {size: 2}"), old: v1("spec: {weight: 1}"), stage: Validation, want: "spec: Invalid value: not kept"},
		{name: "the guard keeps what the version does not show", object: beta("spec: {size: 2}"), old: v1("spec: {weight: 1, shape: round}"),
			want: `{"spec":{"size":2},"stash":"{\"format\":1,\"table\":\"wVPPkNWQ.v1\",\"entries\":[{\"at\":[\"spec\",\"shape\"],\"value\":\"round\"}]}"}`},
		{name: "a place that the written version has not, on update", policy: mutationOfShape, object: beta("spec: {size: 2}"), old: beta("spec: {size: 1}"), want: `{"spec":{"size":2}}`},
		{name: "and on creation", policy: mutationOfShape, object: beta("spec: {size: 2}"),
			want: `{"spec":{"size":2},"stash":"{\"format\":1,\"table\":\"wVPPkNWQ.v1\",\"entries\":[{\"at\":[\"spec\",\"shape\"],\"value\":\"round\"}]}"}`},
		{name: "deletion", policy: rule("kept", "", "oldObject.spec.weight == 1 || request.operation != 'DELETE'"), old: beta("spec: {size: 2}"),
			stage: Validation, want: "spec: Invalid value: not kept"},
		{name: "who writes", policy: rule("root", "", "request.userInfo.username == 'root' || request.namespace != 'ns' || !('system:authenticated' in request.userInfo.groups)"),
			object: v1(""), stage: Validation, want: "spec: Required value: not root"},
		{name: "other objects in any version", policy: rule("unique", "lookups: [{name: all, apiVersion: quarry.dev/v1, kind: Stone, selector: {}}]", "!lookups.all.exists(s, s.spec.weight == object.spec.weight)"),
			object: v1("spec: {weight: 7}"), context: strings.Replace(beta("spec: {size: 7}"), "name: a", "name: b", 1), stage: Validation, want: "spec: Invalid value: not unique"},
		{name: "the old object is there", policy: rule("first", "lookups: [{name: all, apiVersion: quarry.dev/v1, kind: Stone, selector: {}}]", "lookups.all.map(s, s.spec.weight) == [1]"),
			object: v1("spec: {weight: 2}"), old: v1("spec: {weight: 1}"), context: beta("spec: {size: 9}"), want: `{"spec":{"colour":"grey","weight":2}}`},
		{name: "the namespace is there", policy: rule("named", "", "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'ns'"),
			object: v1(""), want: `{}`},
		{name: "a namespace of the context", policy: rule("named", "", "namespaceObject.metadata.labels == {'kubernetes.io/metadata.name': 'ns', 'x': 'z'}"),
			object: v1(""), context: "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, labels: {x: z}}\n", want: `{}`},
		{name: "objects that name no namespace are in the default one", policy: rule("alone", "lookups: [{name: all, apiVersion: v1, kind: ConfigMap, selector: {}, namespaceExpression: \"'ns'\"}]", "size(lookups.all) == 1"),
			object: strings.Replace(v1(""), "name: a", "name: a, namespace: other", 1), context: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", want: `{}`},
		{name: "no namespace", policy: strings.Replace(rule("v1", "", "object.apiVersion == 'quarry.dev/v2'"), "not v1", "saw v1", 1),
			object: "apiVersion: quarry.dev/v2\nkind: Pebble\nmetadata: {name: a, namespace: x}\n", stage: Validation, want: "spec: Required value: saw v1"},
		{name: "a kind that is nowhere", policy: rule("known", "lookups: [{name: one, apiVersion: v1, kind: Servcie, nameExpression: \"'a'\"}]", "lookups.one == null"),
			object: v1(""), stage: Validation, want: `: validationpolicy "known": spec.validations[0].expression "lookups.one == null" cannot be evaluated: the lookup one: ` +
				`Servcie: the kind is not served: there is no kind Servcie in v1: add its CustomResourceDefinition to --config`},
		{name: "objects that nobody can convert", policy: rule("known", "lookups: [{name: one, apiVersion: example.com/v2, kind: Widget, nameExpression: \"'a'\"}]", "lookups.one == null"),
			object: v1(""), context: "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n", stage: Validation,
			want: `: validationpolicy "known": spec.validations[0].expression "lookups.one == null" cannot be evaluated: the lookup one: Widget: ` +
				`the given objects of that kind are in v1, and nothing can convert them to v2`},
		{name: "an object in another version", policy: rule("known", "lookups: [{name: one, apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, nameExpression: \"'a'\"}]", "lookups.one.spec.metrics[0].resource.target.averageUtilization == 70"),
			object: v1(""), context: "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {targetCPUUtilizationPercentage: 70}\n", want: "{}"},
		{name: "what was made of another object", policy: rule("known", "lookups: [{name: one, apiVersion: v1, kind: Service, nameExpression: \"'a'\"}]", "lookups.one.spec.ipFamilies == ['IPv4'] && namespaceObject.spec.finalizers == ['kubernetes']"),
			object: v1(""), context: "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", want: "{}"},
		{name: "what was made of another object, where it is known", policy: rule("known", "lookups: [{name: one, apiVersion: v1, kind: Service, nameExpression: \"'a'\"}]", "!has(lookups.one.spec.ipFamilies)"),
			object: v1(""), context: "apiVersion: v1\nkind: Service\nmetadata: {name: a, uid: u}\n", want: "{}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := load(t, stones, pebbles, test.policy)
			r := play(t, j, Write{SubResource: test.sub, Object: object(t, test.object), Old: object(t, test.old), Context: objects(t, test.context)})
			got := causes(r)
			if r.Allowed() {
				got = body(t, r)
			}
			if got != test.want && (r.Allowed() || !strings.HasPrefix(got, test.want)) || r.Stage != test.stage {
				t.Errorf("got %s at %q\nwant %s at %q", got, r.Stage, test.want, test.stage)
			}
			if strings.Join(r.Warnings, ";") != strings.Join(test.warnings, ";") {
				t.Errorf("warnings: got %q, want %q", r.Warnings, test.warnings)
			}
		})
	}
}

// body is what has become of an object, its stash included.
func body(t *testing.T, r *Result) string {
	t.Helper()
	shown := map[string]any{}
	for _, name := range []string{"spec", "status"} {
		if value, found := r.Object[name]; found {
			shown[name] = value
		}
	}
	metadata, _ := r.Object["metadata"].(map[string]any)
	if annotations, found := metadata["annotations"].(map[string]any); found {
		shown["stash"] = annotations["stash.crosswalk.dev/v1"]
	}
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mutationOfShape writes what only v1 has. On update the guard takes that back from
// whoever writes v1beta1: docs/policies.md says so.
const mutationOfShape = `
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: shape}
spec:
  hub: true
  matchConstraints: {resourceRules: [{apiGroups: [quarry.dev], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [stones]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{shape: 'round'}}"}}]
`

// TestReviewOptOut: a table that looks at no writes denies none.
func TestReviewOptOut(t *testing.T) {
	j := load(t, strings.Replace(stones, "  hub: v1\n", "  hub: v1\n  admission: None\n", 1))
	if r := play(t, j, Write{Object: object(t, beta("spec: {place: here}"))}); !r.Allowed() {
		t.Errorf("got %s", causes(r))
	}
}

// TestNewTellsEverything: what is wrong with tables and policies comes at once.
func TestNewTellsEverything(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml": strings.Replace(stones, "hub: .spec.weight", "hub: .spec.wait", 1), "b.yaml": rule("wrong", "", "object.spec +"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := config.Load([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = New(loaded); err == nil || !strings.Contains(err.Error(), "hub path .spec.wait is not in the v1 schema; .spec has colour, host, port, shape, weight\n") || !strings.Contains(err.Error(), "ValidationPolicy wrong: .spec.validations[0].expression: ERROR") {
		t.Errorf("got %v", err)
	}
}

// TestReviewCannotPlay says what it cannot play, and why.
func TestReviewCannotPlay(t *testing.T) {
	j := load(t, stones, strings.Replace(pebbles, "  scope: Cluster\n", "  scope: Cluster\n  conversion: {strategy: Webhook}\n", 1))
	pebble := "apiVersion: quarry.dev/v1\nkind: Pebble\nmetadata: {name: a}\n"
	for _, test := range []struct {
		write             Write
		object, old, want string
	}{
		{want: "a DELETE needs an old object, and no new one"},
		{Write{Operation: "CREATE"}, v1(""), v1(""), "a CREATE needs an object, and no old object"},
		{Write{Operation: "UPDATE"}, v1(""), "", "an UPDATE needs an object and an old object"},
		{Write{Operation: "DELETE"}, v1(""), "", "a DELETE needs an old object, and no new one"},
		{Write{Operation: "CONNECT"}, v1(""), "", "a CONNECT needs a subresource: attach, exec, portforward or proxy"},
		{Write{Operation: "PATCH"}, v1(""), "", `unknown operation "PATCH"; use CREATE, UPDATE, DELETE or CONNECT`},
		{Write{SubResource: "scale"}, v1(""), v1(""), "the body for scale must be a Scale of autoscaling/v1, not a Stone"},
		{Write{SubResource: "scale"}, scaleTo("a", 1), "", "an UPDATE of a scale needs a Scale, and the scaled object as the old object"},
		{Write{SubResource: "scale"}, scaleTo("a", 1), pebble, "pebbles.quarry.dev has no subresource scale in v1"},
		{Write{SubResource: "scale"}, scaleTo("a", 1), "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", "pods have no subresource scale"},
		{Write{SubResource: "scale"}, scaleTo("b", 1), deploymentOf(1), "the old object: it is ns/a, but the new object is ns/b: an update can't change the name"},
		{Write{SubResource: "approve"}, v1(""), v1(""), `there is no subresource "approve"; known are approval, attach, binding, ephemeralcontainers, eviction, exec, finalize, portforward, proxy, resize, scale, status, token`},
		{Write{SubResource: "eviction"}, v1(""), "", "no subresource eviction has a Stone of quarry.dev/v1 as its body"},
		{Write{SubResource: "eviction", Operation: "UPDATE"}, v1(""), "", "the operation on the subresource eviction is CREATE, not UPDATE"},
		{Write{SubResource: "exec"}, "apiVersion: v1\nkind: PodExecOptions\ncommand: [sh]\n", "", "metadata.name is missing: it must name the Pod of the exec"},
		{Write{}, "apiVersion: v1\nkind: PodExecOptions\nmetadata: {name: a}\n", "", "a PodExecOptions of v1 is the body of a subresource request: name the subresource, exec"},
		{Write{}, "apiVersion: v1\nkind: ReplicationControllerList\nmetadata: {}\n", "", "an API server of Kubernetes 1.36 does not serve ReplicationControllerList in v1 by default"},
		{Write{SubResource: "exec"}, v1(""), v1(""), "a CONNECT needs options as its object, and no old object"},
		{Write{SubResource: "status"}, v1(""), "", "an UPDATE needs an object and an old object"},
		{Write{SubResource: "status"}, pebble, pebble, "pebbles.quarry.dev has no subresource status in v1"},
		{Write{}, strings.Replace(v1(""), "v1", "v3", 1), "", "stones.quarry.dev has no version v3; there are v1beta1, v1, v0"},
		{Write{}, strings.Replace(v1(""), "v1", "v0", 1), "", "stones.quarry.dev is not served in v0"},
		{Write{}, strings.Replace(v1(""), "Stone", "Rock", 1), "", "there is no kind Rock in quarry.dev/v1: add its CustomResourceDefinition to --config"},
		{Write{}, v1(""), pebble, "the old object: it is a Pebble.quarry.dev, but the new object is a Stone.quarry.dev"},
		{Write{}, v1(""), strings.Replace(v1(""), "name: a", "name: b", 1), "the old object: it is ns/b, but the new object is ns/a: an update can't change the name"},
		{Write{}, pebble, strings.Replace(pebble, "/v1", "/v2", 1), "the old object: to v1: pebbles.quarry.dev is converted by a webhook, and has no Crosswalk; add it to --config"},
	} {
		w := test.write
		w.Object, w.Old, w.Namespace = object(t, test.object), object(t, test.old), "ns"
		if _, err := j.Review(t.Context(), w); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if _, err := j.Review(t.Context(), Write{Object: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":1}}}`)}); err == nil || !strings.HasPrefix(err.Error(), "its metadata cannot be read: ") {
		t.Error(err)
	}
	if _, err := j.Review(t.Context(), Write{Object: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":[]}`)}); err == nil || err.Error() != "its metadata must be a map" {
		t.Errorf("got %v", err)
	}
}
