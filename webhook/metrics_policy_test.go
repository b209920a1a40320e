package webhook

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Every outcome has its series before it happens, so that the first is an increase.
func TestReadsAreMeasured(t *testing.T) {
	registry := prometheus.NewRegistry()
	observe := NewMetrics(registry).ObserveReads("lookup")
	outcomes := func() map[string]uint64 {
		t.Helper()
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]uint64{}
		for _, family := range families {
			if family.GetName() != "crosswalk_policy_read_duration_seconds" {
				continue
			}
			for _, metric := range family.GetMetric() {
				found[metric.GetLabel()[0].GetValue()] = metric.GetHistogram().GetSampleCount()
			}
		}
		return found
	}
	if got, want := fmt.Sprint(outcomes()), "map[done:0 failed:0 late:0]"; got != want {
		t.Errorf("at first: %s, want %s", got, want)
	}
	observe(time.Second, nil)
	observe(time.Second, errors.New("forbidden"))
	observe(time.Second, fmt.Errorf("asking: %w", context.DeadlineExceeded))
	observe(time.Second, context.DeadlineExceeded)
	if got, want := fmt.Sprint(outcomes()), "map[done:1 failed:1 late:2]"; got != want {
		t.Errorf("then: %s, want %s", got, want)
	}
}
