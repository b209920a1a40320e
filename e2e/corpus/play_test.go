package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// everybody may do everything, so that nothing but policies is in the way.
const everybody = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everybody}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: system:authenticated}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default, namespace: default}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default, namespace: kube-system}
`

// play is a cluster with Crosswalk.
type play struct {
	*testing.T
	scene  *harness.Scene
	client string // the path of kubectl
	// marks counts the sentinels.
	marks *int
	// created are the objects that are there, by what tells them apart.
	created map[string]string
}

// TestCorpus plays every case on an API server.
func TestCorpus(t *testing.T) {
	sets := readSets(t)
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{APIServerFlags: []string{"--allow-privileged=true"}})
	p := play{t, scene, programs.Kubectl, new(int), map[string]string{}}
	p.kubectl(everybody, "apply", "-f", "-")
	seen, enough := p.watch()
	plain := make([][]answer, len(sets))
	for i, s := range sets {
		plain[i] = p.prepare(s, seen)
	}
	enough()
	for i, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			p := p
			p.T = t
			p.set(s, plain[i])
		})
	}
}

// prepare creates what is there before the policies of a set, and sees what becomes of
// every write without them, and what policies would have been shown of it.
func (p play) prepare(s *set, w *witness) []answer {
	p.Helper()
	if _, err := os.Stat(s.file(definitions)); err == nil {
		p.kubectl("", "apply", "-f", s.file(definitions))
		p.kubectl("", "wait", "--for=condition=Established", "--timeout=30s", "-f", s.file(definitions))
	}
	for _, object := range s.there {
		p.create(object)
	}
	plain := make([]answer, len(s.cases))
	for i, c := range s.cases {
		for _, text := range c.Context {
			p.create(read(p.T, text))
		}
		if c.OldObject != nil {
			p.create(read(p.T, c.OldObject))
		}
		w.take()
		plain[i] = p.write(s, i)
		if bare := s.plain[i].Result; bare.Object != nil {
			compareSeen(p.T, s.name+": "+c.Name, w.take(), bare)
		}
		if plain[i].said != "" && s.outcomes[i].Result.Operation != admissionv1.Connect {
			p.Errorf("%s: %s: the API server takes it from nobody: %s", s.name, c.Name, plain[i].said)
		}
	}
	return plain
}

// set plays the cases of a set.
func (p play) set(s *set, plain []answer) {
	p.Cleanup(func() {
		// The context of the test is over.
		if said, err := p.scene.ControlPlane.Kubectl(context.Background(), "delete", "-f", s.file("policies.yaml")); err != nil {
			p.Error(said, err)
		}
	})
	p.kubectl("", "apply", "-f", s.file("policies.yaml"))
	p.settle()
	for i, c := range s.cases {
		p.Run(c.Name, func(t *testing.T) {
			p := p
			p.T = t
			got, want := p.write(s, i), s.outcomes[i].Result
			// What the API server warns of by itself is its own.
			got.warnings = slices.DeleteFunc(got.warnings, func(w string) bool { return slices.Contains(plain[i].warnings, w) })
			p.compare(got, want)
			if bare := s.plain[i].Result; got.said == "" && want.Allowed() && bare.Object != nil {
				p.compareChanges(changes(plain[i].object, got.object), changes(bare.Object, want.Object))
			}
		})
	}
}

// kubectl is what it prints on both outputs, of something that succeeds.
func (p play) kubectl(stdin string, args ...string) string {
	p.Helper()
	out, said, err := p.run(stdin, args...)
	if err != nil {
		p.Fatalf("kubectl %s: %v\n%s%s\n%s", strings.Join(args, " "), err, out, said, stdin)
	}
	return out + said
}

func (p play) run(stdin string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(p.Context(), p.client, args...)
	cmd.Env = p.scene.ControlPlane.Env()
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &said
	err = cmd.Run()
	return out.String(), said.String(), err
}

func read(t *testing.T, text []byte) *unstructured.Unstructured {
	t.Helper()
	object := new(unstructured.Unstructured)
	if err := json.Unmarshal(text, &object.Object); err != nil {
		t.Fatal(err)
	}
	return object
}

// create creates what is there before a case, with its status.
func (p play) create(object *unstructured.Unstructured) {
	p.Helper()
	text, err := object.MarshalJSON()
	if err != nil {
		p.Fatal(err)
	}
	key := fmt.Sprintf("%v %s/%s", object.GroupVersionKind().GroupKind(), object.GetNamespace(), object.GetName())
	switch before, found := p.created[key]; {
	case found && before == string(text):
		return
	case found:
		p.Fatalf("there are two of %s", key)
	}
	p.created[key] = string(text)
	p.kubectl(string(text), "create", "-f", "-")
	if _, has := object.Object["status"]; has {
		p.kubectl(string(text), "replace", "--subresource=status", "-f", "-")
	}
}

// settle waits until the API server has heard of all policies that there are and no
// longer of others. It hears of policies, and of bindings, in the order in which they are
// written, and asks all or none of those that it has heard of.
func (p play) settle() {
	p.Helper()
	*p.marks++
	mark := fmt.Sprintf("mark-%d", *p.marks)
	p.kubectl(strings.ReplaceAll(sentinels, "MARK", mark), "apply", "-f", "-")
	for _, kind := range []string{"validationpolicies", "mutationpolicies"} {
		if _, said, err := p.run("", "wait", "--for=condition=Ready", "--timeout=60s", kind, "--all"); err != nil && !strings.Contains(said, "no matching resources") {
			p.Fatal(said)
		}
	}
	stage.Until(p.T, 30*time.Second, func(context.Context) error {
		out, said, err := p.run(`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"mark"},"spec":{}}`, "create", "--dry-run=server", "-f", "-", "-o", "json")
		if err == nil || !strings.Contains(said, "seen "+mark+" and "+mark) {
			return fmt.Errorf("%s%s", out, said)
		}
		return nil
	})
}

// sentinels change and then deny Leases, which no other policy is about, by the mark that
// they had last.
const sentinels = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: sentinel}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [coordination.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [leases]}]}
  reinvocationPolicy: Never
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/holderIdentity', value: 'MARK'}]"}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: sentinel, annotations: {mark: MARK}}
spec: {policyName: sentinel}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sentinel}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [coordination.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [leases]}]}
  validations: [{expression: 'false', messageExpression: "'seen MARK and ' + object.spec.?holderIdentity.orValue('')"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sentinel, annotations: {mark: MARK}}
spec: {policyName: sentinel, validationActions: [Deny]}
`
