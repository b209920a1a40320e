package main

import "strings"

// walk shows one example: an object that is created in one version, read and
// edited in another, and read again.
type walk struct {
	// table is the folder in examples whose CRD and table are applied; empty where it is the
	// example's own.
	table string
	// aggregated serves the API group of Crosswalk's own, too.
	aggregated bool

	steps []step
	try   []string // what to try next, on kubectl's command line
}

// step is one command of kubectl, or an object that is looked at twice.
type step struct {
	title string // empty where it goes on with the step before
	say   string
	stdin string
	args  []string
	// denied says that the API server is to refuse it.
	denied bool
	beside *pair
}

// look is an object in one version: the resource with its version and group.
type look struct{ resource, name string }

func (l look) version() string { return strings.Split(l.resource, ".")[1] }

// pair is what is shown side by side. Without a left one, it is the right one as it
// was when it was looked at last.
type pair struct{ left, right look }

// inBoth looks at an object in two versions.
func inBoth(name, left, right string) *pair { return &pair{look{left, name}, look{right, name}} }

// beforeAndAfter looks at an object in one version, as it was and as it is.
func beforeAndAfter(name, version string) *pair { return &pair{right: look{version, name}} }

// walks are the examples' walks, by the name of their folder. Their objects are
// none of those in the READMEs, whose commands can be tried afterwards.
func walks() map[string]walk {
	return map[string]walk{
		"aggregation":             aggregation(),
		"crontab":                 crontab(),
		"horizontalpodautoscaler": horizontalPodAutoscaler(),
		"star":                    star(),
		"virtualservice":          virtualService(),
	}
}

func aggregation() walk {
	const question = `apiVersion: conversion.crosswalk.dev/v1alpha1
kind: Conversion
spec:
  version: v1
  object:
    apiVersion: stable.example.com/v1beta1
    kind: CronTab
    metadata: {name: cleanup, namespace: default}
    spec: {cronSpec: 30 4 * * 0, image: "example.com/cleanup:0.9", hostPort: "logs.example.com:514", shell: /bin/dash}
`
	return walk{
		table: "crontab", aggregated: true,
		steps: []step{
			{title: "See who answers for a group", say: "The API server passes on what is asked of conversion.crosswalk.dev to Crosswalk.",
				args: []string{"get", "apiservice", "v1alpha1.conversion.crosswalk.dev"}},
			{args: []string{"api-resources", "--api-group=conversion.crosswalk.dev", "-o", "wide"}},
			{title: "Ask for an object in another version", say: "Nothing is stored: the answer has the object.",
				stdin: question, args: []string{"create", "-f", "-", "-o", "jsonpath={.status.object.spec}"}},
			{title: "Ask why its fields are what they are", stdin: strings.Replace(question, "spec:\n", "spec:\n  explain: true\n", 1),
				args: []string{"create", "-f", "-", "-o", `jsonpath={range .status.steps[*].places[?(@.row)]}{.path} is {.value}, by {.row} from {.from}{"\n"}{end}{range .status.steps[*].kept[*]}{.path} {.value} is kept: {.why}{"\n"}{end}`}},
			{title: "Ask without the right", say: "Who may create conversions is a matter of RBAC, as with everything.",
				stdin: question, args: []string{"create", "--validate=false", "--as=dana", "-f", "-"}, denied: true},
		},
		try: []string{
			"kubectl explain conversion.status.steps.places",
			"kubectl get --raw /apis/conversion.crosswalk.dev/v1alpha1",
			"kubectl describe apiservice v1alpha1.conversion.crosswalk.dev",
			"kubectl get configmap -n kube-system extension-apiserver-authentication -o yaml",
		},
	}
}

func crontab() walk {
	const v1, v1beta1 = "crontabs.v1.stable.example.com", "crontabs.v1beta1.stable.example.com"
	return walk{
		steps: []step{
			{title: "Create a CronTab in v1beta1", say: "There, host and port are one string.", stdin: `apiVersion: stable.example.com/v1beta1
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
			{title: "Read it in both versions", say: "In v1, host and port are two fields. What v1 has no field for, the shell, is kept in an annotation.",
				beside: inBoth("cleanup", v1beta1, v1)},
			{title: "Edit it as v1",
				args: []string{"patch", v1, "cleanup", "--type=merge",
					"-p", `{"spec": {"host": "collector.example.com", "timeZone": "Europe/Zurich"}}`}},
			{title: "Read it as v1beta1 again", say: "hostPort has the edit, the shell is still there, and the new timeZone is kept for v1.",
				beside: beforeAndAfter("cleanup", v1beta1)},
			{title: "List it in columns", args: []string{"get", "ct"}},
			{title: "Apply policies", say: "They are written for v1, and hold in both versions.", args: []string{"apply", "-f", "examples/crontab/policies.yaml"}},
			{args: []string{"wait", "--for=condition=Ready", "validationpolicies,mutationpolicies", "--all"}},
			{title: "Make four mistakes in v1beta1", say: "All are told at once, by the names of the fields that were written.", stdin: `apiVersion: stable.example.com/v1beta1
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
			"bin/controlplane get /registry/stable.example.com/crontabs/default/cleanup   # what is stored",
			"kubectl scale ct/cleanup --replicas=5",
			"kubectl explain ct.spec --api-version=stable.example.com/v1beta1",
		},
	}
}

func star() walk {
	const v1, v1alpha1 = "stars.v1.cnstar.kubecto-kubernetes.info", "stars.v1alpha1.cnstar.kubecto-kubernetes.info"
	return walk{
		steps: []step{
			{title: "Create a Star in v1alpha1", say: "There, everything is side by side.", stdin: `apiVersion: cnstar.kubecto-kubernetes.info/v1alpha1
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
			{title: "Read it in both versions",
				say:    "v1 groups it, calls some of it by other names and has defaults of its own. The shell and the quiet of the hook\nare kept in an annotation.",
				beside: inBoth("polaris", v1alpha1, v1)},
			{title: "Edit it as v1",
				args: []string{"patch", v1, "polaris", "--type=merge",
					"-p", `{"spec": {"schedule": {"state": "Active", "timeZone": "Europe/Zurich"}, "workers": {"replicas": 3}}}`}},
			{title: "Read it as v1alpha1 again", say: "It is no longer paused, and all that it was created with is there.",
				beside: beforeAndAfter("polaris", v1alpha1)},
			{title: "Scale it through v1alpha1", say: "There, the replicas are elsewhere.",
				args: []string{"scale", v1alpha1, "polaris", "--replicas=5"}},
			{title: "List it in columns", args: []string{"get", "st"}},
		},
		try: []string{
			"kubectl get st -o yaml                                                # as v1, which is preferred",
			"kubectl get stars.v1alpha1.cnstar.kubecto-kubernetes.info -o yaml     # as v1alpha1",
			"kubectl edit st polaris",
			"bin/controlplane get /registry/cnstar.kubecto-kubernetes.info/stars/default/polaris   # what is stored",
			"kubectl explain st.spec --api-version=cnstar.kubecto-kubernetes.info/v1alpha1",
		},
	}
}

func horizontalPodAutoscaler() walk {
	const group = ".autoscaling.example.com"
	const v1, v2, v2beta1 = "horizontalpodautoscalers.v1" + group, "horizontalpodautoscalers.v2" + group, "horizontalpodautoscalers.v2beta1" + group
	return walk{
		steps: []step{
			{title: "Create a HorizontalPodAutoscaler in v2", say: "It has three metrics.", stdin: `apiVersion: autoscaling.example.com/v2
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
			{title: "Read it as v2 and as v1", say: "v1 has a field for one metric. The others are kept in an annotation.",
				beside: inBoth("front", v2, v1)},
			{title: "Edit that one as v1",
				args: []string{"patch", v1, "front", "--type=merge", "-p", `{"spec": {"targetCPUUtilizationPercentage": 75}}`}},
			{title: "Read it as v2 again", say: "The edit is in its place among the other metrics.",
				beside: beforeAndAfter("front", v2)},
			{title: "Read it as v2 and as v2beta1", say: "v2beta1 has a field for each kind of target.",
				beside: inBoth("front", v2, v2beta1)},
			{title: "List it in columns", args: []string{"get", "xhpa"}},
		},
		try: []string{
			"kubectl get xhpa -o yaml                                                    # as v2, which is preferred",
			"kubectl get horizontalpodautoscalers.v1.autoscaling.example.com -o yaml     # as v1",
			"kubectl edit xhpa front",
			"bin/controlplane get /registry/autoscaling.example.com/horizontalpodautoscalers/default/front   # what is stored",
			"kubectl explain xhpa.spec.metrics",
		},
	}
}

func virtualService() walk {
	const v1, v1alpha3 = "virtualservices.v1.networking.istio.io", "virtualservices.v1alpha3.networking.istio.io"
	return walk{
		steps: []step{
			{title: "Create a VirtualService in v1alpha3", say: "It is the oldest of three versions.", stdin: `apiVersion: networking.istio.io/v1alpha3
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
			{title: "Read it as v1alpha3 and as v1", say: "All versions have the same shape, so there is nothing to keep.",
				beside: inBoth("details", v1alpha3, v1)},
			{title: "Edit it as v1beta1",
				args: []string{"patch", "virtualservices.v1beta1.networking.istio.io", "details", "--type=merge",
					"-p", `{"spec": {"exportTo": ["."]}}`}},
			{title: "Read it as v1alpha3 again",
				beside: beforeAndAfter("details", v1alpha3)},
			{title: "List it in columns, by category", args: []string{"get", "istio-io"}},
		},
		try: []string{
			"kubectl get vs -o yaml                                               # as v1, which is preferred",
			"kubectl get virtualservices.v1alpha3.networking.istio.io -o yaml     # as v1alpha3",
			"kubectl edit vs details",
			"bin/controlplane get /registry/networking.istio.io/virtualservices/default/details   # what is stored",
			"kubectl explain vs.spec.http",
		},
	}
}
