package builtin

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The oracle sees every field; here is what is easily read.
func TestConvert(t *testing.T) {
	const v1, v2 = "autoscaling/v1", "autoscaling/v2"
	const old = "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: a}"
	const now = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: a}"
	share := func(percentage string) string {
		return "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: " + percentage + "}}}"
	}
	for name, test := range map[string]struct{ object, to, want string }{
		"a share of processors":          {now + ", metrics: [" + share("70") + "]}}", v1, "{spec: {targetCPUUtilizationPercentage: 70, maxReplicas: 5}, metadata: {annotations: null}}"},
		"and back":                       {old + ", targetCPUUtilizationPercentage: 70}}", v2, "{spec: {metrics: [" + share("70") + "]}}"},
		"no share":                       {old + "}}", v2, "{spec: {metrics: [" + share("80") + "]}}"},
		"another metric":                 {now + ", metrics: [{type: Pods, pods: {metric: {name: q}, target: {type: AverageValue, averageValue: '10'}}}]}}", v1, `{metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"10"}}]'}}, spec: {targetCPUUtilizationPercentage: null}}`},
		"an annotation that is a metric": {`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, annotations: {a: b, autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"10"}}]'}}, spec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: a}}}`, v2, "{metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/metrics: null}}, spec: {metrics: [{type: Pods, pods: {metric: {name: q}, target: {type: AverageValue, averageValue: '10'}}}]}}"},
		"an annotation that is none":     {`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a, annotations: {autoscaling.alpha.kubernetes.io/metrics: 'x'}}, spec: {maxReplicas: 5, scaleTargetRef: {kind: Deployment, name: a}}}`, v2, "{spec: {metrics: [" + share("80") + "]}}"},
		"an event":                       {"{apiVersion: v1, kind: Event, metadata: {name: a}, involvedObject: {name: web}, message: hello, source: {component: x}, count: 2, reportingComponent: c, reportingInstance: i}", "events.k8s.io/v1", "{regarding: {name: web}, note: hello, deprecatedSource: {component: x}, deprecatedCount: 2, reportingController: c}"},
		"and an event back":              {"{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: a}, regarding: {name: web}, note: hello, eventTime: null, series: {count: 3, lastObservedTime: null}}", "v1", "{involvedObject: {name: web}, message: hello, series: {count: 3}}"},
	} {
		t.Run(name, func(t *testing.T) {
			object := fromYAML(t, test.object)
			from := schema.FromAPIVersionAndKind(object["apiVersion"].(string), object["kind"].(string))
			got, err := Convert(object, from, schema.FromAPIVersionAndKind(test.to, from.Kind))
			if err != nil {
				t.Fatal(err)
			}
			for _, difference := range lacks("", fromYAML(t, test.want), got) {
				t.Error(difference)
			}
			if got["apiVersion"] != test.to || got["kind"] != from.Kind {
				t.Errorf("got %v %v", got["apiVersion"], got["kind"])
			}
		})
	}
}

func TestConvertRefuses(t *testing.T) {
	pod, event := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, schema.GroupVersionKind{Version: "v1", Kind: "Event"}
	if got, err := Convert(map[string]any{}, pod, event); err == nil {
		t.Errorf("got %v", got)
	}
	if got, err := Convert(map[string]any{"message": int64(1)}, event, Equivalents(event)[0]); err == nil {
		t.Errorf("got %v", got)
	}
	if got := Equivalents(pod); got != nil {
		t.Errorf("got %v", got)
	}
}
