package policy

import (
	"testing"
)

// All mistakes are told at once, each with its field and what stands there.
func TestEveryViolationAtOnce(t *testing.T) {
	p := compiled(t, `
validations:
- {expression: "object.spec.replicas <= 10", fieldPath: .spec.replicas, message: must be at most 10}
- {expression: "object.spec.host != 'localhost'", fieldPath: .spec.host, messageExpression: "'must not be ' + object.spec.host"}
- {expression: "has(object.spec.schedule)", fieldPath: .spec.schedule, message: say when}
- {expression: "object.spec.port != 80 || request.userInfo.username == 'root'", fieldPath: .spec.port, message: is for root, reason: Forbidden}
- {expression: "'team' in object.metadata.labels", message: has no label team}
- {expression: "object.spec.fine == true", fieldPath: .spec.fine, message: is fine}
- {expression: "size(object.spec.jobs) < 2", fieldPath: .spec.jobs}
`)
	verdict := review(t, Validations(Cluster{}, p), create(t, `
metadata: {labels: {}}
spec: {replicas: 20, host: localhost, port: 80, fine: true, jobs: [1, 2]}
`))
	want := `spec.replicas: Invalid value: 20: must be at most 10
spec.host: Invalid value: "localhost": must not be localhost
spec.schedule: Required value: say when
spec.port: Forbidden: is for root
has no label team
spec.jobs: Invalid value: failed expression: size(object.spec.jobs) < 2`
	if got := causes(verdict); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
