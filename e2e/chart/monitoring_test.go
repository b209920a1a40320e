package chart

import (
	"maps"
	"slices"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"sigs.k8s.io/yaml"
)

// TestMonitoringIsOfTheOperatorsKinds reads what the chart makes of every value as the
// Prometheus operator does, and finds no field that the operator does not have.
func TestMonitoringIsOfTheOperatorsKinds(t *testing.T) {
	rendered := render(t, `monitoring={
		"serviceMonitor":{"enabled":true,"labels":{"release":"prometheus"},"annotations":{"a":"b"},"interval":"15s","scrapeTimeout":"10s",
			"relabelings":[{"targetLabel":"cluster","replacement":"test"}],
			"metricRelabelings":[{"action":"drop","sourceLabels":["__name__"],"regex":"go_.*"}]},
		"prometheusRule":{"enabled":true,"labels":{"release":"prometheus"},"annotations":{"c":"d"},"disabled":["CrosswalkPanics","CrosswalkManageAbsent"]}}`)
	var monitor monitoringv1.ServiceMonitor
	read(t, rendered, "ServiceMonitor crosswalk-system/crosswalk", &monitor)
	if monitor.Labels["release"] != "prometheus" || monitor.Labels["app.kubernetes.io/name"] != "crosswalk" || monitor.Annotations["a"] != "b" {
		t.Errorf("the ServiceMonitor has the metadata %+v", monitor.ObjectMeta)
	}
	service := rendered["Service crosswalk-system/crosswalk-metrics"]
	for label, value := range monitor.Spec.Selector.MatchLabels {
		if service.GetLabels()[label] != value {
			t.Errorf("the ServiceMonitor wants the label %s=%s of a Service, which has the labels %v", label, value, service.GetLabels())
		}
	}
	endpoint := monitor.Spec.Endpoints[0]
	if endpoint.Interval != "15s" || endpoint.ScrapeTimeout != "10s" || endpoint.RelabelConfigs[0].TargetLabel != "cluster" || endpoint.MetricRelabelConfigs[0].Regex != "go_.*" {
		t.Errorf("the endpoint is %+v", endpoint)
	}
	var rule monitoringv1.PrometheusRule
	read(t, rendered, "PrometheusRule crosswalk-system/crosswalk", &rule)
	if rule.Labels["release"] != "prometheus" || rule.Annotations["c"] != "d" {
		t.Errorf("the PrometheusRule has the metadata %+v", rule.ObjectMeta)
	}
	var all monitoringv1.PrometheusRule
	read(t, render(t, `monitoring.prometheusRule.enabled=true`), "PrometheusRule crosswalk-system/crosswalk", &all)
	left := alerts(all)
	for _, disabled := range []string{"CrosswalkPanics", "CrosswalkManageAbsent"} {
		if !left[disabled] {
			t.Errorf("%s is not among the alerts %v", disabled, slices.Sorted(maps.Keys(left)))
		}
		delete(left, disabled)
	}
	if got := alerts(rule); !maps.Equal(got, left) {
		t.Errorf("got the alerts %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(left)))
	}
}

func alerts(rule monitoringv1.PrometheusRule) map[string]bool {
	names := map[string]bool{}
	for _, group := range rule.Spec.Groups {
		for _, alert := range group.Rules {
			names[alert.Alert] = true
		}
	}
	return names
}

// read decodes an object strictly.
func read(t *testing.T, from objects, key string, into any) {
	t.Helper()
	if from[key] == nil {
		t.Fatalf("there is no %s", key)
	}
	if err := yaml.UnmarshalStrict([]byte(text(t, from[key])), into); err != nil {
		t.Fatal(err)
	}
}
