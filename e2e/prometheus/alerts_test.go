package main

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"sigs.k8s.io/yaml"
)

// monitoring is the folder of what is tested.
var monitoring = filepath.Join("..", "..", "deploy", "chart", "files", "monitoring")

// shipped are the rules that Crosswalk is shipped with, as Prometheus reads them.
func shipped(t *testing.T) []rulefmt.Rule {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(monitoring, "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var object struct {
		Spec any `json:"spec"`
	}
	if err := yaml.Unmarshal(content, &object); err != nil {
		t.Fatal(err)
	}
	file, err := yaml.Marshal(object.Spec)
	if err != nil {
		t.Fatal(err)
	}
	groups, errs := rulefmt.Parse(file, false, model.LegacyValidation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var all []rulefmt.Rule
	for _, group := range groups.Groups {
		all = append(all, group.Rules...)
	}
	return all
}

const (
	interval = 30 * time.Second // between two scrapes, and between two looks at the rules
	trouble  = 30 * time.Minute // when it begins in the cases below
	scrapes  = 240
)

// scenario is a healthy cluster but for some series, whose values are in the notation of
// promtool. Of each the first 60 are healthy, and the 61st is the first in trouble.
type scenario map[string]string

// healthy are the series of an installation in which all is well.
func healthy() scenario {
	s := scenario{}
	steady := func(value string, series ...string) {
		for _, one := range series {
			s[one] = fmt.Sprintf("%sx%d", value, scrapes)
		}
	}
	for _, instance := range []string{"serve-0", "serve-1", "manage-0", "manage-1"} {
		role, _, _ := strings.Cut(instance, "-")
		on := `job="crosswalk",instance="` + instance + `"`
		steady("1", `crosswalk_build_info{`+on+`,role="`+role+`",version="v1",commit="c"}`)
		steady("0", `crosswalk_connections_shed_total{`+on+`}`)
		if role == "manage" {
			steady("1", `crosswalk_readiness{`+on+`,check="cluster"}`)
			steady("0+0.5", `controller_runtime_reconcile_errors_total{`+on+`,controller="arming"}`) // a conflict now and then
			continue
		}
		steady("1", `crosswalk_readiness{`+on+`,check="tables"}`, `crosswalk_readiness{`+on+`,check="certificate"}`)
		steady("0+100", `crosswalk_http_requests_total{`+on+`,route="/convert/{fingerprint}",code="2xx"}`,
			`crosswalk_conversion_objects_total{`+on+`,crd="crontabs",from="v1",to="v2",result="success"}`,
			`crosswalk_admission_review_duration_seconds_bucket{`+on+`,phase="validate",webhook="policies",le="0.5"}`,
			`crosswalk_admission_review_duration_seconds_bucket{`+on+`,phase="validate",webhook="policies",le="1.0"}`,
			`crosswalk_admission_review_duration_seconds_bucket{`+on+`,phase="validate",webhook="policies",le="10.0"}`,
			`crosswalk_admission_review_duration_seconds_bucket{`+on+`,phase="validate",webhook="policies",le="+Inf"}`,
			`crosswalk_admission_verdicts_total{`+on+`,phase="validate",webhook="policies",verdict="denied"}`,
			`crosswalk_policy_opinions_total{`+on+`,kind="ValidationPolicy",policy="quota",opinion="against"}`,
			`crosswalk_policy_read_duration_seconds_count{`+on+`,read="lookup",outcome="done"}`,
			`crosswalk_requests_shed_total{`+on+`,reason="slow"}`,
			`crosswalk_conversion_residuals_total{`+on+`,crd="crontabs"}`)
		steady("0", `crosswalk_http_requests_total{`+on+`,route="/convert/{fingerprint}",code="5xx"}`,
			`crosswalk_conversion_objects_total{`+on+`,crd="crontabs",from="v1",to="v2",result="failure"}`,
			`crosswalk_conversion_slow_total{`+on+`,crd="crontabs"}`,
			`crosswalk_conversion_left_out_total{`+on+`,crd="crontabs"}`,
			`crosswalk_conversion_unplaced_total{`+on+`,crd="crontabs"}`,
			`crosswalk_conversion_ignored_stashes_total{`+on+`,crd="crontabs"}`,
			`crosswalk_admission_verdicts_total{`+on+`,phase="validate",webhook="policies",verdict="error"}`,
			`crosswalk_policy_opinions_total{`+on+`,kind="ValidationPolicy",policy="quota",opinion="failed"}`,
			`crosswalk_policy_read_duration_seconds_count{`+on+`,read="lookup",outcome="late"}`,
			`crosswalk_requests_shed_total{`+on+`,reason="full"}`,
			`crosswalk_panics_total{`+on+`}`,
			`crosswalk_certificate_start_timestamp_seconds{`+on+`}`)
		steady("864000", `crosswalk_certificate_expiry_timestamp_seconds{`+on+`}`) // ten days
	}
	steady("315360000", `crosswalk_authority_expiry_timestamp_seconds{job="crosswalk",instance="manage-0"}`)
	leader, other := `job="crosswalk",instance="manage-0"`, `job="crosswalk",instance="manage-1"`
	steady("1", `crosswalk_condition{`+leader+`,kind="Crosswalk",name="crontabs",type="Ready",reason="Ready"}`,
		`crosswalk_condition{`+leader+`,kind="Crosswalk",name="crontabs",type="Guarded",reason="Guarded"}`,
		`crosswalk_condition{`+leader+`,kind="ValidationPolicy",name="quota",type="Ready",reason="Registered"}`,
		`crosswalk_injection_objects{`+leader+`,kind="APIService",state="injected"}`,
		`crosswalk_injection_bundle_usable{`+leader+`}`)
	steady("0", `crosswalk_condition{`+leader+`,kind="Crosswalk",name="stars",type="Guarded",reason="OptedOut"}`,
		`crosswalk_injection_objects{`+leader+`,kind="APIService",state="problem"}`,
		`crosswalk_injection_bundle_usable{`+other+`}`)
	// Another operator in the same cluster, which is none of ours.
	steady("0+100", `controller_runtime_reconcile_errors_total{job="other",instance="other-0",controller="widgets"}`)
	return s
}

// firing are the alerts that fire, by when they do so first: NAME{labels} and the description.
func firing(t *testing.T, s scenario) map[string]time.Duration {
	t.Helper()
	var load strings.Builder
	fmt.Fprintf(&load, "load %s\n", interval)
	for _, series := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&load, "  %s %s\n", series, s[series])
	}
	storage := promqltest.LoadedStorage(t, load.String())
	defer storage.Close()
	query := rules.EngineQueryFunc(promqltest.NewTestEngine(t, false, 5*time.Minute, 1e6), storage)
	quiet := slog.New(slog.DiscardHandler)
	first := map[string]time.Duration{}
	for _, rule := range shipped(t) {
		expr, err := parser.NewParser(parser.Options{}).ParseExpr(rule.Expr)
		if err != nil {
			t.Fatal(err)
		}
		alerting := rules.NewAlertingRule(rule.Alert, expr, time.Duration(rule.For), time.Duration(rule.KeepFiringFor),
			labels.FromMap(rule.Labels), labels.FromMap(rule.Annotations), labels.EmptyLabels(), "", true, quiet)
		for at := time.Duration(0); at < scrapes*interval; at += interval {
			if _, err := alerting.Eval(t.Context(), 0, time.Unix(0, 0).Add(at), query, nil, 0); err != nil {
				t.Fatal(err)
			}
			for _, alert := range alerting.ActiveAlerts() {
				if alert.State != rules.StateFiring {
					continue
				}
				key := rule.Alert + labels.NewBuilder(alert.Labels).Del("alertname", "severity", "job").Labels().String() +
					" " + alert.Annotations.Get("description")
				if _, seen := first[key]; !seen {
					first[key] = at
				}
			}
		}
	}
	return first
}

func TestNothingFiresWhileAllIsWell(t *testing.T) {
	if fires := firing(t, healthy()); len(fires) > 0 {
		t.Errorf("%v", fires)
	}
}

// TestAlerts has one thing go wrong at a time.
func TestAlerts(t *testing.T) {
	tested := map[string]bool{}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			before, s := healthy(), healthy()
			for series, values := range test.series {
				matching := 0
				for one := range before {
					if holds(one, series) {
						s[one] = values
						matching++
					}
				}
				if matching == 0 {
					s[series] = values // one that a healthy cluster has not
				}
			}
			got := firing(t, s)
			want := map[string]time.Duration{}
			for alert, after := range test.fires {
				want[alert] = trouble + after
			}
			if !maps.Equal(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
		for alert := range test.fires {
			name, _, _ := strings.Cut(alert, "{")
			tested[name] = true
		}
	}
	for _, rule := range shipped(t) {
		if !tested[rule.Alert] {
			t.Errorf("no case has %s fire", rule.Alert)
		}
	}
}

// holds reports whether a series has the name and all the labels of another.
func holds(series, part string) bool {
	name, rest, _ := strings.Cut(strings.TrimSuffix(part, "}"), "{")
	if !strings.HasPrefix(series, name+"{") {
		return false
	}
	for label := range strings.SplitSeq(rest, ",") {
		if !strings.Contains(series, label) {
			return false
		}
	}
	return true
}
