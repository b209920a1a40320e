package doctor

import "slices"

// State is the result of a check.
type State string

// The states of a check, in the order of their weight.
const (
	OK         State = "ok"
	NotChecked State = "not checked"
	Faulty     State = "problem"
)

// Severity tells whether something is broken.
type Severity string

// The severities of a finding.
const (
	// Problem: requests fail, values are lost, or a status is not true, now or at the next
	// restart.
	Problem Severity = "problem"
	// Advice: something is left to do, and all works meanwhile.
	Advice Severity = "advice"
)

// Report is what a walk has found: every check, in the order of the walk.
type Report struct {
	State  State   `json:"state"`
	Checks []Check `json:"checks"`
}

// Check is one station of the walk.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	// Detail is what was looked at.
	Detail string `json:"detail,omitempty"`
	// NotChecked lists what could not be looked at, and why.
	NotChecked []string  `json:"notChecked,omitempty"`
	Findings   []Finding `json:"findings,omitempty"`
}

// Finding is something that is wrong, or left to do.
type Finding struct {
	Severity Severity `json:"severity"`
	// Objects are the objects that it is about, as "crosswalk NAME" or "pod NAMESPACE/NAME".
	Objects []string `json:"objects"`
	// Cause is what is wrong with them.
	Cause string `json:"cause"`
	// Command mends it, or shows more about the first object. It is empty if no command does.
	Command string `json:"command,omitempty"`
}

// find adds a finding. The same finding about several objects is added once.
func (c *Check) find(severity Severity, object, cause, command string) {
	for i, f := range c.Findings {
		if f.Severity == severity && f.Cause == cause {
			if !slices.Contains(f.Objects, object) {
				c.Findings[i].Objects = append(f.Objects, object)
			}
			return
		}
	}
	c.Findings = append(c.Findings, Finding{severity, []string{object}, cause, command})
}

// skip notes what could not be looked at.
func (c *Check) skip(why string) {
	if !slices.Contains(c.NotChecked, why) {
		c.NotChecked = append(c.NotChecked, why)
	}
}

func (c *Check) conclude() {
	c.State = OK
	if len(c.NotChecked) > 0 {
		c.State = NotChecked
	}
	if slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Severity == Problem }) {
		c.State = Faulty
	}
}

// add adds a check. The report has the heaviest state of its checks.
func (r *Report) add(c Check) {
	r.Checks = append(r.Checks, c)
	weights := []State{OK, NotChecked, Faulty}
	if slices.Index(weights, c.State) > slices.Index(weights, r.State) {
		r.State = c.State
	}
}
