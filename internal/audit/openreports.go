package audit

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The types of openreports.io/v1alpha1, with the fields that Crosswalk fills in. The published Go
// types are in a module without a licence text, which a release cannot include; the end-to-end
// test stores reports in the published CustomResourceDefinitions. See
// https://github.com/openreports/reports-api.

// OpenReport is a Report or, for resources without a namespace, a ClusterReport.
type OpenReport struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Source        string              `json:"source"`
	Configuration reportConfiguration `json:"configuration"`
	Summary       reportSummary       `json:"summary"`
	Results       []reportResult      `json:"results,omitempty"`
}

type reportConfiguration struct {
	Limits reportLimits `json:"limits"`
}

type reportLimits struct {
	MaxResults   int      `json:"maxResults"`
	StatusFilter []Result `json:"statusFilter"` // the results that a report has
}

type reportSummary struct {
	Pass  int `json:"pass"`
	Fail  int `json:"fail"`
	Warn  int `json:"warn"`
	Error int `json:"error"`
	Skip  int `json:"skip"`
}

type reportResult struct {
	Source      string                   `json:"source"`
	Policy      string                   `json:"policy"`
	Category    string                   `json:"category"`
	Timestamp   metav1.Timestamp         `json:"timestamp"`
	Result      Result                   `json:"result"`
	Scored      bool                     `json:"scored"`
	Subjects    []corev1.ObjectReference `json:"resources"`
	Description string                   `json:"message"`
	Properties  map[string]string        `json:"properties,omitempty"`
}
