package v1alpha1_test

import (
	"bytes"
	"encoding/json"
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

const everyPolicyField = `
apiVersion: crosswalk.dev/v1alpha1
metadata: {name: schedules}
spec:
  matchConstraints:
    matchPolicy: Exact
    namespaceSelector: {matchLabels: {a: b}}
    objectSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}
    resourceRules:
    - {apiGroups: [stable.example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs], resourceNames: [x], scope: Namespaced}
    excludeResourceRules:
    - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [crontabs/status]}
  matchConditions: [{name: not-system, expression: "request.userInfo.username != 'x'"}]
  variables: [{name: jobs, expression: object.spec.jobs}]
  hub: true
  lookups:
  - {name: service, apiVersion: v1, kind: Service, nameExpression: object.spec.service, namespaceExpression: "'default'", live: true}
  - {name: labelled, apiVersion: v1, kind: Pod, selector: {matchLabels: {a: b}}}
  - {name: chosen, apiVersion: v1, kind: Pod, selectorExpression: "'a=b'"}
  - {name: owned, apiVersion: v1, kind: Pod, ownerExpression: object.metadata.uid}
  paramKind: {apiVersion: v1, kind: ConfigMap}
  paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
  failurePolicy: Ignore
`

const everyPolicyStatus = `
status:
  conditions:
  - {type: Ready, status: "True", reason: Registered, message: fine, observedGeneration: 2, lastTransitionTime: "2026-01-01T00:00:00Z"}
`

var policyBodies = map[string]string{
	v1alpha1.KindValidationPolicy: `
  validations:
  - expression: size(variables.jobs) < 3
    fieldPath: .spec.jobs
    message: too many
    messageExpression: "'too many: ' + string(size(variables.jobs))"
    reason: Forbidden
  auditAnnotations: [{key: jobs, valueExpression: string(size(variables.jobs))}]
  validationActions: [Warn, Audit]
  ratcheting: false
`,
	v1alpha1.KindMutationPolicy: `
  mutations:
  - patchType: JSONPatch
    jsonPatch: {expression: "[]"}
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{}"}
  reinvocationPolicy: IfNeeded
`,
}

// The API server keeps every field of a policy, and Go reads and writes the same.
func TestPolicyCRDsPruneNothing(t *testing.T) {
	types := map[string]any{v1alpha1.KindValidationPolicy: &v1alpha1.ValidationPolicy{}, v1alpha1.KindMutationPolicy: &v1alpha1.MutationPolicy{}}
	for i, kind := range []string{v1alpha1.KindValidationPolicy, v1alpha1.KindMutationPolicy} {
		object := map[string]any{}
		if err := yaml.Unmarshal([]byte(everyPolicyField+policyBodies[kind]+everyPolicyStatus+"kind: "+kind), &object); err != nil {
			t.Fatal(err)
		}
		structural, err := structuralschema.NewStructural(readCRD(t, policyFiles()[i]).Spec.Validation.OpenAPIV3Schema)
		if err != nil {
			t.Fatal(err)
		}
		pruned := runtime.DeepCopyJSON(object)
		pruning.Prune(pruned, structural, true)
		defaulting.Default(pruned, structural)
		want, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(pruned); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: pruned to\n%s\nwant\n%s", kind, got, want)
		}
		if err := yaml.UnmarshalStrict(want, types[kind]); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		text, err := json.Marshal(types[kind])
		if err != nil {
			t.Fatal(err)
		}
		again := map[string]any{}
		if err := yaml.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		unstructuredMetadata(again)
		if got, err := json.Marshal(again); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: Go wrote\n%s\nwant\n%s", kind, got, want)
		}
	}
}

// unstructuredMetadata drops what Go writes of metadata without being asked.
func unstructuredMetadata(object map[string]any) {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
	}
}
