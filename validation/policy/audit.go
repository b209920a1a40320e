package policy

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

const (
	// maxAuditValue is apiserver's limit (admission/plugin/policy/validating/dispatcher.go).
	maxAuditValue = 10 * 1024
	// maxAuditKey is the longest possible name in a key of the audit log
	// (k8s.io/apimachinery/pkg/util/validation, IsQualifiedName). The API server puts the name
	// of the webhook and a slash in front, so our keys have no slash.
	maxAuditKey = 63
	// failureKey is the annotation for rules that do not hold, with the action Audit.
	// nativeFailureKey is apiserver's.
	failureKey       = "validation_failure"
	nativeFailureKey = "validation.policy.admission.k8s.io/validation_failure"
)

// auditKey returns the key of an annotation of the policy.
func (p *Policy) auditKey(key string) string {
	if p.native {
		return p.name + "/" + key
	}
	return auditKey(p.name, key)
}

// auditKey makes a key of a policy's name and one of its keys. If both together are too long, a
// hash replaces the policy's name.
func auditKey(policy, key string) string {
	if full := policy + "." + key; len(full) <= maxAuditKey {
		return full
	}
	hash := fnv.New32a()
	hash.Write([]byte(policy))
	short := fmt.Sprintf("%08x.", hash.Sum32())
	return short + key[:min(len(key), maxAuditKey-len(short))]
}

// annotations collects the annotations of all bindings. Different values are joined, as in
// apiserver.
type annotations struct {
	values map[string][]string
}

func (a *annotations) add(key, value string) {
	if a.values == nil {
		a.values = map[string][]string{}
	}
	if len(value) > maxAuditValue {
		value = value[:maxAuditValue]
	}
	if !slices.Contains(a.values[key], value) {
		a.values[key] = append(a.values[key], value)
	}
}

func (a *annotations) put(verdict *validation.Verdict) {
	for key, values := range a.values {
		annotate(verdict, key, strings.Join(values, ", "))
	}
}

func annotate(verdict *validation.Verdict, key, value string) {
	if verdict.AuditAnnotations == nil {
		verdict.AuditAnnotations = map[string]string{}
	}
	verdict.AuditAnnotations[key] = value
}

// notedFailure is the entry of the audit log for a rule that does not hold. The members are
// those of apiserver's ValidationFailureValue.
type notedFailure struct {
	Message           string                                     `json:"message"`
	Policy            string                                     `json:"policy"`
	Binding           string                                     `json:"binding"`
	ExpressionIndex   int                                        `json:"expressionIndex"`
	ValidationActions []admissionregistrationv1.ValidationAction `json:"validationActions"`
}

// noteFailures adds all failures of our policies. Of Kubernetes' own policies it adds the
// first, because apiserver writes each under the same key, which cannot be overwritten.
func noteFailures(verdict *validation.Verdict, key string, noted []notedFailure) {
	if len(noted) == 0 {
		return
	}
	if key == nativeFailureKey {
		noted = noted[:1]
	}
	text, err := json.Marshal(noted)
	if err != nil {
		return // strings can always be marshalled
	}
	annotate(verdict, key, string(text))
}
