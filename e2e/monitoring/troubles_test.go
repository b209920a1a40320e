package monitoring

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// TestTroublesAreNoticed brings about what alerts are for, in a real installation, and
// looks which expressions are true then: those of these alerts, and of no others. How long
// one has to be true is for e2e/prometheus.
func TestTroublesAreNoticed(t *testing.T) {
	programs := stage.Programs(t)
	scene := stage.StartWith(t, programs, harness.SceneOptions{
		ServeFlags: []string{"--max-object-bytes=200000"},
		Refused:    []string{"serve list default/secrets"}, // one of the troubles
	})
	stage.AggregateRoles(t, scene)
	kubectl := func(stdin string, args ...string) error {
		_, err := scene.ControlPlane.KubectlWith(stage.Within(t, time.Minute), stdin, args...)
		return err
	}
	must := func(stdin string, args ...string) {
		t.Helper()
		if err := kubectl(stdin, args...); err != nil {
			t.Fatal(err)
		}
	}
	table, err := harness.ReadTable(filepath.Join(programs.Root, "examples", "crontab"))
	if err != nil {
		t.Fatal(err)
	}
	// Strict writes deny some of what follows.
	if err := scene.Apply(t.Context(), table.WithoutAdmission()); err != nil {
		t.Fatal(err)
	}
	// A policy of which an expression fails, and one that may not read what it looks up.
	must(`
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: wrong}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], resources: [crontabs], operations: [CREATE]}]
  failurePolicy: Ignore
  lookups: [{name: secrets, apiVersion: v1, kind: Secret, selector: {}, live: true}]
  validations:
  - {expression: object.spec.host != '', message: name a host}
  - {expression: size(lookups.secrets) < 50, message: there are enough}
`, "apply", "-f", "-")
	must("", "wait", `--for=jsonpath={.status.conditions[?(@.type=="Ready")].reason}=MissingRights`, "--timeout=1m", "validationpolicy/wrong")
	var metrics engine
	metrics.scrape(t, scene) // what happened before is not news
	write := func(name, annotations string, addresses int) {
		t.Helper()
		var notify strings.Builder
		for i := range addresses {
			fmt.Fprintf(&notify, "%050d@example.com,", i)
		}
		must(fmt.Sprintf(`{apiVersion: stable.example.com/v1, kind: CronTab, metadata: {name: %s, annotations: {%s}}, spec: {cronSpec: "0 3 * * *", image: "backup:1.4", notify: [%s]}}`,
			name, annotations, notify.String()), "create", "-f", "-")
	}
	write("malformed", `stash.crosswalk.dev/v1beta1: "{"`, 0)
	write("rich", "", 2500)
	write("giant", "", 4000)
	for _, name := range []string{"malformed", "rich", "giant"} {
		if err := kubectl("", "get", "crontabs.v1beta1.stable.example.com", name); (err != nil) != (name == "giant") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A Crosswalk without its CRD, and an object that asks two injectors for a bundle.
	must(`{apiVersion: crosswalk.dev/v1alpha1, kind: Crosswalk, metadata: {name: widgets.example.com}, spec: {hub: v1, versions: [{name: v1beta1, rows: []}]}}`, "apply", "-f", "-")
	must(`
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1.widgets.example.com
  annotations: {crosswalk.dev/inject-ca: "true", cert-manager.io/inject-ca-from: a/b}
spec: {group: widgets.example.com, version: v1, groupPriorityMinimum: 1000, versionPriority: 1, service: {name: a, namespace: b}}
`, "apply", "-f", "-")
	must("", "wait", "--for=condition=Ready=False", "--timeout=1m", "crosswalk/widgets.example.com")
	metrics.scrape(t, scene)

	expressions := alertExpressions(t)
	names := slices.Sorted(maps.Keys(expressions))
	var queries []string
	for _, name := range names {
		queries = append(queries, expressions[name])
	}
	noticed := func() map[string]bool {
		t.Helper()
		found := map[string]bool{}
		for i, result := range metrics.evaluate(t, queries) {
			if result.Error != "" {
				t.Errorf("%s: %s", names[i], result.Error)
			}
			if len(result.Samples) > 0 {
				found[names[i]] = true
			}
		}
		return found
	}
	expect := func(want ...string) {
		t.Helper()
		if got := slices.Sorted(maps.Keys(noticed())); !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	expect("CrosswalkConversionsFail", "CrosswalkInjectionFails", "CrosswalkNotReady", "CrosswalkPolicyFails", "CrosswalkPolicyReadsFail",
		"CrosswalkStashesIgnored", "CrosswalkValuesLost")

	// The log names the object, as docs/alerts.md says.
	log, err := os.ReadFile(scene.Log("serve-0.log"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`"msg":"an object could not be converted","reason":"CronTab default/giant: [^"]*--max-object-bytes`).Match(log) {
		t.Errorf("the log does not say which object could not be converted:\n%s", log)
	}
	// Both roles stop. Prometheus takes what it scraped for gone after five minutes.
	if err := scene.StopCrosswalk(); err != nil {
		t.Fatal(err)
	}
	metrics.seconds += 360
	metrics.scrapes = append(metrics.scrapes, scrape{metrics.seconds, map[string]string{"job": "other"}, "up 1\n"})
	if got := noticed(); !got["CrosswalkServeAbsent"] || !got["CrosswalkManageAbsent"] {
		t.Errorf("of two roles that do not run: %v", got)
	}
}
