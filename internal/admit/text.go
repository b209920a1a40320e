package admit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// Text describes the result for people: the verdict, what kubectl would print, which policies
// were evaluated, and the object with its changes.
func (r *Result) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.title(), r.outcome())
	b.WriteString(r.Kubectl())
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "Warning: %s\n", warning)
	}
	for _, key := range slices.Sorted(maps.Keys(r.AuditAnnotations)) {
		fmt.Fprintf(&b, "audit annotation %s: %s\n", key, r.AuditAnnotations[key])
	}
	b.WriteString(r.asked() + "\n" + r.changes())
	return b.String()
}

const noneAsked = "no policy matched"

func (r *Result) asked() string {
	if len(r.Asked) == 0 {
		return noneAsked
	}
	return "asked: " + strings.Join(r.Asked, ", ")
}

func (r *Result) title() string {
	name := r.Name
	if name == "" {
		name = "without a name"
	}
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	version := r.Kind.Version
	if r.Kind.Group != "" {
		version = r.Kind.Group + "/" + version
	}
	of := ""
	if r.SubResource != "" {
		of = " of its " + r.SubResource
	}
	return fmt.Sprintf("%s%s of %s %s (%s)", r.Operation, of, r.Kind.Kind, name, version)
}

func (r *Result) outcome() string {
	switch r.Stage {
	case Mutation:
		return "denied in mutation, before validation"
	case Schema:
		return "denied by the schema; validation policies were not evaluated"
	case Validation:
		return "denied"
	}
	return "allowed"
}

// Kubectl returns what kubectl prints for a denial (k8s.io/kubectl/pkg/cmd/util, checkErr),
// without the name of the file and of the webhook. It returns "" if the write is allowed.
func (r *Result) Kubectl() string {
	status := r.Status(&admissionv1.AdmissionRequest{Kind: r.Kind, Name: r.Name})
	switch {
	case status == nil:
		return ""
	case status.Reason == metav1.StatusReasonUnauthorized:
		return fmt.Sprintf("error: You must be logged in to the server (%s)\n", status.Message)
	case status.Reason != metav1.StatusReasonInvalid && !r.native.Empty() && r.Stage == Validation:
		return fmt.Sprintf("Error from server (%s): %s %q is forbidden: %s\n", status.Reason, r.native, r.Name, status.Message)
	case status.Reason != metav1.StatusReasonInvalid:
		return fmt.Sprintf("Error from server (%s): %s\n", status.Reason, status.Message)
	}
	var lines []string
	for _, c := range status.Details.Causes {
		if line := c.Field + ": " + c.Message; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	// The API server names the kind or, for its own policies, the resource.
	head := fmt.Sprintf("The %s %q is invalid:", cmp.Or(r.native.Resource, r.Kind.Kind), r.Name)
	if len(lines) == 1 {
		return head + " " + lines[0] + "\n"
	}
	return head + "\n* " + strings.Join(lines, "\n* ") + "\n"
}

// changes shows the object with what was added and removed.
func (r *Result) changes() string {
	if r.Object == nil {
		return ""
	}
	before, now := yamlLines(r.Sent), yamlLines(r.Object)
	if slices.Equal(before, now) {
		return ""
	}
	what := "the object"
	if r.filled {
		what = "the object with its defaults"
	}
	return what + " (- as sent, + as admitted):\n" + report.Diff(before, now)
}

// yamlLines writes an object as lines of YAML, with sorted keys.
func yamlLines(object map[string]any) []string {
	text, err := encode(object)
	if err != nil {
		return []string{err.Error()}
	}
	return report.YAML(text)
}
