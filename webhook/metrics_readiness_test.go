package webhook

import (
	"errors"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestReadinessIsAMetric(t *testing.T) {
	registry := prometheus.NewRegistry()
	readiness := NewReadiness()
	readiness.Register(registry)
	var certificate error
	readiness.Add("certificate", func() error { return certificate })
	compare := func(draining, certificate string) {
		t.Helper()
		want := `
# HELP crosswalk_readiness 1 while a check of /readyz passes, 0 otherwise, by check. The process receives requests while all checks are 1.
# TYPE crosswalk_readiness gauge
crosswalk_readiness{check="certificate"} ` + certificate + `
crosswalk_readiness{check="draining"} ` + draining + "\n"
		if err := testutil.GatherAndCompare(registry, strings.NewReader(want)); err != nil {
			t.Error(err)
		}
	}
	compare("1", "1")
	certificate = errors.New("expired")
	compare("1", "0")
	readiness.Drain()
	compare("0", "0")
}
