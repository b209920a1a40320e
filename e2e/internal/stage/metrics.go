package stage

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

// Sum adds up the samples of a role's metric that have a label, if one is given.
func Sum(t testing.TB, r *harness.Role, metric, label string) float64 {
	t.Helper()
	text, err := r.Metrics(Within(t, 10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	return Total(t, text, metric, label)
}

// Total adds up the samples of a metric that have a label, if one is given, in what Prometheus gets.
func Total(t testing.TB, text []byte, metric, label string) float64 {
	t.Helper()
	var total float64
	for line := range strings.Lines(string(text)) {
		series, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, labels, _ := strings.Cut(series, "{"); name != metric || !strings.Contains(labels, label) {
			continue
		}
		sample, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		total += sample
	}
	return total
}
