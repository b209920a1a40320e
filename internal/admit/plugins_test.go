package admit

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What plugins make is for the corpus in e2e to judge, on a real API server. Here is one
// case of every rule.
func TestPlugins(t *testing.T) {
	const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: ns}\n"
	const token = "/var/run/secrets/kubernetes.io/serviceaccount"
	pod := func(spec string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]" + spec + "}\n"
	}
	for name, test := range map[string]struct{ object, there, want string }{
		"no account is the default one": {pod(""), "", `{"spec":{"serviceAccountName":"default","serviceAccount":"default","volumes":[{"name":"kube-api-access-xxxxx","projected":{"defaultMode":420,"sources":[` +
			`{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},` +
			`{"downwardAPI":{"items":[{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"},"path":"namespace"}]}}]}}]}}`},
		"an account that mounts nothing": {pod(", serviceAccountName: web"), account + "automountServiceAccountToken: false\n", `{"spec":{"volumes":null}}`},
		"a Pod that mounts all the same": {pod(", serviceAccountName: web, automountServiceAccountToken: true, volumes: [{name: kube-api-access-a, emptyDir: {}}]"), account + "automountServiceAccountToken: false\n",
			`{"spec":{"volumes":[{"name":"kube-api-access-a","emptyDir":{}}],"containers":[{"name":"a","image":"b","imagePullPolicy":"Always","resources":{},"terminationMessagePath":"/dev/termination-log",` +
				`"terminationMessagePolicy":"File","volumeMounts":[{"mountPath":"` + token + `","name":"kube-api-access-a","readOnly":true}]}]}}`},
		"a token that is mounted": {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b, volumeMounts: [{name: v, mountPath: " + token + "}]}], volumes: [{name: v, emptyDir: {}}]}\n", "",
			`{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`},
		"secrets for images":             {pod(", serviceAccountName: web"), account + "imagePullSecrets: [{name: s}]\n", `{"spec":{"imagePullSecrets":[{"name":"s"}]}}`},
		"those of the Pod":               {pod(", serviceAccountName: web, imagePullSecrets: [{name: p}]"), account + "imagePullSecrets: [{name: s}]\n", `{"spec":{"imagePullSecrets":[{"name":"p"}]}}`},
		"what mirrors a static Pod":      {"apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {kubernetes.io/config.mirror: x}}\nspec: {containers: [{name: a, image: b}]}\n", "", `{"spec":{"serviceAccountName":null,"volumes":null}}`},
		"no priority":                    {pod(""), "", `{"spec":{"priority":0,"preemptionPolicy":"PreemptLowerPriority","priorityClassName":null}}`},
		"the lowest of several defaults": {pod(""), priorityClass("a", "7", "globalDefault: true") + priorityClass("b", "5", "globalDefault: true"), `{"spec":{"priority":5,"priorityClassName":"b"}}`},
		"a class that is given":          {pod(", priorityClassName: c"), priorityClass("c", "9", "preemptionPolicy: Never"), `{"spec":{"priority":9,"preemptionPolicy":"Never"}}`},
		"a class that is not":            {pod(", priorityClassName: d"), "", `{"spec":{"priority":null,"priorityClassName":"d"}}`},
		"a class of the system":          {pod(", priorityClassName: system-node-critical"), "", `{"spec":{"priority":2000001000}}`},
		"another class of the system":    {pod(", priorityClassName: system-cluster-critical"), "", `{"spec":{"priority":2000000000}}`},
		"tolerations":                    {pod(", tolerations: [{key: a, operator: Exists}]"), "", `{"spec":{"tolerations":[{"key":"a","operator":"Exists"},` + tolerated("not-ready") + `,` + tolerated("unreachable") + `]}}`},
		"tolerations that are there":     {pod(", tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]"), "", `{"spec":{"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists"},` + tolerated("unreachable") + `]}}`},
		"whoever tolerates everything":   {pod(", tolerations: [{operator: Exists}]"), "", `{"spec":{"tolerations":[{"operator":"Exists"}]}}`},
		"what a class needs": {pod(", runtimeClassName: gvisor, nodeSelector: {a: b}, tolerations: [{key: t, operator: Equal, value: x}, {operator: Exists}]"),
			"apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: gvisor}\nhandler: runsc\noverhead: {podFixed: {cpu: 10m}}\nscheduling: {nodeSelector: {sandbox: \"yes\"}, tolerations: [{key: t, operator: Exists, effect: NoSchedule}]}\n",
			`{"spec":{"overhead":{"cpu":"10m"},"nodeSelector":{"a":"b","sandbox":"yes"},"tolerations":[{"operator":"Exists"}]}}`},
		"a runtime that is missing":       {pod(", runtimeClassName: kata"), "", `{"spec":{"overhead":null,"nodeSelector":null}}`},
		"a new Node":                      {"apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", "", `{"spec":{"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]}}`},
		"a Node with that taint":          {"apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule, value: x}]}\n", "", `{"spec":{"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule","value":"x"}]}}`},
		"a claim":                         {"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {}\n", "", `{"metadata":{"finalizers":["kubernetes.io/pvc-protection"]},"spec":{"storageClassName":null}}`},
		"a claim with the newest default": {"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a, finalizers: [x]}\nspec: {}\n", storageClassOf("a", "2025", true) + storageClassOf("c", "2026", true) + storageClassOf("b", "2026", true) + storageClassOf("d", "2027", false), `{"metadata":{"finalizers":["x","kubernetes.io/pvc-protection"]},"spec":{"storageClassName":"b"}}`},
		"a claim that wants no class":     {"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {storageClassName: \"\"}\n", storageClassOf("a", "2025", true), `{"spec":{"storageClassName":""}}`},
		"a claim with an annotation":      {"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a, annotations: {volume.beta.kubernetes.io/storage-class: x}}\nspec: {}\n", storageClassOf("a", "2025", true), `{"spec":{"storageClassName":null}}`},
		"a volume that is protected":      {"apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: a, finalizers: [kubernetes.io/pv-protection]}\nspec: {}\n", "", `{"metadata":{"finalizers":["kubernetes.io/pv-protection"]}}`},
		"attributes of volumes":           {"apiVersion: storage.k8s.io/v1\nkind: VolumeAttributesClass\nmetadata: {name: a}\ndriverName: d\n", "", `{"metadata":{"finalizers":["kubernetes.io/vac-protection"]}}`},
		"an Ingress":                      {"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {}\n", ingressClassOf("x", "false") + ingressClassOf("two", "true"), `{"spec":{"ingressClassName":"two"}}`},
		"an Ingress with a class":         {"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {ingressClassName: z}\n", ingressClassOf("two", "true"), `{"spec":{"ingressClassName":"z"}}`},
		"an Ingress with an annotation":   {"apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a, annotations: {kubernetes.io/ingress.class: z}}\nspec: {}\n", ingressClassOf("two", "true"), `{"spec":{"ingressClassName":null}}`},
		"what is created has no plugin":   {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", `{"metadata":{"finalizers":null}}`},
		"limits": {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {automountServiceAccountToken: false, initContainers: [{name: i, image: c}], containers: [{name: a, image: b, resources: {limits: {cpu: 2}}}]}\n",
			"apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: ns}\nspec: {limits: [{type: Container, default: {cpu: 1}, defaultRequest: {memory: 1Mi, cpu: 100m}}, {type: Pod, max: {cpu: 9}}]}\n",
			`{"metadata":{"annotations":{"kubernetes.io/limit-ranger":"LimitRanger plugin set: memory request for container a; cpu, memory request for init container i; cpu limit for init container i"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := play(t, load(t, stones), Write{Namespace: "ns", Object: object(t, test.object), Context: objects(t, test.there)})
			for _, d := range (&Expect{Allowed: new(true), Object: []byte(test.want)}).Compare(r) {
				t.Error(d)
			}
		})
	}
}

func priorityClass(name, value, more string) string {
	return "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name + "}\nvalue: " + value + "\n" + more + "\n"
}

func storageClassOf(name, year string, isDefault bool) string {
	marker := "false"
	if isDefault {
		marker = "true"
	}
	return "---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: " + name + ", creationTimestamp: \"" + year + "-01-01T00:00:00Z\", annotations: {storageclass.kubernetes.io/is-default-class: \"" + marker + "\"}}\nprovisioner: p\n"
}

func ingressClassOf(name, isDefault string) string {
	return "---\napiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: " + name + ", annotations: {ingressclass.kubernetes.io/is-default-class: \"" + isDefault + "\"}}\n"
}

func tolerated(taint string) string {
	return `{"effect":"NoExecute","key":"node.kubernetes.io/` + taint + `","operator":"Exists","tolerationSeconds":300}`
}

// What is there already has what a plugin gave it, or has lost it since: only a Pod cannot.
func TestPluginsOfUpdates(t *testing.T) {
	j := load(t, stones)
	for _, test := range []struct{ text, want string }{
		{"apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", `{"spec":{"taints":null}}`},
		{"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {}\n", `{"metadata":{"finalizers":null}}`},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n", `{"spec":{"serviceAccountName":"default"}}`},
	} {
		r := play(t, j, Write{Namespace: "ns", Object: object(t, test.text), Old: object(t, test.text)})
		for _, d := range (&Expect{Allowed: new(true), Object: []byte(test.want)}).Compare(r) {
			t.Errorf("%s: %v", test.text, d)
		}
	}
}

// Plugins see what policies have changed, and policies that ask for it see what plugins
// make of that.
func TestPluginsAgain(t *testing.T) {
	r := play(t, load(t, `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: counting}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  reinvocationPolicy: IfNeeded
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{metadata: Object.metadata{annotations: {'mounts': string(object.spec.containers.filter(c, has(c.volumeMounts)).size())}}}"
  - patchType: JSONPatch
    jsonPatch:
      expression: "size(object.spec.containers) > 1 ? [] : [JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'b', image: 'b'}}]"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: counting}
spec: {policyName: counting}
`), Write{Object: object(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: b}]}\n")})
	annotations, _, _ := unstructured.NestedStringMap(r.Object, "metadata", "annotations")
	if !r.Allowed() || annotations["mounts"] != "2" {
		t.Errorf("got %v, %v", causes(r), annotations)
	}
}

// What a proxy asks for is a path, and begins as one.
func TestProxyPath(t *testing.T) {
	for path, want := range map[string]string{"metrics": "", "/metrics": "", "other": "denied"} {
		r := play(t, load(t, `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: metrics}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CONNECT], resources: [pods/proxy]}]}
  validations: [{expression: object.path == '/metrics'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: metrics}
spec: {policyName: metrics, validationActions: [Deny]}
`), Write{SubResource: "proxy", Object: object(t, "apiVersion: v1\nkind: PodProxyOptions\nmetadata: {name: a}\npath: "+path+"\n")})
		if got := r.outcome(); (got == "denied") != (want == "denied") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestMergedTolerations(t *testing.T) {
	seconds := func(n int64) *int64 { return &n }
	exists := func(key string, effect corev1.TaintEffect) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect}
	}
	equal := func(key, value string) corev1.Toleration {
		return corev1.Toleration{Key: key, Operator: corev1.TolerationOpEqual, Value: value, Effect: corev1.TaintEffectNoSchedule}
	}
	wait := func(n int64) corev1.Toleration {
		return corev1.Toleration{Key: "a", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: seconds(n)}
	}
	for name, test := range map[string]struct{ all, want []corev1.Toleration }{
		"none":                  {nil, nil},
		"twice the same":        {[]corev1.Toleration{equal("a", "b"), equal("a", "b")}, []corev1.Toleration{equal("a", "b")}},
		"two values":            {[]corev1.Toleration{equal("a", "b"), equal("a", "c")}, []corev1.Toleration{equal("a", "b"), equal("a", "c")}},
		"one that holds more":   {[]corev1.Toleration{equal("a", "b"), exists("a", corev1.TaintEffectNoSchedule)}, []corev1.Toleration{exists("a", corev1.TaintEffectNoSchedule)}},
		"of another effect":     {[]corev1.Toleration{exists("a", corev1.TaintEffectNoExecute), equal("a", "b")}, []corev1.Toleration{exists("a", corev1.TaintEffectNoExecute), equal("a", "b")}},
		"of all effects":        {[]corev1.Toleration{exists("a", ""), equal("a", "b")}, []corev1.Toleration{exists("a", "")}},
		"of another key":        {[]corev1.Toleration{exists("b", ""), equal("a", "b")}, []corev1.Toleration{exists("b", ""), equal("a", "b")}},
		"that waits longer":     {[]corev1.Toleration{wait(1), wait(2)}, []corev1.Toleration{wait(2)}},
		"that waits for ever":   {[]corev1.Toleration{wait(2), exists("a", corev1.TaintEffectNoExecute)}, []corev1.Toleration{exists("a", corev1.TaintEffectNoExecute)}},
		"that tolerates it all": {[]corev1.Toleration{equal("a", "b"), wait(1), exists("", "")}, []corev1.Toleration{exists("", "")}},
	} {
		if got := merged(test.all); !equality.Semantic.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
