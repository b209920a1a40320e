package chart

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
	"znkr.io/diff/textdiff"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// roles stands for both in the table below: the case is tried with serve and with manage.
const roles = "ROLE"

// TestValues lists what each value changes: the lines that go and come, by object.
func TestValues(t *testing.T) {
	const (
		deployment = "Deployment crosswalk-system/crosswalk-ROLE"
		serve      = "Deployment crosswalk-system/crosswalk-serve"
		manage     = "Deployment crosswalk-system/crosswalk-manage"
	)
	tests := []struct {
		name, value string
		want        map[string]string
	}{
		{"pull policy", `image.pullPolicy="Always"`, map[string]string{
			serve:  "- imagePullPolicy: IfNotPresent\n+ imagePullPolicy: Always",
			manage: "- imagePullPolicy: IfNotPresent\n+ imagePullPolicy: Always",
		}},
		{"pull secrets", `imagePullSecrets=[{"name":"registry"}]`, map[string]string{
			serve:  "+ imagePullSecrets:\n+ - name: registry",
			manage: "+ imagePullSecrets:\n+ - name: registry",
		}},
		{"annotations of all Pods", `podAnnotations={"mesh":"off"}`, map[string]string{
			serve:  "+ annotations:\n+ mesh: \"off\"",
			manage: "+ annotations:\n+ mesh: \"off\"",
		}},
		{"annotations of a role's Pods", `ROLE.podAnnotations={"mesh":"on"}`, map[string]string{deployment: "+ annotations:\n+ mesh: \"on\""}},
		{"annotations of a role's Pods before those of all", `serve.podAnnotations={"mesh":"on"},podAnnotations={"mesh":"off"}`, map[string]string{
			serve:  "+ annotations:\n+ mesh: \"on\"",
			manage: "+ annotations:\n+ mesh: \"off\"",
		}},
		{"labels of Pods", `ROLE.podLabels={"team":"platform"}`, map[string]string{deployment: "+ team: platform"}},
		{"replicas", `ROLE.replicas=3`, map[string]string{deployment: "- replicas: 2\n+ replicas: 3"}},
		{"resources of serve, and GOMEMLIMIT with them", `serve.resources={"limits":{"memory":"1536Mi"}}`, map[string]string{
			serve: "- value: 853MiB\n+ value: 1280MiB\n- memory: 1Gi\n+ memory: 1536Mi",
		}},
		{"a limit in another unit, which serve reads itself", `serve.resources.limits.memory="2G"`, map[string]string{
			serve: "- env:\n- - name: GOMEMLIMIT\n- value: 853MiB\n- memory: 1Gi\n+ memory: 2G",
		}},
		{"no limit", `serve.resources.limits=null`, map[string]string{
			serve: "- env:\n- - name: GOMEMLIMIT\n- value: 853MiB\n- limits:\n- memory: 1Gi",
		}},
		{"resources of manage", `manage.resources.limits.memory="1Gi"`, map[string]string{manage: "- memory: 512Mi\n+ memory: 1Gi"}},
		{"drain delay", `serve.drainDelaySeconds=30`, map[string]string{
			serve: "- - --drain-delay=15s\n+ - --drain-delay=30s\n- terminationGracePeriodSeconds: 60\n+ terminationGracePeriodSeconds: 75",
		}},
		{"host network", `serve.hostNetwork=true,serve.ports.webhook=9443,serve.ports.health=9081`, map[string]string{
			serve: "+ - --listen=:9443\n+ - --health-listen=:9081\n- - containerPort: 8443\n+ - containerPort: 9443\n- - containerPort: 8081\n+ - containerPort: 9081\n+ hostNetwork: true",
		}},
		{"node selector", `ROLE.nodeSelector={"kubernetes.io/os":"linux"}`, map[string]string{deployment: "+ nodeSelector:\n+ kubernetes.io/os: linux"}},
		{"tolerations", `ROLE.tolerations=[{"key":"system","operator":"Exists"}]`, map[string]string{deployment: "+ tolerations:\n+ - key: system\n+ operator: Exists"}},
		{"affinity", `ROLE.affinity={"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[]}}`, map[string]string{
			deployment: "+ affinity:\n+ nodeAffinity:\n+ preferredDuringSchedulingIgnoredDuringExecution: []",
		}},
		{"spread with a selector of its own", `manage.topologySpreadConstraints=[{"maxSkew":2,"topologyKey":"rack","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"a":"b"}}}]`, map[string]string{
			manage: "- app.kubernetes.io/component: manage\n- app.kubernetes.io/name: crosswalk\n- matchLabelKeys:\n- - pod-template-hash\n- maxSkew: 1\n- topologyKey: kubernetes.io/hostname\n- whenUnsatisfiable: ScheduleAnyway\n" +
				"+ a: b\n+ maxSkew: 2\n+ topologyKey: rack\n+ whenUnsatisfiable: DoNotSchedule",
		}},
		{"priority", `ROLE.priorityClassName="system-cluster-critical"`, map[string]string{deployment: "+ priorityClassName: system-cluster-critical"}},
		{"budget", `serve.podDisruptionBudget={"minAvailable":"50%"}`, map[string]string{
			"PodDisruptionBudget crosswalk-system/crosswalk-serve": "- maxUnavailable: 1\n+ minAvailable: 50%",
		}},
		{"no budget", `serve.podDisruptionBudget.enabled=false`, map[string]string{"PodDisruptionBudget crosswalk-system/crosswalk-serve": "gone"}},
		{"flags", `ROLE.extraArgs=["--log-level=debug"]`, map[string]string{deployment: "+ - --log-level=debug"}},
		{"environment of serve", `serve.extraEnv=[{"name":"HTTPS_PROXY","value":"http://proxy:3128"}]`, map[string]string{
			serve: "+ - name: HTTPS_PROXY\n+ value: http://proxy:3128",
		}},
		{"environment of manage", `manage.extraEnv=[{"name":"HTTPS_PROXY","value":"http://proxy:3128"}]`, map[string]string{
			manage: "+ env:\n+ - name: HTTPS_PROXY\n+ value: http://proxy:3128",
		}},
		{"volumes", `ROLE.extraVolumes=[{"name":"v","emptyDir":{}}],ROLE.extraVolumeMounts=[{"name":"v","mountPath":"/v"}]`, map[string]string{
			deployment: "+ volumeMounts:\n+ - mountPath: /v\n+ name: v\n+ volumes:\n+ - emptyDir: {}\n+ name: v",
		}},
		{"no definitions", `crds.enabled=false`, map[string]string{
			"CustomResourceDefinition /canaries.crosswalk.dev":           "gone",
			"CustomResourceDefinition /crosswalks.crosswalk.dev":         "gone",
			"CustomResourceDefinition /mutationpolicies.crosswalk.dev":   "gone",
			"CustomResourceDefinition /validationpolicies.crosswalk.dev": "gone",
		}},
		{"definitions that go with the chart", `crds.keep=false`, map[string]string{
			"CustomResourceDefinition /canaries.crosswalk.dev":           "- annotations:\n- helm.sh/resource-policy: keep",
			"CustomResourceDefinition /crosswalks.crosswalk.dev":         "- helm.sh/resource-policy: keep",
			"CustomResourceDefinition /mutationpolicies.crosswalk.dev":   "- helm.sh/resource-policy: keep",
			"CustomResourceDefinition /validationpolicies.crosswalk.dev": "- helm.sh/resource-policy: keep",
		}},
		{"a rule of Prometheus", `monitoring.prometheusRule.enabled=true`, map[string]string{"PrometheusRule crosswalk-system/crosswalk": "new"}},
		{"scraping", `monitoring.serviceMonitor.enabled=true`, map[string]string{
			"Service crosswalk-system/crosswalk-metrics": "new", "ServiceMonitor crosswalk-system/crosswalk": "new",
		}},
		{"a dashboard", `monitoring.dashboard={"enabled":true,"labels":{"dashboards":"platform"},"annotations":{"grafana_folder":"Platform"}}`, map[string]string{
			"ConfigMap crosswalk-system/crosswalk-dashboard": "new",
		}},
		{"network policies", `networkPolicy.enabled=true`, map[string]string{
			"NetworkPolicy crosswalk-system/crosswalk-serve": "new", "NetworkPolicy crosswalk-system/crosswalk-manage": "new",
		}},
		{"as a dependency", `enabled=true,global={"registry":"r"}`, map[string]string{}},
	}
	before := render(t)
	for _, test := range tests {
		for _, role := range []string{"serve", "manage"} {
			if role == "manage" && !strings.Contains(test.value, roles) {
				continue
			}
			t.Run(test.name+" "+role, func(t *testing.T) {
				as := strings.NewReplacer(roles, role)
				want := map[string]string{}
				for key, lines := range test.want {
					want[as.Replace(key)] = lines
				}
				if got := changes(t, before, render(t, as.Replace(test.value))); !maps.Equal(got, want) {
					t.Errorf("%s\ngot  %q\nwant %q", as.Replace(test.value), got, want)
				}
			})
		}
	}
}

// changes are the lines that go (-) and come (+), without indentation, by object.
func changes(t *testing.T, before, after objects) map[string]string {
	t.Helper()
	found := map[string]string{}
	for key, object := range before {
		if after[key] == nil {
			found[key] = "gone"
			continue
		}
		var lines []string
		for line := range strings.Lines(textdiff.Unified(text(t, object), text(t, after[key]))) {
			if line[0] == '-' || line[0] == '+' {
				lines = append(lines, line[:1]+" "+strings.TrimSpace(line[1:]))
			}
		}
		if len(lines) > 0 {
			found[key] = strings.Join(lines, "\n")
		}
	}
	for key := range after {
		if before[key] == nil {
			found[key] = "new"
		}
	}
	return found
}

func TestCommonLabelsAreEverywhere(t *testing.T) {
	rendered := render(t, `commonLabels={"team":"platform"}`, `aggregated.enabled=true`, `injection.enabled=true`, `certificates.provider="cert-manager"`)
	for key, object := range rendered {
		if object.GetLabels()["team"] != "platform" {
			t.Errorf("%s has the labels %v", key, object.GetLabels())
		}
		if object.GetKind() == "Deployment" && strings.Count(text(t, object), "team: platform") != 2 {
			t.Errorf("the selector of %s has the label, or its Pods do not:\n%s", key, text(t, object))
		}
	}
}

func TestServiceAccounts(t *testing.T) {
	for _, role := range []string{"serve", "manage"} {
		own := "ServiceAccount crosswalk-system/crosswalk-" + role
		annotated := render(t, role+`.serviceAccount.annotations={"a":"b"}`)
		if got := annotated[own].GetAnnotations()["a"]; got != "b" {
			t.Errorf("%s: the annotation is %q", role, got)
		}
		if changed := changes(t, render(t), annotated); len(changed) != 1 {
			t.Errorf("%s: an annotation changes %v", role, changed)
		}
		for value, account := range map[string]string{
			role + `.serviceAccount={"name":"mine"}`:                  "mine",
			role + `.serviceAccount={"create":false,"name":"theirs"}`: "theirs",
			role + `.serviceAccount={"create":false}`:                 "default",
		} {
			rendered := render(t, value)
			if made := rendered["ServiceAccount crosswalk-system/"+account] != nil; made != (account == "mine") || rendered[own] != nil {
				t.Errorf("%s: made %v", value, made)
			}
			if got, want := strings.Count(text(t, rendered["Deployment crosswalk-system/crosswalk-"+role]), "serviceAccountName: "+account+"\n"), 1; got != want {
				t.Errorf("%s: the Pods do not run as %s", value, account)
			}
			bound := 0
			for key, object := range rendered {
				if strings.Contains(key, "Binding ") && strings.Contains(text(t, object), "name: "+account+"\n") {
					bound++
				}
			}
			limits := text(t, rendered["ValidatingAdmissionPolicy /crosswalk-manage"])
			if limited := strings.Contains(limits, "'system:serviceaccount:crosswalk-system:"+account+"'"); limited != (role == "manage") {
				t.Errorf("%s: the limits of manage hold for this account: %t", value, limited)
			}
			if want := map[string]int{"serve": 3, "manage": 3}[role]; bound != want {
				t.Errorf("%s: %d bindings name %s, want %d", value, bound, account, want)
			}
		}
	}
}

func TestIssuerOfYours(t *testing.T) {
	changed := changes(t, render(t, `certificates.provider="cert-manager"`),
		render(t, `certificates={"provider":"cert-manager","certManager":{"issuerRef":{"kind":"ClusterIssuer","name":"internal"},"duration":"720h","renewBefore":"240h"}}`))
	want := map[string]string{
		"Issuer crosswalk-system/crosswalk-selfsigned":   "gone",
		"Issuer crosswalk-system/crosswalk-ca":           "gone",
		"Certificate crosswalk-system/crosswalk-ca":      "gone",
		"Certificate crosswalk-system/crosswalk-serving": "- duration: 2160h\n+ duration: 720h\n- kind: Issuer\n- name: crosswalk-ca\n+ kind: ClusterIssuer\n+ name: internal\n- renewBefore: 720h\n+ renewBefore: 240h",
	}
	if !maps.Equal(changed, want) {
		t.Errorf("got %q, want %q", changed, want)
	}
}

// TestNamespace installs elsewhere: nothing is left in the namespace of deploy/base.
func TestNamespace(t *testing.T) {
	manifest, err := templateIn(t, "elsewhere", `aggregated.enabled=true`, `injection.enabled=true`, `certificates.provider="cert-manager"`)
	if err != nil {
		t.Fatal(err)
	}
	for key, object := range parse(t, manifest) {
		if object.GetKind() == "CustomResourceDefinition" {
			object.Object["spec"] = nil // whose descriptions may name the usual namespace
		}
		if strings.Contains(text(t, object), "crosswalk-system") {
			t.Errorf("%s names crosswalk-system", key)
		}
	}
}

func TestUnknownAndWrongValuesAreErrors(t *testing.T) {
	for value, want := range map[string]string{
		`replicas=3`:                                           "at '': additional properties 'replicas' not allowed",
		`serve.replica=3`:                                      "at '/serve': additional properties 'replica' not allowed",
		`manage.podDisruptionBudget={}`:                        "at '/manage': additional properties 'podDisruptionBudget' not allowed",
		`image.digest="latest"`:                                "at '/image/digest': 'latest' does not match pattern",
		`serve.replicas=0`:                                     "at '/serve/replicas': minimum: got 0, want 1",
		`certificates.provider="vault"`:                        "at '/certificates/provider': value must be one of 'authority', 'cert-manager'",
		`serve.extraArgs=["log-level"]`:                        "at '/serve/extraArgs/0': 'log-level' does not match pattern",
		`commonLabels={"a":1}`:                                 "at '/commonLabels/a': got number, want string",
		`commonLabels={"app.kubernetes.io/name":"x"}`:          "at '/commonLabels/app.kubernetes.io~1name': false schema",
		`manage.podLabels={"app.kubernetes.io/component":"x"}`: "at '/manage/podLabels/app.kubernetes.io~1component': false schema",
		`imagePullSecrets=["registry"]`:                        "at '/imagePullSecrets/0': got string, want object",
		`serve.ports.metrics=9090`:                             "at '/serve/ports': additional properties 'metrics' not allowed",
		`certificates.certManager.days=30`:                     "at '/certificates/certManager': additional properties 'days' not allowed",
		`networkPolicy.apiServers.cidrs=["192.0.2.7"]`:         "at '/networkPolicy/apiServers/cidrs/0': '192.0.2.7' does not match pattern",
		`networkPolicy.apiServers.ports=[]`:                    "at '/networkPolicy/apiServers/ports': minItems: got 0, want 1",
		`networkPolicy.egress=[]`:                              "at '/networkPolicy': additional properties 'egress' not allowed",
		`monitoring.enabled=true`:                              "at '/monitoring': additional properties 'enabled' not allowed",
		`monitoring.serviceMonitor.interval="often"`:           "at '/monitoring/serviceMonitor/interval': 'often' does not match pattern",
		`monitoring.prometheusRule={"enabled":true,"disabled":["CrosswalkPanic"]}`: "monitoring.prometheusRule.disabled: there is no alert CrosswalkPanic; docs/alerts.md lists all",
		`serve.serviceAccount.automount={}`:                                        "at '/serve/serviceAccount': additional properties 'automount' not allowed",
	} {
		if _, err := template(t, value); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", value, err, want)
		}
	}
}

// TestSchemaListsTheValues holds values.yaml and values.schema.json together.
func TestSchemaListsTheValues(t *testing.T) {
	chart := filepath.Join(stage.Programs(t).Root, "deploy", "chart")
	content, err := os.ReadFile(filepath.Join(chart, "values.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict(content, &values); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(filepath.Join(chart, "values.schema.json")); err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(content, &schema); err != nil {
		t.Fatal(err)
	}
	// What has a meaning only where somebody sets it.
	unset := []string{".global", ".enabled", ".serve.podDisruptionBudget.minAvailable",
		".certificates.certManager.issuerRef.name", ".certificates.certManager.issuerRef.kind", ".certificates.certManager.issuerRef.group"}
	var compare func(path string, schema map[string]any, value any)
	compare = func(path string, schema map[string]any, value any) {
		properties, structured := schema["properties"].(map[string]any)
		if !structured {
			return
		}
		if schema["additionalProperties"] != false {
			t.Errorf("%s takes unknown values", path)
		}
		within, _ := value.(map[string]any)
		for name, property := range properties {
			at := path + "." + name
			got, found := within[name]
			if found == slices.Contains(unset, at) {
				t.Errorf("%s is in values.schema.json; in values.yaml: %v", at, found)
			}
			compare(at, property.(map[string]any), got)
		}
	}
	compare("", schema, values)
}
