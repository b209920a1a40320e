package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	grafana "github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
	"sigs.k8s.io/yaml"
)

// dashboard is what Grafana reads, in part.
type dashboard struct {
	Templating struct {
		List []struct {
			Name, Type string
			Query      any
		}
	}
	Panels []panel
}

type panel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ X, Y, W, H int }
	Targets                  []struct{ Expr, LegendFormat string }
	FieldConfig              struct{ Defaults struct{ Unit string } }
}

// folder is where the dashboard and the alerts are.
func folder(t *testing.T) string {
	t.Helper()
	return filepath.Join(stage.Programs(t).Root, "deploy", "chart", "files", "monitoring")
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder(t), "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var read dashboard
	if err := json.Unmarshal(content, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// alertExpressions are those of the alerts, by name.
func alertExpressions(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder(t), "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var rule struct {
		Spec struct {
			Groups []struct {
				Rules []struct{ Alert, Expr string }
			}
		}
	}
	if err := yaml.Unmarshal(content, &rule); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, group := range rule.Spec.Groups {
		for _, alert := range group.Rules {
			found[alert.Alert] = alert.Expr
		}
	}
	return found
}

// readsLive is a policy that reads from the API server.
const readsLive = `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: live}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], resources: [crontabs], operations: [CREATE, UPDATE]}]
  lookups: [{name: others, apiVersion: stable.example.com/v1, kind: CronTab, selector: {}, live: true}]
  validations: [{expression: size(lookups.others) < 50, message: there are enough}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: live
  labels: {crosswalk.dev/aggregate-to-serve: "true"}
rules:
- {apiGroups: [stable.example.com], resources: [crontabs], verbs: [get, list]}
`

// TestEveryQueryFindsItsSeries asks all queries of the dashboard and of the alerts of a
// Crosswalk in use. No panel is empty, no selector is misspelled, and no alert fires.
func TestEveryQueryFindsItsSeries(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{Replicas: 2})
	stage.AggregateRoles(t, scene)
	kubectl := func(stdin string, args ...string) (string, error) {
		return scene.ControlPlane.KubectlWith(stage.Within(t, time.Minute), stdin, args...)
	}
	must := func(stdin string, args ...string) {
		t.Helper()
		if _, err := kubectl(stdin, args...); err != nil {
			t.Fatal(err)
		}
	}
	crontab := filepath.Join(programs.Root, "examples", "crontab")
	must("", "apply", "-f", filepath.Join(crontab, "crd.yaml"), "-f", filepath.Join(crontab, "crosswalk.yaml"), "-f", filepath.Join(crontab, "policies.yaml"))
	must(readsLive, "apply", "-f", "-")
	must("", "wait", "--for=condition=Ready", "--timeout=1m", "crosswalks,validationpolicies,mutationpolicies", "--all")

	const object = `
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: NAME}
spec: {cronSpec: "CRON", image: "example.com/backup:1.4", host: localhost, port: "8080", notify: [a@example.com]}
`
	var metrics engine
	for round := range 4 {
		name := fmt.Sprint("nightly-", round)
		write := func(cron string) error {
			_, err := kubectl(strings.NewReplacer("NAME", name, "CRON", cron).Replace(object), "create", "-f", "-")
			return err
		}
		// Serve may not have heard of its rights yet.
		stage.Until(t, 30*time.Second, func(context.Context) error { return write("0 3 * * *") })
		must("", "get", "crontabs.v1beta1.stable.example.com", name)
		name += "-wrong"
		if err := write("99 3 * * *"); err == nil {
			t.Error("a wrong object was accepted")
		}
		metrics.scrape(t, scene)
	}

	asGrafana := strings.NewReplacer("$__rate_interval", "2m", "$__range", "1h", "$job", "crosswalk", "$crd", "crontabs.stable.example.com|canaries.crosswalk.dev")
	var queries, names []string
	for _, panel := range readDashboard(t).Panels {
		for _, target := range panel.Targets {
			queries, names = append(queries, asGrafana.Replace(target.Expr)), append(names, "the panel "+panel.Title)
		}
	}
	panels := len(queries)
	for alert, expression := range alertExpressions(t) {
		queries, names = append(queries, expression), append(names, "the alert "+alert)
	}
	for i, result := range metrics.evaluate(t, queries) {
		if result.Error != "" {
			t.Errorf("%s: %s\n%s", names[i], result.Error, queries[i])
			continue
		}
		for selector, selected := range result.Selectors {
			if selected == 0 {
				t.Errorf("%s: nothing has the series %s", names[i], selector)
			}
		}
		shown := 0
		for _, sample := range result.Samples {
			if sample.Value != "NaN" {
				shown++
			}
		}
		switch {
		case i < panels && shown == 0:
			t.Errorf("%s is empty: %s", names[i], queries[i])
		case i >= panels && len(result.Samples) > 0:
			t.Errorf("%s is about to fire: %v", names[i], result.Samples)
		}
	}
}

// TestDashboardIsOfGrafanasSchema reads the dashboard by the types that Grafana generates
// from its schemas, and finds no field that Grafana does not have, and none missing.
func TestDashboardIsOfGrafanasSchema(t *testing.T) {
	runtime := cog.NewRuntime()
	runtime.RegisterPanelcfgVariant(stat.VariantConfig())
	runtime.RegisterPanelcfgVariant(table.VariantConfig())
	runtime.RegisterPanelcfgVariant(timeseries.VariantConfig())
	runtime.RegisterDataqueryVariant(prometheus.VariantConfig())
	content, err := os.ReadFile(filepath.Join(folder(t), "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	//lint:ignore SA1019 every release of Grafana reads this schema, and only the newest read the next.
	var read grafana.Dashboard
	// An error without text is none.
	if err := read.UnmarshalJSONStrict(content); err != nil && err.Error() != "" {
		t.Error(err)
	}
	if err := read.Validate(); err != nil {
		t.Error(err)
	}
}

// TestDashboard holds what no schema says.
func TestDashboard(t *testing.T) {
	board := readDashboard(t)
	ids, titles := map[int]bool{}, map[string]bool{}
	taken := map[[2]int]string{}
	variables := map[string]bool{}
	for _, variable := range board.Templating.List {
		variables[variable.Name] = true
	}
	for _, want := range []string{"datasource", "job", "crd"} {
		if !variables[want] {
			t.Errorf("there is no variable %s", want)
		}
	}
	for _, p := range board.Panels {
		if ids[p.ID] || titles[p.Title] || p.Title == "" {
			t.Errorf("panel %d, %q: its id or title is not its own", p.ID, p.Title)
		}
		ids[p.ID], titles[p.Title] = true, true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := taken[[2]int{x, y}]; other != "" || x >= 24 {
					t.Errorf("%q lies over %q, or beyond the edge", p.Title, other)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			continue
		}
		if p.Description == "" || p.FieldConfig.Defaults.Unit == "" || len(p.Targets) == 0 {
			t.Errorf("%q lacks a description, a unit or a query", p.Title)
		}
		for _, target := range p.Targets {
			if strings.Count(target.Expr, "{") != strings.Count(target.Expr, `job=~"$job"`)+strings.Count(target.Expr, `{role="serve"}`) {
				t.Errorf("%q also shows other programs: %s", p.Title, target.Expr)
			}
			if p.Type == "timeseries" && target.LegendFormat == "" {
				t.Errorf("%q has a line without a name", p.Title)
			}
		}
	}
	if len(board.Panels) < 30 {
		t.Errorf("there are %d panels", len(board.Panels))
	}
}
