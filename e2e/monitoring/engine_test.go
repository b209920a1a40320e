package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// engine keeps what was scraped and has Prometheus' own engine evaluate queries over it:
// e2e/prometheus.
type engine struct {
	scrapes []scrape
	seconds int64 // of the next scrape
}

type scrape struct {
	Seconds int64             `json:"seconds"`
	Labels  map[string]string `json:"labels"`
	Text    string            `json:"text"`
}

// result is what a query gives at the last scrape.
type result struct {
	Error   string `json:"error"`
	Samples []struct {
		Labels map[string]string `json:"labels"`
		Value  string            `json:"value"`
	} `json:"samples"`
	// Selectors are the query's own, with the number of series that each selects.
	Selectors map[string]int `json:"selectors"`
}

// scrape takes the metrics of every role of a scene. For the engine half a minute passes
// between two scrapes.
func (e *engine) scrape(t *testing.T, scene *harness.Scene) {
	t.Helper()
	roles := map[string]*harness.Role{"manage-0": scene.Manage}
	for i, role := range scene.Serve {
		roles[fmt.Sprint("serve-", i)] = role
	}
	for instance, role := range roles {
		text, err := role.Metrics(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		e.scrapes = append(e.scrapes, scrape{e.seconds, map[string]string{"job": "crosswalk", "instance": instance}, string(text)})
	}
	e.seconds += 30
}

// evaluate asks the engine, in one run.
func (e *engine) evaluate(t *testing.T, queries []string) []result {
	t.Helper()
	asked, err := json.Marshal(map[string]any{"scrapes": e.scrapes, "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), stage.Programs(t).Prometheus)
	cmd.Stdin = bytes.NewReader(asked)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	told, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var answer struct {
		Results []result `json:"results"`
	}
	if err := json.Unmarshal(told, &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Results) != len(queries) {
		t.Fatalf("%d results for %d queries", len(answer.Results), len(queries))
	}
	return answer.Results
}
