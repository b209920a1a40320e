package oracle

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// TestAutoscalersInV2beta1 compares the example's v2beta1 with Kubernetes' converter,
// which outlived that version: it keeps the metrics that v1 does not show in
// annotations, in the shape that they had in v2beta1, and reads them there again.
func TestAutoscalersInV2beta1(t *testing.T) {
	t.Parallel()
	program := findProgram(t)
	converter := compile(t, program, autoscalers)
	found := newFindings(t, autoscalers, "v2beta1.yaml")
	program.cases(t, autoscalers, count/4, func(c oracleCase) {
		if c.from != "v2" {
			return
		}
		kept := keptMetrics(t, c.converted)
		there, err := converter.Convert(nil, c.object, "v2beta1")
		if err != nil {
			t.Fatal(err)
		}
		found.views.note(t, c, encode(t, kept), encode(t, without(t, there, isUtilizationInV2beta1)))

		// What Kubernetes reads there, Crosswalk reads in v2beta1.
		kept["apiVersion"], kept["kind"], kept["metadata"] = "autoscaling/v2beta1", "HorizontalPodAutoscaler", map[string]any{}
		back, err := converter.Convert(nil, encode(t, kept), "v2")
		if err != nil {
			t.Fatal(err)
		}
		if back, err = conversion.Strip(nil, back); err != nil {
			t.Fatal(err)
		}
		found.losses.note(t, c, encode(t, without(t, c.back, isUtilization)), encode(t, without(t, back, isUtilization)))
	})
	found.judge(t)
}

// keptMetrics are the metrics in the annotations of a v1 object.
func keptMetrics(t *testing.T, object []byte) map[string]any {
	t.Helper()
	annotations, _ := exact.At(parse(t, object), "metadata", "annotations")
	metrics := map[string]any{}
	for name, at := range map[string][]string{"metrics": {"spec", "metrics"}, "current-metrics": {"status", "currentMetrics"}} {
		if text, ok := exact.At(annotations, "autoscaling.alpha.kubernetes.io/"+name); ok {
			metrics[at[0]] = map[string]any{at[1]: parse(t, []byte(text.(string)))}
		}
	}
	return metrics
}

// without is what keptMetrics are in an object of another version: those metrics of
// the spec that v1 does not show, and all of the status.
func without(t *testing.T, object []byte, shown func(metric exact.Value) bool) map[string]any {
	t.Helper()
	metrics := map[string]any{}
	for _, at := range [][]string{{"spec", "metrics"}, {"status", "currentMetrics"}} {
		all, _ := exact.At(parse(t, object), at...)
		list, _ := all.([]any)
		if at[0] == "spec" {
			list = slices.DeleteFunc(list, shown)
		}
		if len(list) > 0 {
			metrics[at[0]] = map[string]any{at[1]: list}
		}
	}
	return metrics
}

func isUtilization(metric exact.Value) bool {
	return isCPU(metric, "resource", "target", "averageUtilization")
}

func isUtilizationInV2beta1(metric exact.Value) bool {
	return isCPU(metric, "resource", "targetAverageUtilization")
}

func isCPU(metric exact.Value, path ...string) bool {
	kind, _ := exact.At(metric, "type")
	name, _ := exact.At(metric, "resource", "name")
	_, there := exact.At(metric, path...)
	return kind == "Resource" && name == "cpu" && there
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
