package audit

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// Report is the result of an audit.
type Report struct {
	// Resources are the audited resources, in the order of their names.
	Resources []*Resource `json:"resources"`
	// NotAudited is what was not audited.
	NotAudited []Omission `json:"notAudited,omitempty"`
}

// Resource is the result for the objects of one resource.
type Resource struct {
	// Name is the resource with its group, as crontabs.stable.example.com or pods.
	Name string `json:"resource"`
	Kind string `json:"kind"`
	// Policies are the policies that were evaluated, sorted.
	Policies []string `json:"policies,omitempty"`
	// Versions are the served versions in which every object was shown, if the kind has a
	// Crosswalk.
	Versions []string `json:"versions,omitempty"`
	// Objects is how many objects were audited, without those that are being deleted.
	Objects int64 `json:"objects"`
	// Incomplete reports that not all objects could be audited: NotAudited explains why.
	Incomplete bool `json:"incomplete,omitempty"`
	// WithFindings is about how many of them there are findings.
	WithFindings int64     `json:"withFindings"`
	Findings     []Finding `json:"findings,omitempty"`

	// tallies count the results, by namespace.
	tallies map[string]*tally
}

// tally counts results, one for each object and check.
type tally struct{ pass, fail, warn, failed int }

// Result tells how bad a finding is.
type Result string

// The results of a finding.
const (
	// Fail: a write of the object would be denied, or the object cannot be shown in a version.
	Fail Result = "fail"
	// Warn: a write of the object would be accepted.
	Warn Result = "warn"
	// Error: a policy could not be evaluated.
	Error Result = "error"
)

// Finding is something that is wrong with an object.
type Finding struct {
	Namespace string    `json:"namespace,omitempty"`
	Name      string    `json:"name"`
	UID       types.UID `json:"uid"`
	// APIVersion is the version in which the object was read.
	APIVersion string `json:"apiVersion"`
	Result     Result `json:"result"`
	// Policy is the name of a ValidationPolicy. It is empty if the finding is about versions.
	Policy string `json:"policy,omitempty"`
	// Actions are the validationActions of the policy.
	Actions []string `json:"actions,omitempty"`
	// Version is a served version in which the object cannot be shown, if it is known which.
	Version string `json:"version,omitempty"`
	// Field is the place in the object, such as spec.jobs[0].name. It is empty for the whole
	// object.
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

// Omission is something that was not audited.
type Omission struct {
	// Object is what was not audited: a policy, a Crosswalk or a resource.
	Object string `json:"object"`
	Reason string `json:"reason"`
	// Failed reports that it could not be audited. Otherwise there was nothing to audit.
	Failed bool `json:"failed,omitempty"`
}

// key returns the name of the object, with its namespace.
func (f Finding) key() string {
	if f.Namespace == "" {
		return f.Name
	}
	return f.Namespace + "/" + f.Name
}

// Text returns the finding in one line.
func (f Finding) Text(resource string) string {
	text := string(f.Result) + ": " + resource + " " + f.key() + ": "
	if f.Field != "" {
		text += f.Field + ": "
	}
	return text + strings.Join(strings.Fields(f.Message), " ")
}

// Text returns the omission in one line.
func (o Omission) Text() string {
	return "not audited: " + o.Object + ": " + strings.Join(strings.Fields(o.Reason), " ")
}

// Summary returns the end of a report as text: a line for each resource, and one for everything
// that was not audited.
func (r *Report) Summary() string {
	var text strings.Builder
	var empty []string
	for _, of := range r.Resources {
		if of.Incomplete && of.Objects == 0 {
			continue
		}
		if of.Objects == 0 {
			empty = append(empty, of.Name)
			continue
		}
		fmt.Fprintf(&text, "%s: %s, %d with findings; %s\n", of.Name, bulk.Objects(of.Objects), of.WithFindings, of.audited())
	}
	if len(empty) > 0 {
		fmt.Fprintf(&text, "no objects: %s\n", strings.Join(empty, ", "))
	}
	if len(r.Resources) == 0 {
		text.WriteString("there is nothing to audit\n")
	}
	for _, o := range r.NotAudited {
		text.WriteString(o.Text() + "\n")
	}
	return text.String()
}

// audited tells what was audited.
func (r *Resource) audited() string {
	var parts []string
	if len(r.Policies) > 0 {
		parts = append(parts, "policies: "+strings.Join(r.Policies, ", "))
	}
	if len(r.Versions) > 0 {
		parts = append(parts, "versions: "+strings.Join(r.Versions, ", "))
	}
	return strings.Join(parts, "; ")
}

// State returns what is to be done about a report.
func (r *Report) State() State {
	if slices.ContainsFunc(r.Resources, func(of *Resource) bool { return of.WithFindings > 0 }) {
		return Found
	}
	if slices.ContainsFunc(r.NotAudited, func(o Omission) bool { return o.Failed }) {
		return Unsure
	}
	return Clean
}

// State is the result of an audit.
type State int

// The states of an audit.
const (
	Clean  State = iota // everything was audited, and nothing was found
	Unsure              // nothing was found, but not everything could be audited
	Found
)
