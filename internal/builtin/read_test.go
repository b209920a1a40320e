package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// What objects become is for the oracle to say, which sees every kind. Here is what is
// easily read of each rule, and what chance does not come upon.
func TestRead(t *testing.T) {
	for name, test := range map[string]struct{ sent, want string }{
		"a Deployment": {
			"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {selector: {}, template: {spec: {containers: [{name: a, image: nginx}]}}}",
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"progressDeadlineSeconds":600,"replicas":1,"revisionHistoryLimit":10,"selector":{},` +
				`"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"},"template":{"metadata":{},"spec":{"containers":[` +
				`{"image":"nginx","imagePullPolicy":"Always","name":"a","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],` +
				`"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}},"status":{}}`,
		},
		"a volume that is nothing else": {
			"apiVersion: v1\nkind: PodTemplate\nmetadata: {name: a}\ntemplate: {spec: {volumes: [{name: v}], dnsPolicy: None, restartPolicy: Never, containers: []}}",
			`{"apiVersion":"v1","kind":"PodTemplate","metadata":{"name":"a"},"template":{"metadata":{},"spec":{"containers":[],"dnsPolicy":"None","restartPolicy":"Never",` +
				`"schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30,"volumes":[{"emptyDir":{},"name":"v"}]}}}`,
		},
		"a Service for the outside": {
			"apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\nstatus: {loadBalancer: {ingress: [{ip: 10.0.0.1}]}}",
			`{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"allocateLoadBalancerNodePorts":true,"externalTrafficPolicy":"Cluster","internalTrafficPolicy":"Cluster",` +
				`"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None","type":"LoadBalancer"},"status":{"loadBalancer":{"ingress":[{"ip":"10.0.0.1","ipMode":"VIP"}]}}}`,
		},
		"a Secret": {
			"apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: eA==}\nstringData: {a: \"y\", b: z}",
			`{"apiVersion":"v1","data":{"a":"eQ==","b":"eg=="},"kind":"Secret","metadata":{"name":"a"},"type":"Opaque"}`,
		},
		"a Namespace": {
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: a}",
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"labels":{"kubernetes.io/metadata.name":"a"},"name":"a"},"spec":{},"status":{"phase":"Active"}}`,
		},
		"an APIService": {
			"apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.a}\nspec: {group: a, version: v1, groupPriorityMinimum: 1, versionPriority: 1, service: {name: a, namespace: b}}",
			`{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.a"},"spec":{"group":"a","groupPriorityMinimum":1,"service":{"name":"a","namespace":"b","port":443},` +
				`"version":"v1","versionPriority":1},"status":{}}`,
		},
		"a CustomResourceDefinition": {
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: bs.a}\nspec: {group: a, scope: Namespaced, names: {kind: B, plural: bs}, " +
				"versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}",
			`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"bs.a"},"spec":{"conversion":{"strategy":"None"},"group":"a",` +
				`"names":{"kind":"B","listKind":"BList","plural":"bs","singular":"b"},"scope":"Namespaced","versions":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}},"served":true,"storage":true}]},` +
				`"status":{"acceptedNames":{"kind":"","plural":""},"conditions":null,"storedVersions":["v1"]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, unknown, err := Read(parse(t, test.sent))
			if err != nil || len(unknown) > 0 {
				t.Fatal(unknown, err)
			}
			text, err := json.Marshal(got)
			if err != nil || string(text) != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

func TestReadMistakes(t *testing.T) {
	_, unknown, err := Read(parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, label: {}}\ndatas: {}"))
	if err != nil || strings.Join(unknown, "; ") != `unknown field "datas"; unknown field "metadata.label"` {
		t.Errorf("got %v, %v", unknown, err)
	}
	_, _, err = Read(parse(t, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: three}"))
	if want := `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %v", err, want)
	}
}

// Versions that an API server does not serve by itself have other defaults.
func TestOnlyStableVersionsAreKnown(t *testing.T) {
	for kind, want := range map[schema.GroupVersionKind]bool{
		{Version: "v1", Kind: "Pod"}: true,
		{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}:           true,
		{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}: true,
		{Group: "extensions", Version: "v1beta1", Kind: "Ingress"}:                       false,
		{Group: "apps", Version: "v1", Kind: "Pod"}:                                      false,
	} {
		if Recognizes(kind) != want {
			t.Errorf("%v: %v", kind, !want)
		}
	}
}

func parse(t *testing.T, text string) (schema.GroupVersionKind, []byte) {
	t.Helper()
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return schema.FromAPIVersionAndKind(object["apiVersion"].(string), object["kind"].(string)), sent
}
