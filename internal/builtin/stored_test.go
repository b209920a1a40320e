package builtin

import (
	"fmt"
	"testing"
	"testing/synctest"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// What is stored is for the oracle to say, which sees every kind that Kubernetes' own
// server has. Here is what is easily read of each rule, and what other servers have.
func TestStored(t *testing.T) {
	const running = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, generation: 3, labels: {x: 'y'}}, spec: {replicas: 1, selector: {}, template: {spec: {containers: []}}}, status: {replicas: 1}}"
	const claim = "apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}"
	const definition = "apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: bs.a, generation: 1}"
	const request = "apiVersion: certificates.k8s.io/v1, kind: CertificateSigningRequest, metadata: {name: a}, spec: {request: YQ==, signerName: a/b, usages: []"
	for name, test := range map[string]struct {
		subresource, old, object string
		// want is a part of what is stored; null wants nothing to be there.
		want string
	}{
		"what is created begins":                         {"", "", running, "{metadata: {generation: 1}, status: {replicas: null}}"},
		"a change increments it":                         {"", running, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: {replicas: 2, selector: {}, template: {spec: {containers: []}}}, status: {replicas: 7}}", "{metadata: {generation: 4}, status: {replicas: 1}}"},
		"no change does not":                             {"", running, running, "{metadata: {generation: 3}}"},
		"a change of annotations is one of a Deployment": {"", running, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, annotations: {a: b}}, spec: {replicas: 1, selector: {}, template: {spec: {containers: []}}}}", "{metadata: {generation: 4}}"},
		"a status is written alone": {
			"status", running, "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, generation: 9, annotations: {a: b}}, spec: {replicas: 5, selector: {}, template: {spec: {containers: []}}}, status: {replicas: 7}}",
			"{metadata: {generation: 3, labels: {x: 'y'}, annotations: {a: b}}, spec: {replicas: 1}, status: {replicas: 7}}",
		},
		"a kind without a generation": {"", "", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", "{metadata: {generation: null}}"},

		"a Pod waits":                     {"", "", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a}]}, status: {phase: Running, podIP: 10.0.0.1}}", "{metadata: {generation: 1}, status: {phase: Pending, qosClass: BestEffort, podIP: null}}"},
		"a Pod that asks":                 {"", "", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}}", "{status: {qosClass: Burstable}}"},
		"a Pod that has what it asks for": {"", "", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1000m, memory: 1024Mi}}}]}}", "{status: {qosClass: Guaranteed}}"},
		"a gated Pod": {"", "", "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {schedulingGates: [{name: a}], containers: [{name: a, lifecycle: {stopSignal: SIGINT}}]}}",
			"{spec: {containers: [{name: a, resources: {}}]}, status: {conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated, message: Scheduling is blocked due to non-empty scheduling gates, lastTransitionTime: '2000-01-01T00:00:00Z', lastProbeTime: null}]}}"},

		"a Job finds its Pods": {
			"", "", "{apiVersion: batch/v1, kind: Job, metadata: {name: a, uid: u}, spec: {template: {spec: {containers: []}}}}",
			"{spec: {selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}}, template: {metadata: {labels: {job-name: a, batch.kubernetes.io/job-name: a, controller-uid: u, batch.kubernetes.io/controller-uid: u}}}}}",
		},
		"a Job that says how": {"", "", "{apiVersion: batch/v1, kind: Job, metadata: {name: a, uid: u}, spec: {manualSelector: true, template: {spec: {containers: []}}}}", "{spec: {selector: null}}"},
		"a DaemonSet numbers its templates": {
			"", "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, annotations: {deprecated.daemonset.template.generation: '2'}}, spec: {selector: {}, template: {spec: {containers: []}}}}",
			"{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a}, spec: {selector: {}, template: {spec: {containers: [], hostNetwork: true}}}}",
			"{metadata: {annotations: {deprecated.daemonset.template.generation: '3'}, generation: 1}}",
		},

		"a Service": {"", "", "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: NodePort, ports: [{name: a, port: 80, protocol: TCP}, {name: b, port: 80, protocol: UDP}, {name: c, port: 81, protocol: TCP}]}}",
			"{spec: {clusterIP: 10.96.0.100, clusterIPs: [10.96.0.100], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, " +
				"ports: [{name: a, port: 80, protocol: TCP, nodePort: 30000, targetPort: 0}, {name: b, port: 80, protocol: UDP, nodePort: 30000, targetPort: 0}, {name: c, port: 81, protocol: TCP, nodePort: 30001, targetPort: 0}]}}"},
		"a port for another protocol": {
			"", "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: NodePort, clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, ports: [{name: a, port: 80, protocol: TCP, nodePort: 30500}]}}",
			"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: NodePort, ports: [{name: a, port: 80, protocol: TCP}, {name: b, port: 80, protocol: UDP}]}}",
			"{spec: {ports: [{name: a, port: 80, protocol: TCP, nodePort: 30500, targetPort: 0}, {name: b, port: 80, protocol: UDP, nodePort: 30000, targetPort: 0}]}}",
		},
		"a Service without an address": {"", "", "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ClusterIP, clusterIP: None, selector: {a: b}}}", "{spec: {clusterIPs: [None], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}}"},
		"a Service keeps what it was given": {
			"", "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ClusterIP, clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}}",
			"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}", "{spec: {clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7]}}",
		},
		"a Service gives back what it does not need": {
			"", "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ClusterIP, clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}}",
			"{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {type: ExternalName, externalName: b, clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}}",
			"{spec: {clusterIP: null, clusterIPs: null, ipFamilies: null, ipFamilyPolicy: null}}",
		},

		"a claim from a snapshot":    {"", "", "{" + claim + ", spec: {dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: a}}}", "{spec: {dataSourceRef: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: a}}}"},
		"a claim from what is none":  {"", "", "{" + claim + ", spec: {dataSource: {apiGroup: a, kind: B, name: a}}}", "{spec: {dataSource: null, dataSourceRef: null}}"},
		"a Namespace":                {"", "", "{apiVersion: v1, kind: Namespace, metadata: {name: a}}", "{metadata: {labels: {kubernetes.io/metadata.name: a}}, spec: {finalizers: [kubernetes]}, status: {phase: Active}}"},
		"who asks for a certificate": {"", "", "{" + request + ", username: root}}", "{spec: {username: jane, groups: [devs], extra: {scopes: [a]}}}"},
		"a request is not changed":   {"", "{" + request + "}}", "{" + request + ", username: root}}", "{spec: {username: null}}"},

		"a definition stores a version": {"", "", "{" + definition + ", spec: {group: a, names: {kind: B, plural: bs}, scope: Namespaced, versions: [{name: v1, served: true, storage: false}, {name: v2, served: true, storage: true}]}}", "{metadata: {generation: 1}, status: {storedVersions: [v2]}}"},
		"a definition stores another": {
			"", "{" + definition + ", spec: {group: a, names: {kind: B, plural: bs}, scope: Namespaced, versions: []}, status: {storedVersions: [v1]}}",
			"{" + definition + ", spec: {group: a, names: {kind: B, plural: bs}, scope: Namespaced, versions: [{name: v2, served: true, storage: true}]}}",
			"{metadata: {generation: 2}, status: {storedVersions: [v1, v2]}}",
		},
		"an APIService of the API server": {"", "", "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a}, spec: {group: a, version: v1, groupPriorityMinimum: 1, versionPriority: 1}, status: {conditions: [{type: X, status: 'True'}]}}",
			"{metadata: {generation: null}, status: {conditions: [{type: Available, status: 'True', reason: Local, message: Local APIServices are always available, lastTransitionTime: '2000-01-01T00:00:00Z'}]}}"},
		"an APIService keeps its labels": {
			"status", "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a, labels: {a: b}}, spec: {group: a, groupPriorityMinimum: 1, versionPriority: 1}}",
			"{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a}, spec: {group: b, groupPriorityMinimum: 1, versionPriority: 1}, status: {conditions: [{type: Available, status: 'True', lastTransitionTime: null}]}}",
			"{metadata: {labels: {a: b}}, spec: {group: a}, status: {conditions: [{type: Available, status: 'True', lastTransitionTime: null}]}}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where it is the year 2000
				w := Write{Subresource: test.subresource, Object: fromYAML(t, test.object), User: authenticationv1.UserInfo{Username: "jane", Groups: []string{"devs"}, Extra: map[string]authenticationv1.ExtraValue{"scopes": {"a"}}}}
				if test.old != "" {
					w.Old = fromYAML(t, test.old)
				}
				w.Kind = schema.FromAPIVersionAndKind(w.Object["apiVersion"].(string), w.Object["kind"].(string))
				got, err := w.Stored()
				if err != nil {
					t.Fatal(err)
				}
				for _, difference := range lacks("", fromYAML(t, test.want), got) {
					t.Error(difference)
				}
			})
		})
	}
}

// lacks lists the places where an object differs from the expected part.
func lacks(at string, want, got any) (all []string) {
	if want, ok := want.(map[string]any); ok {
		got, _ := got.(map[string]any)
		for name := range want {
			all = append(all, lacks(at+"."+name, want[name], got[name])...)
		}
		return all
	}
	if !equality.Semantic.DeepEqual(want, got) {
		all = append(all, fmt.Sprintf("%s: got %v, want %v", at, got, want))
	}
	return all
}

func fromYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	object := map[string]any{}
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = utiljson.Unmarshal(asJSON, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// An object of another form than its kind has is refused.
func TestStoredRefuses(t *testing.T) {
	for _, w := range []Write{
		{Kind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Object: map[string]any{"spec": int64(1)}},
		{Kind: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Object: map[string]any{}, Old: map[string]any{"spec": int64(1)}},
		{Kind: schema.GroupVersionKind{Version: "v1", Kind: "Nothing"}, Object: map[string]any{}},
	} {
		if got, err := w.Stored(); err == nil {
			t.Errorf("%v: got %v", w, got)
		}
	}
}
