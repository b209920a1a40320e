package main

// walk shows one example: an object that is created in one version, read and
// edited in another, and read again.
type walk struct {
	steps []step
	try   []string // what to try next, on kubectl's command line
}

// step is one command of kubectl.
type step struct {
	say   string
	stdin string
	args  []string
	// denied says that the API server is to refuse it.
	denied bool
}

// walks are the examples' walks, by the name of their folder. Their objects are
// none of those in the READMEs, whose commands can be tried afterwards.
func walks() map[string]walk {
	return map[string]walk{
		"crontab":                 crontab(),
		"horizontalpodautoscaler": horizontalPodAutoscaler(),
		"star":                    star(),
		"virtualservice":          virtualService(),
	}
}

func crontab() walk {
	const v1, v1beta1 = "crontabs.v1.stable.example.com", "crontabs.v1beta1.stable.example.com"
	return walk{
		steps: []step{
			{say: "Create a CronTab in v1beta1, where host and port are one string:", stdin: `apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata:
  name: cleanup
spec:
  cronSpec: 30 4 * * 0
  image: example.com/cleanup:0.9
  replicas: 2
  hostPort: logs.example.com:514
  shell: /bin/dash
`, args: []string{"create", "-f", "-"}},
			{say: "Read it as v1, where they are two fields. What v1 has no field for is kept in an annotation:",
				args: []string{"get", v1, "cleanup", "-o", "yaml"}},
			{say: "Edit it as v1:",
				args: []string{"patch", v1, "cleanup", "--type=merge",
					`--patch={"spec": {"host": "collector.example.com", "timeZone": "Europe/Zurich"}}`}},
			{say: "Read it as v1beta1. hostPort has the edit, shell is back, and the new timeZone is kept for v1:",
				args: []string{"get", v1beta1, "cleanup", "-o", "yaml"}},
			{say: "And in columns:", args: []string{"get", "ct"}},
			{say: "Apply policies, which are written for v1, and hold in both versions:", args: []string{"apply", "-f", "examples/crontab/policies.yaml"}},
			{args: []string{"wait", "--for=condition=Ready", "validationpolicies,mutationpolicies", "--all"}},
			{say: "Make four mistakes in v1beta1:", stdin: `apiVersion: stable.example.com/v1beta1
kind: CronTab
metadata:
  name: mistakes
spec:
  cronSpec: "* 25 * * 1"
  image: backup:latest
  replicas: 6
  hostPort: logs.example.com:70000
`, args: []string{"create", "-f", "-"}, denied: true},
		},
		try: []string{
			"kubectl get ct -o yaml                                    # as v1, which is preferred",
			"kubectl get crontabs.v1beta1.stable.example.com -o yaml   # as v1beta1",
			"kubectl edit ct cleanup",
			"kubectl scale ct/cleanup --replicas=5",
			"kubectl explain ct.spec --api-version=stable.example.com/v1beta1",
		},
	}
}

func star() walk {
	const v1, v1alpha1 = "stars.v1.cnstar.kubecto-kubernetes.info", "stars.v1alpha1.cnstar.kubecto-kubernetes.info"
	return walk{
		steps: []step{
			{say: "Create a Star in v1alpha1, where everything is side by side:", stdin: `apiVersion: cnstar.kubecto-kubernetes.info/v1alpha1
kind: Star
metadata:
  name: polaris
  annotations:
    cnstar.kubecto-kubernetes.info/owner: ops@example.com
spec:
  schedule: 30 4 * * 0
  command: cleanup --all
  shell: /bin/dash
  image: example.com/cleanup:0.9
  paused: true
  hooks:
  - name: notify
    run: notify --done
    quiet: true
`, args: []string{"create", "-f", "-"}},
			{say: "Read it as v1, which groups it, calls some of it by other names and has defaults of its own. The shell and\nthe quiet of the hook are kept in an annotation:",
				args: []string{"get", v1, "polaris", "-o", "yaml"}},
			{say: "Edit it as v1:",
				args: []string{"patch", v1, "polaris", "--type=merge",
					`--patch={"spec": {"schedule": {"state": "Active", "timeZone": "Europe/Zurich"}, "workers": {"replicas": 3}}}`}},
			{say: "Read it as v1alpha1. It is no longer paused, and what it was born with is there:",
				args: []string{"get", v1alpha1, "polaris", "-o", "yaml"}},
			{say: "Scale it through v1alpha1, where the replicas are elsewhere:",
				args: []string{"scale", v1alpha1, "polaris", "--replicas=5"}},
			{say: "And in columns:", args: []string{"get", "st"}},
		},
		try: []string{
			"kubectl get st -o yaml                                                # as v1, which is preferred",
			"kubectl get stars.v1alpha1.cnstar.kubecto-kubernetes.info -o yaml     # as v1alpha1",
			"kubectl edit st polaris",
			"kubectl explain st.spec --api-version=cnstar.kubecto-kubernetes.info/v1alpha1",
		},
	}
}

func horizontalPodAutoscaler() walk {
	const group = ".autoscaling.example.com"
	const v1, v2, v2beta1 = "horizontalpodautoscalers.v1" + group, "horizontalpodautoscalers.v2" + group, "horizontalpodautoscalers.v2beta1" + group
	return walk{
		steps: []step{
			{say: "Create a HorizontalPodAutoscaler in v2, with three metrics:", stdin: `apiVersion: autoscaling.example.com/v2
kind: HorizontalPodAutoscaler
metadata:
  name: front
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: front}
  minReplicas: 2
  maxReplicas: 10
  metrics:
  - type: Pods
    pods:
      metric: {name: packets_per_second}
      target: {type: AverageValue, averageValue: 1k}
  - type: Resource
    resource:
      name: cpu
      target: {type: Utilization, averageUtilization: 60}
  - type: External
    external:
      metric: {name: queue_length}
      target: {type: Value, value: "30"}
`, args: []string{"create", "-f", "-"}},
			{say: "Read it as v1, which knows one metric. The others are kept in an annotation:",
				args: []string{"get", v1, "front", "-o", "yaml"}},
			{say: "Edit that one as v1:",
				args: []string{"patch", v1, "front", "--type=merge", `--patch={"spec": {"targetCPUUtilizationPercentage": 75}}`}},
			{say: "Read it as v2beta1, which has a field for each kind of target. The edit is in its place among the others:",
				args: []string{"get", v2beta1, "front", "-o", "yaml"}},
			{say: "And as v2:", args: []string{"get", v2, "front", "-o", "jsonpath={.spec.metrics}"}},
			{say: "And in columns:", args: []string{"get", "xhpa"}},
		},
		try: []string{
			"kubectl get xhpa -o yaml                                                    # as v2, which is preferred",
			"kubectl get horizontalpodautoscalers.v1.autoscaling.example.com -o yaml     # as v1",
			"kubectl edit xhpa front",
			"kubectl explain xhpa.spec.metrics",
		},
	}
}

func virtualService() walk {
	const v1, v1alpha3 = "virtualservices.v1.networking.istio.io", "virtualservices.v1alpha3.networking.istio.io"
	return walk{
		steps: []step{
			{say: "Create a VirtualService in v1alpha3, the oldest of three versions:", stdin: `apiVersion: networking.istio.io/v1alpha3
kind: VirtualService
metadata:
  name: details
spec:
  hosts: [details]
  http:
  - route:
    - destination: {host: details, subset: v1}
      weight: 75
    - destination: {host: details, subset: v2}
      weight: 25
`, args: []string{"create", "-f", "-"}},
			{say: "Read it as v1. All versions have the same shape, so there is nothing to keep:",
				args: []string{"get", v1, "details", "-o", "yaml"}},
			{say: "Edit it as v1beta1:",
				args: []string{"patch", "virtualservices.v1beta1.networking.istio.io", "details", "--type=merge",
					`--patch={"spec": {"exportTo": ["."]}}`}},
			{say: "Read what v1alpha3 has of it:",
				args: []string{"get", v1alpha3, "details", "-o", "jsonpath={.apiVersion} {.spec}"}},
			{say: "And in columns, by category:", args: []string{"get", "istio-io"}},
		},
		try: []string{
			"kubectl get vs -o yaml                                               # as v1, which is preferred",
			"kubectl get virtualservices.v1alpha3.networking.istio.io -o yaml     # as v1alpha3",
			"kubectl edit vs details",
			"kubectl explain vs.spec.http",
		},
	}
}
