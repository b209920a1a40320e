package admit

import (
	"slices"
	"strings"
	"testing"
)

const mutations = `
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: first}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [quarry.dev], apiVersions: [v1], operations: [CREATE], resources: [stones]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{weight: has(object.spec.weight) ? object.spec.weight + 1 : 10}}"}}]
---
apiVersion: crosswalk.dev/v1alpha1
kind: MutationPolicy
metadata: {name: second}
spec:
  hub: true
  matchConstraints: {resourceRules: [{apiGroups: [quarry.dev], apiVersions: [v1], operations: [CREATE], resources: [stones]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'replace', path: '/spec/weight', value: object.spec.weight * 2}]"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: zeroth}
spec:
  reinvocationPolicy: Never
  matchConstraints: {resourceRules: [{apiGroups: ['', quarry.dev], apiVersions: [v1], operations: [CREATE], resources: [stones, pods]}]}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'zeroth': 'yes'}}}"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: zeroth}
spec: {policyName: zeroth}
`

// TestMutation: each policy sees what those before it have made, in the version that
// it is for, and the object comes back in the version that was written.
func TestMutation(t *testing.T) {
	j := load(t, stones, mutations)
	r := play(t, j, Write{Object: object(t, beta("spec: {size: 3}"))})
	if got := body(t, r); got != `{"spec":{"size":8}}` || causes(r) != "" {
		t.Errorf("got %s, %s", got, causes(r))
	}
	want := []string{"MutatingAdmissionPolicy zeroth", "MutationPolicy first", "MutationPolicy second"}
	if !slices.Equal(r.Asked, want) {
		t.Errorf("asked %q, want %q", r.Asked, want)
	}
	if labels := r.Object["metadata"].(map[string]any)["labels"].(map[string]any); labels["zeroth"] != "yes" {
		t.Errorf("got %v", labels)
	}
}

// TestMutationThatFails denies before anything is judged.
func TestMutationThatFails(t *testing.T) {
	j := load(t, stones, strings.Replace(mutations, "object.spec.weight * 2", "object.spec.shape.size()", 1), rule("never", "", "false"))
	r := play(t, j, Write{Object: object(t, beta("spec: {size: 3}"))})
	if r.Stage != Mutation || !strings.Contains(causes(r), "no such key: shape") || slices.Contains(r.Asked, "ValidationPolicy never") {
		t.Errorf("at %q: %s, asked %q", r.Stage, causes(r), r.Asked)
	}
	if text := r.Text(); !strings.Contains(text, "denied in mutation") {
		t.Errorf("got %s", text)
	}
}

// TestMutationIsJudged: the schema judges what policies have made, not what was sent.
func TestMutationIsJudged(t *testing.T) {
	r := play(t, load(t, stones, mutations), Write{Object: object(t, v1("spec: {weight: 60}"))})
	if r.Stage != Schema || !strings.HasPrefix(causes(r), "spec.weight: Invalid value: 122:") {
		t.Errorf("at %q: %s", r.Stage, causes(r))
	}
}

// TestKindsOfKubernetes: policies of Kubernetes are also about its own kinds, whose
// schemas are those of client-go.
func TestKindsOfKubernetes(t *testing.T) {
	j := load(t, mutations[strings.Index(mutations, "apiVersion: admissionregistration"):])
	r := play(t, j, Write{Object: object(t, "apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {x: z}}\nspec: {containers: [{name: a, image: b}]}\n")})
	want := `CREATE of Pod ns/a (v1): allowed
asked: MutatingAdmissionPolicy zeroth
the object with its defaults (- as sent, + as admitted):
  apiVersion: v1
  kind: Pod
  metadata:
    generation: 1
    labels:
      x: z
+     zeroth: "yes"
    name: a
    namespace: ns
  spec:
    containers:
    - image: b
      imagePullPolicy: Always
      name: a
      resources: {}
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: File
      volumeMounts:
      - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
        name: kube-api-access-xxxxx
        readOnly: true
    dnsPolicy: ClusterFirst
    enableServiceLinks: true
    preemptionPolicy: PreemptLowerPriority
    priority: 0
    restartPolicy: Always
    schedulerName: default-scheduler
    securityContext: {}
    serviceAccount: default
    serviceAccountName: default
    terminationGracePeriodSeconds: 30
    tolerations:
    - effect: NoExecute
      key: node.kubernetes.io/not-ready
      operator: Exists
      tolerationSeconds: 300
    - effect: NoExecute
      key: node.kubernetes.io/unreachable
      operator: Exists
      tolerationSeconds: 300
    volumes:
    - name: kube-api-access-xxxxx
      projected:
        defaultMode: 420
        sources:
        - serviceAccountToken:
            expirationSeconds: 3607
            path: token
        - configMap:
            items:
            - key: ca.crt
              path: ca.crt
            name: kube-root-ca.crt
        - downwardAPI:
            items:
            - fieldRef:
                apiVersion: v1
                fieldPath: metadata.namespace
              path: namespace
  status:
    phase: Pending
    qosClass: BestEffort
`
	if got := r.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
