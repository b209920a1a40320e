package admit

import "testing"

// What those who validate are shown is for the corpus in e2e to judge, on a real API
// server. Here is one case of every rule.
func TestWhatIsStored(t *testing.T) {
	const service = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
	const job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\n"
	const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 1, template: {spec: {containers: []}}}\n"
	const known = "apiVersion: v1\nkind: Service\nmetadata: {name: a, uid: u, generation: 7}\nspec: {type: ClusterIP}\n"
	const binding = "apiVersion: v1\nkind: Binding\nmetadata: {name: a}\ntarget: {name: node}\n"
	for name, test := range map[string]struct{ resource, object, old, sub, holds string }{
		"what is created has an identity":      {"services", service, "", "", "has(object.metadata.uid) && has(object.metadata.creationTimestamp)"},
		"what is only answered has none":       {"bindings", binding, "", "", "!has(object.metadata.uid) && !has(object.metadata.creationTimestamp)"},
		"what is there has the same":           {"services", service, service, "", "object.metadata.uid == oldObject.metadata.uid"},
		"an address that is made up stays":     {"services", service, service, "", "object.spec.clusterIP == oldObject.spec.clusterIP"},
		"one that is written counts":           {"services", service, service + "spec: {clusterIP: 10.0.0.7}\n", "", "object.spec.clusterIP == '10.0.0.7'"},
		"what is not written by hand is whole": {"services", service, known, "", "!has(oldObject.spec.clusterIP) && object.spec.clusterIP != '' && oldObject.metadata.uid == 'u'"},
		"nobody writes a selector":             {"jobs.batch", job + "spec: {suspend: true}\n", job + "spec: {suspend: false}\n", "", "object.spec.selector == oldObject.spec.selector && object.spec.template.metadata.labels['job-name'] == 'a' && object.metadata.generation == 2"},
		"what was there when it was deleted":   {"jobs.batch", "", job, "", "has(oldObject.spec.selector)"},
		"a status that is written by hand":     {"deployments.apps", deployment, deployment + "status: {replicas: 1}\n", "", "object.status.replicas == 1 && object.metadata.generation == 1"},
		"a write to the status":                {"deployments.apps", deployment + "status: {replicas: 2}\n", deployment, "status", "object.status.replicas == 2 && !has(oldObject.status.replicas)"},
		"no update takes back a deletion":      {"services", service, "apiVersion: v1\nkind: Service\nmetadata: {name: a, uid: u, creationTimestamp: '2026-01-01T00:00:00Z', deletionTimestamp: '2026-01-02T00:00:00Z'}\n", "", "object.metadata.deletionTimestamp == '2026-01-02T00:00:00Z'"},
		"removed fields": {
			"services", service + "spec: {type: NodePort, ports: [{port: 1}]}\n", service + "spec: {type: NodePort, ports: [{port: 1}], selector: {a: b}, externalIPs: [10.0.0.1]}\n", "",
			"!has(object.spec.selector) && !has(object.spec.externalIPs) && object.spec.ports[0].nodePort == oldObject.spec.ports[0].nodePort",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, load(t, native(test.resource, test.holds)), Write{SubResource: test.sub, Object: object(t, test.object), Old: object(t, test.old), Namespace: "ns"})
			if len(r.Asked) == 0 || !r.Allowed() {
				t.Errorf("asked %v: %s", r.Asked, causes(r))
			}
		})
	}
}

// What the API server works out is no change that policies have made.
func TestNoChangeOfPolicies(t *testing.T) {
	r := play(t, load(t, native("namespaces", "object.metadata.name == 'a-xxxxx'")), Write{Object: object(t, "apiVersion: v1\nkind: Namespace\nmetadata: {generateName: a-}\n")})
	const want = "CREATE of Namespace a-xxxxx (v1): allowed\nasked: ValidatingAdmissionPolicy p\n"
	if got := r.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// With the matchPolicy Equivalent a policy sees an object in the version, and the group,
// that it names.
func TestEquivalentKindsOfKubernetes(t *testing.T) {
	const scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: a}}\n"
	policy := func(match, group, version, resource, holds string) string {
		return "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {" + match + "resourceRules: [{apiGroups: ['" + group + "'], apiVersions: [" + version + "], operations: ['*'], resources: [" + resource + "]}]}\n" +
			"  validations: [{expression: \"" + holds + "\", message: 'no'}]\n"
	}
	for name, test := range map[string]struct {
		policy, object string
		asked          bool
	}{
		"a scaler":          {policy("", "autoscaling", "v1", "horizontalpodautoscalers", "object.spec.targetCPUUtilizationPercentage == 80 && request.kind.version == 'v1' && request.requestKind.version == 'v2'"), scaler, true},
		"a scaler as it is": {policy("", "autoscaling", "'*'", "horizontalpodautoscalers", "object.spec.metrics.size() == 1 && request.kind.version == 'v2'"), scaler, true},
		"none but v1":       {policy("matchPolicy: Exact, ", "autoscaling", "v1", "horizontalpodautoscalers", "false"), scaler, false},
		"an event":          {policy("", "events.k8s.io", "v1", "events", "object.note == 'hello' && request.resource.group == 'events.k8s.io'"), "apiVersion: v1\nkind: Event\nmetadata: {name: a}\nmessage: hello\n", true},
		"another group":     {policy("", "apps", "v1", "events", "false"), "apiVersion: v1\nkind: Event\nmetadata: {name: a}\nmessage: hello\n", false},
	} {
		r := play(t, load(t, test.policy), Write{Object: object(t, test.object)})
		if asked := len(r.Asked) > 0; asked != test.asked || !r.Allowed() {
			t.Errorf("%s: asked %v: %s", name, r.Asked, causes(r))
		}
	}
}

// The API server counts what changes of a custom resource.
func TestGenerationOfCustomResources(t *testing.T) {
	at := func(generation, spec, status string) string {
		return "apiVersion: quarry.dev/v1\nkind: Stone\nmetadata: {name: a" + generation + "}\nspec: {weight: " + spec + "}\nstatus: {phase: " + status + "}\n"
	}
	for name, test := range map[string]struct{ object, old, sub, holds string }{
		"at first":               {at(", generation: 7", "1", "x"), "", "", "object.metadata.generation == 1"},
		"a change":               {at("", "2", "x"), at(", generation: 7", "1", "x"), "", "object.metadata.generation == 8 && oldObject.metadata.generation == 7"},
		"of what is new":         {at("", "2", "x"), at("", "1", "x"), "", "object.metadata.generation == 2 && oldObject.metadata.generation == 1"},
		"a label":                {at(", labels: {a: b}", "1", "x"), at(", generation: 7", "1", "x"), "", "object.metadata.generation == 7"},
		"a status by the way":    {at("", "1", "z"), at(", generation: 7", "1", "x"), "", "object.metadata.generation == 7"},
		"a write to a status":    {at("", "2", "z"), at(", generation: 7", "1", "x"), "status", "object.metadata.generation == 7"},
		"what was there at last": {"", at("", "1", "x"), "", "oldObject.metadata.generation == 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, load(t, stones, rule("rule", "", test.holds)), Write{SubResource: test.sub, Object: object(t, test.object), Old: object(t, test.old), Namespace: "ns"})
			if len(r.Asked) == 0 || !r.Allowed() {
				t.Errorf("asked %v: %s", r.Asked, causes(r))
			}
		})
	}
}

// The API server says who asks for a certificate, whatever is written.
func TestWhoAsksForACertificate(t *testing.T) {
	judge := load(t, native("certificatesigningrequests.certificates.k8s.io", "object.spec.username == 'bob'"))
	r := play(t, judge, Write{
		Object: object(t, "apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: a}\nspec: {request: YQ==, signerName: a/b, username: root}\n"),
	})
	if !r.Allowed() {
		t.Errorf("got %s", causes(r))
	}
}

// A folder of objects has one context, which is read once and not for each of them.
func TestContextIsReadOnce(t *testing.T) {
	judge := load(t, native("services", "object.spec.type == 'ClusterIP'"))
	there := objects(t, "apiVersion: v1\nkind: Service\nmetadata: {name: b, namespace: ns}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: ns}\n")
	for _, old := range []string{"", "", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"} {
		r := play(t, judge, Write{Context: there, Object: object(t, "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n"), Old: object(t, old)})
		if !r.Allowed() {
			t.Errorf("got %s", causes(r))
		}
	}
	read := 0
	judge.kinds.read.Range(func(any, any) bool {
		read++
		return true
	})
	if read != len(there) {
		t.Errorf("read %d of %d objects", read, len(there))
	}
	if _, begun := there[0].Object["spec"]; begun {
		t.Errorf("an object of the context has changed: %v", there[0].Object)
	}
}
