package admit

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The plurals of Kubernetes' own kinds that are not made with an s alone, and which of
// them live in a namespace, as kubectl api-resources says.
func TestKindsOfKubernetesItself(t *testing.T) {
	k := &kinds{}
	for _, test := range []struct {
		group, version, kind, resource string
		namespaced                     bool
	}{
		{"", "v1", "Pod", "pods", true},
		{"", "v1", "Endpoints", "endpoints", true},
		{"", "v1", "Namespace", "namespaces", false},
		{"", "v1", "Node", "nodes", false},
		{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true},
		{"", "v1", "PersistentVolume", "persistentvolumes", false},
		{"apps", "v1", "Deployment", "deployments", true},
		{"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", true},
		{"networking.k8s.io", "v1", "Ingress", "ingresses", true},
		{"networking.k8s.io", "v1", "IngressClass", "ingressclasses", false},
		{"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true},
		{"networking.k8s.io", "v1", "IPAddress", "ipaddresses", false},
		{"networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs", false},
		{"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false},
		{"storage.k8s.io", "v1", "StorageClass", "storageclasses", false},
		{"storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities", true},
		{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", false},
		{"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false},
		{"rbac.authorization.k8s.io", "v1", "Role", "roles", true},
	} {
		found, err := k.find(schema.GroupVersionKind{Group: test.group, Version: test.version, Kind: test.kind})
		if err != nil || found.resource.Resource != test.resource || found.namespaced != test.namespaced {
			t.Errorf("%s: got %+v, %v", test.kind, found, err)
		}
	}
}

// native is a ValidatingAdmissionPolicy about a resource, with its binding.
func native(resource, expression string) string {
	name, group, _ := strings.Cut(resource, ".")
	return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: ["` + group + `"], apiVersions: ['*'], operations: ['*'], resources: [` + name + `, "` + name + `/*"]}]}
  validations: [{expression: "` + expression + `", message: "no"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
`
}

// Policies see objects of Kubernetes' own kinds as the API server has them: with their
// defaults and without what it does not know.
func TestObjectsOfKubernetesItself(t *testing.T) {
	const denied = ": ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"
	deployment := "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, image: nginx}]}}}\n"
	with := func(status string) string { return deployment + "status: {" + status + "}\n" }
	crd := func(annotations string) string {
		return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.example.com, annotations: {" + annotations + "}}\n" +
			"spec: {group: example.com, scope: Cluster, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"
	}
	for name, test := range map[string]struct {
		policy           string
		object, old, sub string
		want             string // the denial
		warnings         string // the warnings
		context          string
	}{
		"a default":              {policy: native("deployments.apps", "object.spec.replicas == 1 && object.spec.template.spec.containers[0].imagePullPolicy == 'Always'"), object: deployment},
		"the default of the old": {policy: native("deployments.apps", "oldObject.spec.replicas == 1"), object: deployment, old: deployment},
		"of what is deleted":     {policy: native("deployments.apps", "oldObject.spec.replicas == 2"), old: deployment, want: denied},
		"of other objects": {policy: "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [deployments]}]}\n" +
			"  lookups: [{name: a, apiVersion: v1, kind: Service, nameExpression: \"'a'\"}]\n  validations: [{expression: lookups.a.spec.type == 'ClusterIP', message: is not}]\n",
			object: deployment, context: "apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: ns}\n"},
		"a namespace is not there before it is": {policy: "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [namespaces]}]}\n" +
			"  lookups: [{name: it, apiVersion: v1, kind: Namespace, nameExpression: object.metadata.name}]\n  validations: [{expression: lookups.it == null, message: is there}]\n",
			object: "apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n"},
		"what is not known": {policy: native("deployments.apps", "!has(object.spec.replica)"), object: strings.Replace(deployment, "spec: {", "spec: {replica: 2, ", 1), warnings: `unknown field "spec.replica"`},
		"what cannot be read": {policy: native("deployments.apps", "true"), object: strings.Replace(deployment, "spec: {", "spec: {replicas: two, ", 1),
			want: `: Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`},
		"a status that is created":        {policy: native("deployments.apps", "!has(object.status.replicas)"), object: with("replicas: 2")},
		"a status that is not updated":    {policy: native("deployments.apps", "object.status.replicas == 1"), object: with("replicas: 2"), old: with("replicas: 1")},
		"a status that is":                {policy: native("deployments.apps", "object.status.replicas == 2 && object.spec.replicas == 1"), sub: "status", object: with("replicas: 2"), old: with("replicas: 1")},
		"a node begins with its status":   {policy: native("nodes", "object.status.capacity.cpu == '2' && object.status.allocatable.cpu == '2'"), object: "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus: {capacity: {cpu: 2}}\n"},
		"a definition":                    {policy: native("customresourcedefinitions.apiextensions.k8s.io", "object.spec.names.listKind == 'AList'"), object: crd("")},
		"a definition that is taken back": {policy: native("customresourcedefinitions.apiextensions.k8s.io", "oldObject == null || !has(oldObject.metadata.annotations) || object.metadata.annotations['x'] >= oldObject.metadata.annotations['x']"), object: crd("x: v1.1"), old: crd("x: v1.2"), want: denied},
		"an API server":                   {policy: native("apiservices.apiregistration.k8s.io", "object.spec.service.port == 8443"), object: "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.a}\nspec: {service: {name: a, namespace: b}}\n", want: denied},
	} {
		t.Run(name, func(t *testing.T) {
			w := Write{SubResource: test.sub, Context: objects(t, test.context), Namespace: "ns"}
			if test.object != "" {
				w.Object = object(t, test.object)
			}
			if test.old != "" {
				w.Old = object(t, test.old)
			}
			r := play(t, load(t, test.policy), w)
			if got := causes(r); got != test.want || strings.Join(r.Warnings, "; ") != test.warnings {
				t.Errorf("got %s, %q\nwant %s, %q", got, r.Warnings, test.want, test.warnings)
			}
		})
	}
}

// What a mutation makes of such an object is read as any other.
func TestMutationsOfObjectsOfKubernetesItself(t *testing.T) {
	mutation := func(patch string) string {
		return "apiVersion: crosswalk.dev/v1alpha1\nkind: MutationPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}\n" +
			"  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{" + patch + "}]\"}}]\n"
	}
	write := Write{Operation: admissionv1.Create, Object: object(t, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: []}}}\n")}
	r := play(t, load(t, mutation("op: 'add', path: '/spec/template/spec/volumes', value: [Object.spec.template.spec.volumes{name: 'v'}]")), write)
	if text := r.Text(); !strings.Contains(text, "\n+       volumes:\n+       - emptyDir: {}\n+         name: v\n") {
		t.Errorf("got %s", text)
	}
	r = play(t, load(t, mutation("op: 'add', path: '/spec/replicas', value: 'two'")), write)
	const wrong = "Error from server (InternalError): Internal error occurred: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32\n"
	if got := r.Kubectl(); r.Stage != Mutation || got != wrong {
		t.Errorf("at %q: %s", r.Stage, got)
	}
}

// The API server reads what one of its own policies has made before it asks the next, and
// takes nothing there that it does not know.
func TestMutationsOfKubernetesItselfAreRead(t *testing.T) {
	mutation := func(name, expression string) string {
		return "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: " + name + "}\nspec:\n  reinvocationPolicy: Never\n  failurePolicy: Ignore\n" +
			"  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}\n" +
			"  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"" + expression + "\"}}]\n" +
			"---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: " + name + "}\nspec: {policyName: " + name + "}\n"
	}
	write := Write{Object: object(t, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, image: i}]}}}\n")}
	adds := mutation("a", "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: {'name': 'b', 'image': 'i'}}]")
	const sees = "{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'saw': object.spec.template.spec.containers[1].imagePullPolicy}}]\"}}"
	r := play(t, load(t, strings.Replace(adds, "}}]\n---", "}}, "+sees+"]\n---", 1)), write)
	if text := r.Text(); !strings.Contains(text, "+   annotations:\n+     saw: Always\n") {
		t.Errorf("got %s", text)
	}
	unknown := mutation("a", "[JSONPatch{op: 'add', path: '/spec/foo', value: 1}]")
	r = play(t, load(t, unknown), write)
	if got := r.Kubectl(); got != "Error from server (InternalError): Internal error occurred: strict decoding error: unknown field \"spec.foo\"\n" {
		t.Errorf("got %s", got)
	}
}

// What policies of Kubernetes deny is told as kubectl tells it: the resource, and of
// several validations the first. No webhook is asked any more.
func TestDenialsOfKubernetesItself(t *testing.T) {
	mutation := "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: m}\nspec:\n" +
		"  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: [CREATE], resources: [configmaps]}]}\n" +
		"  reinvocationPolicy: Never\n  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'remove', path: '/data/a'}]\"}}]\n" +
		"---\napiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: k}\nspec: {policyName: m}\n"
	own := "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: own}\nspec:\n" +
		"  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: [configmaps]}]}\n  validations: [{expression: 'false', message: never}]\n"
	two := strings.Replace(native("configmaps", "object.data.a == 'b'"), `validations: [`, `validations: [{expression: "object.data.none == 'x'"}, {expression: "'x' in variables.v", message: "no"}, `, 1)
	forbidden := strings.Replace(native("configmaps", "false"), `message: "no"`, `message: "no", reason: Forbidden`, 1)
	for name, test := range map[string]struct{ policy, data, want string }{
		"an expression that fails": {native("configmaps", "object.data.b == 'b'"), "",
			`The configmaps "c" is invalid: : ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'object.data.b == 'b'' resulted in error: no such key: b`},
		"a variable that fails": {strings.Replace(native("configmaps", "variables.v"), "  validations", "  variables: [{name: v, expression: object.data.b == 'b'}]\n  validations", 1), "",
			`The configmaps "c" is invalid: : ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'variables.v' resulted in error: composited variable "v" fails to evaluate: no such key: b`},
		"several":        {strings.Replace(two, "  validations", "  variables: [{name: v, expression: '[object.data.a]'}]\n  validations", 1), "", `The configmaps "c" is invalid: : ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'object.data.none == 'x'' resulted in error: no such key: none`},
		"another reason": {forbidden, "", `Error from server (Forbidden): configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`},
		"a mutation":     {mutation, "{}", `The configmaps "c" is invalid: : policy 'm' with binding 'k' denied request: JSON Patch: remove operation does not apply: doc is missing path: "/data/a": missing value`},
		"no policy of it": {native("configmaps", "true"), "",
			`The ConfigMap "c" is invalid: : never (validationpolicy "own")`},
	} {
		t.Run(name, func(t *testing.T) {
			data := test.data
			if data == "" {
				data = "{a: b}"
			}
			r := play(t, load(t, test.policy, own), Write{Object: object(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: "+data+"\n")})
			if got := strings.TrimSpace(r.Kubectl()); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// A policy counts with each of its bindings, and with each one's params.
func TestSeveralBindings(t *testing.T) {
	const about = "  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: [CREATE], resources: [configmaps]}]}\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n"
	binding := func(kind, name, more string) string {
		return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: " + kind + "Binding\nmetadata: {name: " + name + "}\n" +
			"spec: {policyName: p, paramRef: {name: " + name + ", namespace: ns, parameterNotFoundAction: Deny}" + more + "}\n"
	}
	validation := "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" + about +
		"  validations: [{expression: size(object.data) <= int(params.data.most), messageExpression: \"'at most ' + params.data.most\"}]\n" +
		"  auditAnnotations: [{key: most, valueExpression: string(params.data.most)}]\n" +
		binding("ValidatingAdmissionPolicy", "soft", ", validationActions: [Warn, Audit]") + binding("ValidatingAdmissionPolicy", "hard", ", validationActions: [Deny]") +
		binding("ValidatingAdmissionPolicy", "elsewhere", ", validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {x: z}}}")
	mutation := "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n" + about + "  reinvocationPolicy: Never\n" +
		"  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/data/' + params.metadata.name, value: params.data.most}]\"}}]\n" +
		binding("MutatingAdmissionPolicy", "soft", "") + binding("MutatingAdmissionPolicy", "hard", "")
	limits := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: soft, namespace: ns}\ndata: {most: '1'}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: hard, namespace: ns}\ndata: {most: '2'}\n"
	for data, want := range map[string]string{
		"{a: a}": "most=1, 2",
		"{a: a, b: b}": "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'soft': at most 1; most=1, 2; " +
			`failure=[{"message":"at most 1","policy":"p","binding":"soft","expressionIndex":0,"validationActions":["Warn","Audit"]}]`,
		"{a: a, b: b, c: c}": ": ValidatingAdmissionPolicy 'p' with binding 'hard' denied request: at most 2; Validation failed for ValidatingAdmissionPolicy 'p' with binding 'soft': at most 1; most=1, 2; " +
			`failure=[{"message":"at most 1","policy":"p","binding":"soft","expressionIndex":0,"validationActions":["Warn","Audit"]}]`,
	} {
		r := play(t, load(t, validation), Write{Namespace: "ns", Context: objects(t, limits), Object: object(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: "+data+"\n")})
		var got []string
		if !r.Allowed() {
			got = append(got, causes(r))
		}
		got = append(append(got, r.Warnings...), "most="+r.AuditAnnotations["p/most"])
		if failure := r.AuditAnnotations["validation.policy.admission.k8s.io/validation_failure"]; failure != "" {
			got = append(got, "failure="+failure)
		}
		if warnings := strings.Join(got, "; "); warnings != want {
			t.Errorf("%s: got\n%s\nwant\n%s", data, warnings, want)
		}
	}
	r := play(t, load(t, mutation), Write{Namespace: "ns", Context: objects(t, limits), Object: object(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: a}\n")})
	if text := r.Text(); !strings.Contains(text, "+   hard: \"2\"\n+   soft: \"1\"\n") {
		t.Errorf("got %s", text)
	}
}
