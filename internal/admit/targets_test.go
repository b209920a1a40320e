package admit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func scaleTo(name string, replicas int) string {
	return fmt.Sprintf("apiVersion: autoscaling/v1\nkind: Scale\nmetadata: {name: %s}\nspec: {replicas: %d}\n", name, replicas)
}

func deploymentOf(replicas int) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, uid: x}\nspec: {replicas: %d, selector: {matchLabels: {app: a}}}\nstatus: {replicas: 7}\n", replicas)
}

// A policy about a subresource sees what the API server shows of it, whatever is sent to
// it, and one about the resource does not.
func TestSubresources(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i, resources: {limits: {cpu: %s}}}], ephemeralContainers: [%s], nodeName: %s}\nstatus: {phase: %s}\n"
	csr := func(conditions string) string {
		return "apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: a}\nspec: {signerName: example.com/a, request: YQ==, usages: []}\nstatus: {conditions: [" + conditions + "]}\n"
	}
	for name, test := range map[string]struct{ resource, expression, sub, object, old string }{
		"status": {"pods", "request.subResource == 'status' && object.status.phase == 'Running' && object.spec.nodeName == 'node'", "status",
			fmt.Sprintf(pod, "1", "", "other", "Running"), fmt.Sprintf(pod, "1", "", "node", "Pending")},
		"resize": {"pods", "request.operation == 'UPDATE' && object.spec.containers[0].resources.limits.cpu == '2' && object.spec.nodeName == 'node' && oldObject.spec.containers[0].resources.limits.cpu == '1'", "resize",
			fmt.Sprintf(pod, "2", "", "other", "Running"), fmt.Sprintf(pod, "1", "", "node", "Pending")},
		"ephemeralcontainers": {"pods", "object.spec.ephemeralContainers[0].name == 'debug' && object.spec.ephemeralContainers[0].imagePullPolicy == 'Always' && object.spec.containers[0].resources.limits.cpu == '1'", "ephemeralcontainers",
			fmt.Sprintf(pod, "2", "{name: debug, image: busybox}", "other", "Running"), fmt.Sprintf(pod, "1", "", "node", "Pending")},
		"eviction":    {"pods", "object.kind == 'Eviction' && object.deleteOptions.gracePeriodSeconds == 5 && oldObject == null && request.kind.kind == 'Eviction' && request.resource.resource == 'pods' && request.name == 'a' && request.namespace == 'ns'", "eviction", "apiVersion: policy/v1\nkind: Eviction\nmetadata: {name: a}\ndeleteOptions: {gracePeriodSeconds: 5}\n", ""},
		"binding":     {"pods", "object.target.name == 'node' && request.operation == 'CREATE' && !has(object.metadata.uid)", "binding", "apiVersion: v1\nkind: Binding\nmetadata: {name: a}\ntarget: {kind: Node, name: node}\n", ""},
		"exec":        {"pods", "size(object) == 4 && object.kind == 'PodExecOptions' && object.command == ['sh'] && object.stdin && request.operation == 'CONNECT' && request.name == 'a' && request.namespace == 'ns'", "exec", "apiVersion: v1\nkind: PodExecOptions\nmetadata: {name: a}\ncommand: [sh]\nstdin: true\n", ""},
		"portforward": {"pods", "object.ports == [80]", "portforward", "apiVersion: v1\nkind: PodPortForwardOptions\nmetadata: {name: a}\nports: [80]\n", ""},
		"proxy":       {"nodes", "object.path == '/logs' && request.name == 'node' && !has(request.namespace)", "proxy", "apiVersion: v1\nkind: NodeProxyOptions\nmetadata: {name: node}\npath: /logs\n", ""},
		"token":       {"serviceaccounts", "object.spec.audiences == ['a'] && object.spec.expirationSeconds == 3600", "token", "apiVersion: authentication.k8s.io/v1\nkind: TokenRequest\nmetadata: {name: a}\nspec: {audiences: [a]}\n", ""},
		"approval": {"certificatesigningrequests.certificates.k8s.io", "object.status.conditions[0].type == 'Approved' && oldObject.status == {}", "approval",
			csr("{type: Approved, status: 'True'}"), csr("")},
		"finalize": {"namespaces", "!has(object.spec.finalizers) && oldObject.spec.finalizers == ['kubernetes']", "finalize",
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n", "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\nspec: {finalizers: [kubernetes]}\n"},
		"scale": {"deployments.apps", "object.spec.replicas == 3 && oldObject.kind == 'Scale' && oldObject.metadata == {'name': 'a', 'namespace': 'ns', 'uid': 'x'} && oldObject.spec.replicas == 2 && oldObject.status.replicas == 7 && oldObject.status.selector == 'app=a' && object.status == oldObject.status && object.metadata == oldObject.metadata && request.kind.kind == 'Scale'", "scale",
			scaleTo("a", 3), deploymentOf(2)},
		"scale of a stone": {"stones.quarry.dev", "object.spec.replicas == 3 && oldObject.spec.replicas == 2 && !has(oldObject.status.selector) && request.resource.version == 'v1'", "scale",
			scaleTo("a", 3), v1("spec: {weight: 2}")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, wrong := range []bool{false, true} {
				expression, want := test.expression, ""
				if wrong {
					expression, want = "!("+expression+")", ": ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"
				}
				w := Write{SubResource: test.sub, Object: object(t, test.object), Namespace: "ns"}
				if test.old != "" {
					w.Old = object(t, test.old)
				}
				j := load(t, native(test.resource, expression), strings.ReplaceAll(stones, "subresources: {status: {}}", "subresources: {status: {}, scale: {specReplicasPath: .spec.weight, statusReplicasPath: .status.weight}}"))
				r := play(t, j, w)
				if got := causes(r); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				if len(r.Asked) != 1 {
					t.Errorf("asked %v", r.Asked)
				}
			}
		})
	}
}

// A policy of crosswalk.dev about the resource judges what is scaled, in the version that
// it names.
func TestScalingIsJudged(t *testing.T) {
	scalable := strings.ReplaceAll(stones, "subresources: {status: {}}", "subresources: {status: {}, scale: {specReplicasPath: .spec.weight, statusReplicasPath: .status.weight}}")
	for policy, want := range map[string]string{
		rule("light", "", "object.spec.weight < 3"):                                                                "spec: Invalid value: not light (validationpolicy \"light\")",
		strings.Replace(rule("light", "", "object.spec.weight < 3"), "spec:\n", "spec:\n  ratcheting: false\n", 1): "spec: Invalid value: not light (validationpolicy \"light\")",
		rule("light", "", "object.spec.weight < 4"):                                                                "",
	} {
		r := play(t, load(t, scalable, policy), Write{SubResource: "scale", Object: object(t, scaleTo("a", 3)), Old: object(t, v1("spec: {weight: 2}")), Namespace: "ns"})
		if got := causes(r); !strings.HasPrefix(got, want) || (want == "") != r.Allowed() {
			t.Errorf("%s\ngot %s, want %s", policy, got, want)
		}
		if title := r.title(); title != "UPDATE of its scale of Stone ns/a (quarry.dev/v1)" {
			t.Errorf("got %s", title)
		}
		text, err := json.Marshal(r.Object["spec"])
		if err != nil || r.Allowed() && string(text) != `{"replicas":3}` {
			t.Errorf("got %s, %v", text, err)
		}
	}
}
