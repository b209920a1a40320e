package audit

import (
	"maps"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// source identifies Crosswalk in reports.
const source = "crosswalk"

// mostResults bounds the results of one report, so that it fits into etcd: a message has at most
// some kilobytes, and usually a hundred bytes.
const mostResults = 500

// versionsPolicy is the policy of results about the versions of a kind.
const versionsPolicy = "served-versions"

// OpenReports returns the report as objects of openreports.io: for every resource one Report in
// each namespace, or one ClusterReport, with how many checks passed and a result for everything
// that did not. There are none for an incomplete resource. If there are too many results, several
// reports have them, and the first has the numbers.
func (r *Report) OpenReports(at time.Time) []OpenReport {
	var all []OpenReport
	for _, of := range r.Resources {
		if of.Incomplete {
			continue // the reports of an earlier audit are better
		}
		for _, namespace := range slices.Sorted(maps.Keys(of.tallies)) {
			all = append(all, of.openReports(namespace, at)...)
		}
	}
	return all
}

// openReports returns the reports for a resource in a namespace.
func (of *Resource) openReports(namespace string, at time.Time) []OpenReport {
	kind := "Report"
	if namespace == "" {
		kind = "ClusterReport"
	}
	var results []reportResult
	for _, f := range of.Findings {
		if f.Namespace == namespace {
			results = append(results, f.result(of, at))
		}
	}
	var all []OpenReport
	parts := slices.Collect(slices.Chunk(results, mostResults))
	if len(parts) == 0 {
		parts = append(parts, nil)
	}
	for _, part := range parts {
		name := "crosswalk-" + of.Name
		if len(all) > 0 {
			name += "-" + strconv.Itoa(len(all)+1)
		}
		all = append(all, OpenReport{
			TypeMeta:      metav1.TypeMeta{APIVersion: "openreports.io/v1alpha1", Kind: kind},
			ObjectMeta:    metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app.kubernetes.io/managed-by": source}},
			Source:        source,
			Configuration: reportConfiguration{reportLimits{mostResults, []Result{Fail, Warn, Error}}},
			Results:       part,
		})
	}
	counts := of.tallies[namespace]
	all[0].Summary = reportSummary{Pass: counts.pass, Fail: counts.fail, Warn: counts.warn, Error: counts.failed}
	return all
}

func (f Finding) result(of *Resource, at time.Time) reportResult {
	result := reportResult{
		Source: source, Policy: f.Policy, Category: "policies", Result: f.Result, Scored: true,
		Timestamp:   metav1.Timestamp{Seconds: at.Unix()},
		Subjects:    []corev1.ObjectReference{{APIVersion: f.APIVersion, Kind: of.Kind, Namespace: f.Namespace, Name: f.Name, UID: f.UID}},
		Description: f.Message,
	}
	if f.Policy == "" {
		result.Policy, result.Category = versionsPolicy, "versions"
	}
	properties := map[string]string{"field": f.Field, "version": f.Version}
	maps.DeleteFunc(properties, func(_, value string) bool { return value == "" })
	if len(properties) > 0 {
		result.Properties = properties
	}
	return result
}
