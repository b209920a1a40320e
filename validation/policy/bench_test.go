package policy

import (
	"encoding/json"
	"fmt"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// tenRules are about one object of 10 kB: single fields, lists, maps, a pattern,
// and the old object.
const tenRules = `
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: [crontabs]}]}
validations:
- {expression: object.spec.replicas >= 1 && object.spec.replicas <= 10, message: must be from 1 to 10}
- {expression: "object.spec.schedule.matches('^[0-9*/, -]+$')", message: must be a schedule}
- {expression: "object.spec.host != 'localhost' || object.spec.port != 80", message: must be elsewhere}
- {expression: size(object.spec.jobs) <= 100, message: too many jobs}
- {expression: "object.spec.jobs.all(j, j.name != '')", message: jobs need a name}
- {expression: "object.spec.jobs.exists(j, j.name == 'job-0')", message: needs the first job}
- {expression: "'team' in object.metadata.labels", message: needs a team}
- {expression: "has(object.spec.timeout) ? object.spec.timeout > 0 : true", message: must be positive}
- {expression: "!has(object.spec.suspend) || request.userInfo.username != 'nobody'", message: nobody may suspend}
- {expression: oldObject == null || object.spec.host == oldObject.spec.host, message: is immutable}
`

// tenKilobytes is an object as the API server sends it, managedFields and all.
func tenKilobytes(t testing.TB) []byte {
	t.Helper()
	fields := map[string]any{}
	for i := range 60 {
		fields[fmt.Sprintf("f:field%d", i)] = map[string]any{".": map[string]any{}, "f:name": map[string]any{}}
	}
	var jobs []any
	for i := range 55 {
		jobs = append(jobs, map[string]any{"name": fmt.Sprintf("job-%d", i), "cmd": []any{"/bin/run", "--verbose", fmt.Sprintf("--number=%d", i)}, "image": "registry.example.com/team/image:v1", "retries": 3})
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab",
		"metadata": map[string]any{
			"name": "nightly", "namespace": "default", "uid": "0d2c3b0e-30fd-4a5c-9c2e-7fb8e52d0000", "labels": map[string]any{"team": "a", "tier": "web"},
			"managedFields": []any{map[string]any{"manager": "kubectl", "operation": "Apply", "fieldsV1": map[string]any{"f:spec": fields}}},
		},
		"spec": map[string]any{"replicas": 3, "schedule": "*/5 * * * *", "host": "example.com", "port": 8080, "timeout": 30, "jobs": jobs},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func benchRequest(t testing.TB) *admissionv1.AdmissionRequest {
	r := request(t, admissionv1.Update, "", "")
	r.Object.Raw, r.OldObject.Raw = tenKilobytes(t), tenKilobytes(t)
	return r
}

func BenchmarkTenRules(b *testing.B) {
	p := compiled(b, tenRules)
	reviewer := Validations(Cluster{}, p)
	update := benchRequest(b)
	create := benchRequest(b)
	create.Operation, create.OldObject.Raw = admissionv1.Create, nil
	counted := compiled(b, tenRules)
	counted.freeUpTo = 0
	for _, bench := range []struct {
		name     string
		reviewer validation.Reviewer
		request  *admissionv1.AdmissionRequest
	}{
		{"create", reviewer, create}, {"update", reviewer, update}, {"create, counted", Validations(Cluster{}, counted), create},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(create.Object.Raw)))
			b.ReportAllocs()
			for b.Loop() {
				verdict, err := bench.reviewer.Review(b.Context(), bench.request)
				if err != nil || !verdict.Allowed() {
					b.Fatal(causes(verdict), err)
				}
			}
		})
	}
}

// BenchmarkTenRulesInTree is apiserver's own evaluator. It gets objects that have
// been decoded, as in the API server, or decodes them, as a webhook must.
func BenchmarkTenRulesInTree(b *testing.B) {
	policy := &admissionregistrationv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	if err := yaml.Unmarshal([]byte(tenRules), &policy.Spec); err != nil {
		b.Fatal(err)
	}
	validator, err := oracleValidator(policy)
	if err != nil {
		b.Fatal(err)
	}
	r := benchRequest(b)
	decode := func() *admission.VersionedAttributes {
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(r.Object.Raw); err != nil {
			b.Fatal(err)
		}
		attributes := admission.NewAttributesRecord(object, nil, schema.GroupVersionKind(r.Kind), r.Namespace, r.Name, schema.GroupVersionResource(r.Resource), "",
			admission.Create, nil, false, &user.DefaultInfo{Name: "ann"})
		return &admission.VersionedAttributes{Attributes: attributes, VersionedObject: runtime.Object(object), VersionedKind: schema.GroupVersionKind(r.Kind)}
	}
	run := func(attributes *admission.VersionedAttributes) {
		result := validator.Validate(b.Context(), attributes.GetResource(), attributes, nil, nil, celconfig.RuntimeCELCostBudget, nil)
		for _, d := range result.Decisions {
			if d.Action != "admit" {
				b.Fatal(d)
			}
		}
	}
	b.Run("decoded", func(b *testing.B) {
		attributes := decode()
		b.ReportAllocs()
		for b.Loop() {
			run(attributes)
		}
	})
	b.Run("from bytes", func(b *testing.B) {
		b.SetBytes(int64(len(r.Object.Raw)))
		b.ReportAllocs()
		for b.Loop() {
			run(decode())
		}
	})
}
