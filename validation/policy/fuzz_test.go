package policy

import (
	"slices"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Whatever objects are like, reviewing them gives a verdict, and the same whether
// or not costs are counted.
func FuzzReview(f *testing.F) {
	for _, seed := range []string{legacy, `{"spec":{"jobs":[{"name":"a"}],"replicas":1e3}}`, `{"metadata":{"labels":{"a":1}}}`, `[]`, `{"spec":`} {
		f.Add([]byte(seed), []byte(`{"spec":{"host":"x"}}`))
	}
	spec := `
matchConstraints:
  objectSelector: {matchExpressions: [{key: skip, operator: DoesNotExist}]}
  resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]
variables: [{name: jobs, expression: object.spec.jobs}]
validations:
- {expression: "variables.jobs.all(j, j.name != '' && j.name.size() < 10)", fieldPath: .spec.jobs}
- {expression: object.spec.replicas <= 10, fieldPath: .spec.replicas, messageExpression: "'not ' + string(object.spec.replicas)"}
- {expression: "object.metadata.labels.exists(l, object.metadata.labels[l] == 'x') || object == oldObject"}
- {expression: "object.spec.host == oldObject.spec.host"}
auditAnnotations: [{key: k, valueExpression: string(object.spec.host)}]
`
	free, counted := compiled(f, spec), compiled(f, spec)
	counted.freeUpTo = 0
	f.Fuzz(func(t *testing.T, object, old []byte) {
		r := request(t, admissionv1.Update, "", "")
		r.Object.Raw, r.OldObject.Raw = object, old
		var verdicts []*validation.Verdict
		for _, p := range []*Policy{free, counted} {
			verdict, err := Validations(Cluster{}, p).Review(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			verdicts = append(verdicts, verdict)
		}
		if !slices.Equal(verdicts[0].Causes, verdicts[1].Causes) {
			t.Fatalf("free:\n%s\ncounted:\n%s", causes(verdicts[0]), causes(verdicts[1]))
		}
	})
}
