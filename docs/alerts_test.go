package docs

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// alerts.md has a section for every alert, in the same order, and each alert links to its
// own.
func TestAlertsHaveRunbooks(t *testing.T) {
	content, err := os.ReadFile("../deploy/chart/files/monitoring/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Spec struct {
			Groups []struct {
				Rules []struct {
					Alert, Expr string
					Labels      map[string]string
					Annotations map[string]string
				}
			}
		}
	}
	if err := yaml.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	var alerts []string
	for _, group := range file.Spec.Groups {
		for _, rule := range group.Rules {
			alerts = append(alerts, rule.Alert)
			if got, want := rule.Annotations["runbook_url"], "https://github.com/crosswalk-dev/crosswalk/blob/main/docs/alerts.md#"+strings.ToLower(rule.Alert); got != want {
				t.Errorf("%s links to %s, want %s", rule.Alert, got, want)
			}
			if severity := rule.Labels["severity"]; severity != "critical" && severity != "warning" {
				t.Errorf("%s has the severity %q, which alerts.md does not explain", rule.Alert, severity)
			}
			if strings.Contains(rule.Annotations["description"], "within 10 minutes") != strings.Contains(rule.Expr, "[10m]") {
				t.Errorf("%s looks at another time than it tells: %s", rule.Alert, rule.Expr)
			}
			if rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" {
				t.Errorf("%s lacks a summary or a description", rule.Alert)
			}
		}
	}
	page, err := os.ReadFile("alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	for _, heading := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllSubmatch(page, -1) {
		sections = append(sections, string(heading[1]))
	}
	if !slices.Equal(sections, alerts) || len(alerts) < 20 {
		t.Errorf("alerts.md has the sections\n%q\nthere are the alerts\n%q", sections, alerts)
	}
}

// alerts.md explains the checks of readiness that there are, and names lines of the log
// that there are.
func TestAlertsNameWhatThereIs(t *testing.T) {
	checks, lines := map[string]bool{}, map[string]bool{}
	for _, source := range goSources(t, "../webhook", "../cmd", "../internal", "../certs") {
		collect(t, source, regexp.MustCompile(`(?:readiness|r)\.Add\("(\w+)",`), checks)
		collect(t, source, regexp.MustCompile(`(?:slog\.Level\w+, |\.(?:Warn|Error)\()"([^"]+)"`), lines)
	}
	page, err := os.ReadFile("alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range slices.Sorted(maps.Keys(checks)) {
		if !strings.Contains(string(page), "`"+check+"`") {
			t.Errorf("the check %s is not explained", check)
		}
	}
	if len(checks) < 4 {
		t.Errorf("found the checks %v", checks)
	}
	named := 0
	for _, quoted := range regexp.MustCompile("`((?:a|an|the|panic|refused) [a-z ]+)`").FindAllSubmatch(page, -1) {
		named++
		if !slices.ContainsFunc(slices.Collect(maps.Keys(lines)), func(line string) bool { return strings.HasPrefix(line, string(quoted[1])) }) {
			t.Errorf("nothing logs %q", quoted[1])
		}
	}
	if named < 5 {
		t.Errorf("found %d lines of the log", named)
	}
}
