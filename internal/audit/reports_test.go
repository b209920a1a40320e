package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func crontabs() *Resource {
	return &Resource{
		Name: "crontabs.example.com", Kind: "CronTab", Policies: []string{"tags"}, Versions: []string{"v1", "v1beta1"}, Objects: 3, WithFindings: 2,
		Findings: []Finding{
			{Namespace: "a", Name: "x", UID: "1", APIVersion: "example.com/v1", Result: Warn, Policy: "tags", Actions: []string{"Audit", "Warn"}, Field: "spec.image", Message: "name a tag"},
			{Namespace: "b", Name: "y", UID: "2", APIVersion: "example.com/v1", Result: Fail, Version: "v1beta1", Message: "it cannot be shown\nin v1beta1"},
		},
		tallies: map[string]*tally{"a": {pass: 3, warn: 1}, "b": {pass: 1, fail: 1}},
	}
}

func TestText(t *testing.T) {
	r := &Report{
		Resources:  []*Resource{crontabs(), {Name: "pods", Policies: []string{"tags"}}, {Name: "services"}, {Name: "secrets", Incomplete: true}},
		NotAudited: []Omission{{"validationpolicy \"z\"", "it does not compile:\n  a", true}},
	}
	var got strings.Builder
	for _, f := range r.Resources[0].Findings {
		got.WriteString(f.Text(r.Resources[0].Name) + "\n")
	}
	got.WriteString(r.Summary())
	const want = `warn: crontabs.example.com a/x: spec.image: name a tag
fail: crontabs.example.com b/y: it cannot be shown in v1beta1
crontabs.example.com: 3 objects, 2 with findings; policies: tags; versions: v1, v1beta1
no objects: pods, services
not audited: validationpolicy "z": it does not compile: a
`
	if got.String() != want {
		t.Errorf("\n%swant\n%s", got.String(), want)
	}
}

func TestState(t *testing.T) {
	tests := map[string]struct {
		report Report
		want   State
	}{
		"nothing":                 {Report{}, Clean},
		"something":               {Report{Resources: []*Resource{crontabs()}, NotAudited: []Omission{{Failed: true}}}, Found},
		"nothing to audit":        {Report{NotAudited: []Omission{{}}}, Clean},
		"it could not be audited": {Report{Resources: []*Resource{{Objects: 2}}, NotAudited: []Omission{{}, {Failed: true}}}, Unsure},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.report.State(); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

func TestReports(t *testing.T) {
	nodes := &Resource{Name: "nodes", Kind: "Node", tallies: map[string]*tally{"": {pass: 2}}}
	many := &Resource{Name: "pods", Kind: "Pod", tallies: map[string]*tally{"a": {fail: mostResults + 1}}}
	for i := range mostResults + 1 {
		many.Findings = append(many.Findings, Finding{Namespace: "a", Name: fmt.Sprint(i), Result: Fail, Policy: "tags", Message: "no"})
	}
	incomplete := &Resource{Name: "secrets", Incomplete: true, tallies: map[string]*tally{"a": {pass: 1}}}
	reports := (&Report{Resources: []*Resource{crontabs(), nodes, many, incomplete}}).OpenReports(time.Unix(1000, 0))
	var got strings.Builder
	for _, r := range reports {
		fmt.Fprintf(&got, "%s %q %s %v %d\n", r.Kind, r.Namespace, r.Name, r.Summary, len(r.Results))
	}
	// The summary is: pass, fail, warn, error, skip.
	const want = `Report "a" crosswalk-crontabs.example.com {3 0 1 0 0} 1
Report "b" crosswalk-crontabs.example.com {1 1 0 0 0} 1
ClusterReport "" crosswalk-nodes {2 0 0 0 0} 0
Report "a" crosswalk-pods {0 501 0 0 0} 500
Report "a" crosswalk-pods-2 {0 0 0 0 0} 1
`
	if got.String() != want {
		t.Errorf("\n%swant\n%s", got.String(), want)
	}
	second := reports[1].Results[0]
	if second.Policy != "served-versions" || second.Result != "fail" || second.Timestamp.Seconds != 1000 || second.Properties["version"] != "v1beta1" {
		t.Errorf("the result about a version is %+v", second)
	}
	if s := second.Subjects[0]; s.Kind != "CronTab" || s.APIVersion != "example.com/v1" || s.Namespace != "b" || s.Name != "y" || s.UID != "2" {
		t.Errorf("its subject is %+v", s)
	}
}
