package policy

import (
	"fmt"
	"strings"
)

// Problem is one mistake in a policy.
type Problem struct {
	// Field is the place in the policy, such as spec.validations[0].expression.
	Field string
	// Message explains what is wrong and how to correct it. Messages of CEL have several lines
	// and point at the place in the expression.
	Message string
}

func (p Problem) String() string { return p.Field + ": " + p.Message }

// Problems are all the mistakes in a policy.
type Problems []Problem

// Error returns one problem per line. Problems of CEL have several lines.
func (p Problems) Error() string {
	var lines []string
	for _, problem := range p {
		lines = append(lines, problem.String())
	}
	return strings.Join(lines, "\n")
}

// Err returns nil if there are no problems.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

func (p *Problems) add(field, format string, args ...any) {
	*p = append(*p, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}
