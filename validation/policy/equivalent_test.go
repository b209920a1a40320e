package policy

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/yaml"
)

// A policy that names one version is about all of them, whatever version the API
// server asks in.
func TestEquivalentVersions(t *testing.T) {
	about := func(versions, more string) string {
		return "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [" + versions + "], operations: ['*'], resources: [crontabs]}]" + more + "}\n"
	}
	rule := `
validations: [{expression: "object == null || object.spec.host != 'localhost'", fieldPath: .spec.host, message: must not be localhost}]
`
	const never = "validations: [{expression: 'false', message: never}]"
	const denied = `spec.hostPort: Invalid value: "localhost:80": must not be localhost`
	beta := "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: nightly}, spec: {hostPort: 'localhost:80'}}"
	for name, test := range map[string]struct {
		spec    string
		cluster Cluster
		change  func(*admissionv1.AdmissionRequest)
		want    string
	}{
		"named":                     {spec: about("v1", "") + rule, want: denied},
		"named first":               {spec: about("v1, v2", "") + rule, want: denied},
		"a version that is not":     {spec: about("v2, v1", "") + rule, want: denied},
		"no version that is":        {spec: about("v2", "") + rule},
		"its own":                   {spec: about("v1, v1beta1", "") + strings.ReplaceAll(rule, "object.spec.host ", "object.spec.hostPort.split(':')[0] "), want: "spec.host: Required value: must not be localhost"},
		"exactly another":           {spec: about("v1", ", matchPolicy: Exact") + rule},
		"without a table":           {spec: about("v1", "") + rule, cluster: Cluster{Tables: noTables{}}},
		"another resource":          {spec: about("v1", "") + rule, change: func(r *admissionv1.AdmissionRequest) { r.Resource.Resource = "others" }},
		"what is excluded":          {spec: about("v1", ", excludeResourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]") + rule},
		"what is excluded in v1":    {spec: about("'*'", ", excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v1], operations: ['*'], resources: ['*']}]") + rule},
		"exactly, and in v1":        {spec: about("v1beta1", ", matchPolicy: Exact, excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v1], operations: ['*'], resources: ['*']}]") + never, want: "never"},
		"excluded, but no version":  {spec: about("'*'", ", excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v3], operations: ['*'], resources: ['*']}]") + never, want: "never"},
		"asked in v1 for v1beta1":   {spec: about("v1", ", excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v1beta1], operations: ['*'], resources: ['*']}]") + never},
		"a condition in it":         {spec: about("v1", "") + rule + "matchConditions: [{name: a, expression: object.spec.port == '80'}]", want: denied},
		"the version that it names": {spec: about("v1", "") + "validations: [{expression: \"request.kind.version == 'v1' && request.resource.version == 'v1' && request.requestKind.version == 'v1beta1'\"}]"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := test.cluster
			if cluster.Tables == nil {
				cluster.Tables = exampleTables(t)
			}
			r := inVersion(create(t, beta), "v1beta1")
			kind, resource := r.Kind, r.Resource
			r.RequestKind, r.RequestResource = &kind, &resource
			if test.change != nil {
				test.change(r)
			}
			if got := causes(review(t, Validations(cluster, compiled(t, test.spec)), r)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// noTables knows no table.
type noTables struct{}

func (noTables) Table(string, string) (Table, bool) { return nil, false }

// A change is made in the version that the rules name, and comes back in the user's.
func TestEquivalentVersionsOfMutations(t *testing.T) {
	types, err := TypesOf(exampleCRD(t))
	if err != nil {
		t.Fatal(err)
	}
	spec := mutationPolicy(t, `
mutations:
- {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{host: 'example.com', port: '8080'}}"}}
`)
	spec.Spec.MatchConstraints.ResourceRules[0].APIVersions = []string{"v1"}
	p, problems := CompileMutation(spec)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	r := inVersion(create(t, "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: nightly}, spec: {cronSpec: '* * * * *', image: x, shell: sh}}"), "v1beta1")
	verdict := review(t, Mutations(Cluster{Tables: exampleTables(t), Types: types}, p), r)
	var got struct{ Spec map[string]any }
	if err := yaml.Unmarshal(verdict.Object, &got); err != nil {
		t.Fatal(err)
	}
	if got.Spec["hostPort"] != "example.com:8080" || got.Spec["shell"] != "sh" || got.Spec["host"] != nil {
		t.Errorf("%s\ngot %s", causes(verdict), verdict.Object)
	}
}
