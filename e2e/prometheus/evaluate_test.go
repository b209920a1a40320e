package main

import (
	"fmt"
	"testing"
)

func TestEvaluate(t *testing.T) {
	const metrics = `# TYPE requests_total counter
requests_total{code="2xx"} %d
# TYPE seconds histogram
seconds_bucket{le="1"} 3
seconds_bucket{le="+Inf"} 4
seconds_sum 9
seconds_count 4
`
	var asked request
	for i := range 5 {
		for _, instance := range []string{"a", "b"} {
			asked.Scrapes = append(asked.Scrapes, scrape{int64(30 * i), map[string]string{"job": "crosswalk", "instance": instance}, fmt.Sprintf(metrics, 60*i)})
		}
	}
	asked.Queries = []string{
		`sum by (job) (rate(requests_total[1m]))`,
		`seconds_bucket{le="1.0",instance="a"}`,
		`absent(requests_total{code="5xx"}) or seconds_sum`,
		`0/0`,
		`sum(`,
	}
	told, err := evaluate(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`{ [{map[job:crosswalk] 4}] map[requests_total:2]}`,
		// Prometheus 3 writes floats as OpenMetrics does.
		`{ [{map[__name__:seconds_bucket instance:a job:crosswalk le:1.0] 3}] map[seconds_bucket{instance="a",le="1.0"}:1]}`,
		`{ [{map[code:5xx] 1} {map[__name__:seconds_sum instance:a job:crosswalk] 9} {map[__name__:seconds_sum instance:b job:crosswalk] 9}] map[requests_total{code="5xx"}:0 seconds_sum:2]}`,
		`{ [{map[] NaN}] map[]}`,
		`{1:5: parse error: unclosed left parenthesis [] map[]}`,
	} {
		if got := fmt.Sprint(told.Results[i]); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", asked.Queries[i], got, want)
		}
	}
}
