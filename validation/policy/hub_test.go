package policy

import (
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// crontabs is the table of examples/crontab: its hub is v1, and v1beta1 has
// hostPort for host and port.
type crontabs struct{ *conversion.Converter }

func (c crontabs) Table(group, kind string) (Table, bool) {
	return c.Converter, group == c.Group() && kind == c.Kind()
}

func exampleCRD(t testing.TB) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	readExample(t, "crd.yaml", crd)
	return crd
}

func exampleTables(t testing.TB) crontabs {
	t.Helper()
	table := new(v1alpha1.Crosswalk)
	readExample(t, "crosswalk.yaml", table)
	converter, err := conversion.Compile(exampleCRD(t), table)
	if err != nil {
		t.Fatal(err)
	}
	return crontabs{converter}
}

func readExample(t testing.TB, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../examples/crontab/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		t.Fatal(err)
	}
}

// inVersion makes a request one for another version.
func inVersion(r *admissionv1.AdmissionRequest, version string) *admissionv1.AdmissionRequest {
	r.Kind.Version, r.Resource.Version = version, version
	r.RequestKind, r.RequestResource = &r.Kind, &r.Resource
	return r
}

const hubRules = `
hub: true
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: ['*'], resources: [crontabs, crontabs/status, crontabs/scale]}]}
validations:
- {expression: "request.?subResource.orValue('') == 'scale' || object.spec.host != 'localhost'", fieldPath: .spec.host, message: must not be localhost}
- {expression: "request.?subResource.orValue('') == 'scale' || object.spec.replicas <= 3", fieldPath: .spec.replicas, message: must be at most 3}
- {expression: "object.spec.?timeZone.hasValue()", fieldPath: .spec.timeZone, message: must be set}
`

// A rule is written once, and told in the version that the user wrote.
func TestRulesForTheHub(t *testing.T) {
	p := compiled(t, strings.ReplaceAll(hubRules, "request.?subResource.orValue('') == 'scale' || ", ""))
	cluster := Cluster{Tables: exampleTables(t)}
	for version, test := range map[string]struct{ object, want string }{
		"v1beta1": {
			"{cronSpec: '* * * * *', image: x, replicas: 5, hostPort: 'localhost:80'}",
			`spec.hostPort: Invalid value: "localhost:80": must not be localhost (validationpolicy "schedules")
spec.replicas: Invalid value: 5: must be at most 3 (validationpolicy "schedules")
spec.timeZone: Required value: must be set (a field of v1 that v1beta1 does not have; validationpolicy "schedules")`,
		},
		"v1": {
			"{cronSpec: '* * * * *', image: x, replicas: 5, host: localhost, port: 80}",
			`spec.host: Invalid value: "localhost": must not be localhost (validationpolicy "schedules")
spec.replicas: Invalid value: 5: must be at most 3 (validationpolicy "schedules")
spec.timeZone: Required value: must be set (validationpolicy "schedules")`,
		},
	} {
		r := inVersion(create(t, "{apiVersion: stable.example.com/"+version+", kind: CronTab, metadata: {name: nightly}, spec: "+test.object+"}"), version)
		if got := told(review(t, Validations(cluster, p), r)); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", version, got, test.want)
		}
		if r.Kind.Version != version {
			t.Error("the request has changed")
		}
	}
}

func TestRulesForTheHubFail(t *testing.T) {
	p := compiled(t, hubRules)
	object := "{apiVersion: stable.example.com/v1beta1, kind: CronTab, spec: {hostPort: 'localhost:80', replicas: 1}}"
	for name, test := range map[string]struct {
		cluster Cluster
		change  func(*admissionv1.AdmissionRequest)
		want    string
	}{
		"no tables": {Cluster{}, func(*admissionv1.AdmissionRequest) {}, `validationpolicy "schedules" cannot be evaluated: no conversion tables are known here`},
		"no table": {
			Cluster{Tables: exampleTables(t)}, func(r *admissionv1.AdmissionRequest) { r.Kind.Kind = "Other" },
			`validationpolicy "schedules" cannot be evaluated: it is written for the hub version, and there is no Crosswalk for Other.stable.example.com`,
		},
		"no object": {
			Cluster{Tables: exampleTables(t)}, func(r *admissionv1.AdmissionRequest) { r.Object.Raw = []byte(`{"kind":1}`) },
			`validationpolicy "schedules" cannot be evaluated: the object cannot be converted to v1: `,
		},
		"other resources": {Cluster{}, func(r *admissionv1.AdmissionRequest) { r.Resource.Resource = "others" }, ""},
		"a scale": {
			Cluster{Tables: exampleTables(t)}, func(r *admissionv1.AdmissionRequest) {
				r.SubResource, r.Kind = "scale", metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
				r.Object.Raw = []byte(`{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{"replicas":9}}`)
			},
			`spec.timeZone: Required value: must be set`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := inVersion(create(t, object), "v1beta1")
			test.change(r)
			if got := causes(review(t, Validations(test.cluster, p), r)); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// Rules that name another version than the hub are about every version, too, and so
// is what they leave out.
func TestRulesForTheHubNameAnyVersion(t *testing.T) {
	cluster := Cluster{Tables: exampleTables(t)}
	out := ", excludeResourceRules: [{apiGroups: ['*'], apiVersions: [v1beta1], operations: [UPDATE], resources: ['*']}]}\n"
	p := compiled(t, strings.Replace(strings.Replace(hubRules, "apiVersions: [v1]", "apiVersions: [v1beta1]", 1), "}]}\n", "}]"+out, 1))
	for _, version := range []string{"v1", "v1beta1"} {
		object := "{apiVersion: stable.example.com/" + version + ", kind: CronTab, spec: {host: localhost, hostPort: 'localhost:80', replicas: 1}}"
		if got := causes(review(t, Validations(cluster, p), inVersion(create(t, object), version))); !strings.Contains(got, "must not be localhost") {
			t.Errorf("%s: %q", version, got)
		}
		if got := causes(review(t, Validations(cluster, p), inVersion(request(t, admissionv1.Update, object, "{kind: CronTab}"), version))); got != "" {
			t.Errorf("%s is left out: %q", version, got)
		}
	}
}

// An update is judged for what it changes, whatever the version.
func TestRatchetingInTheHub(t *testing.T) {
	p := compiled(t, hubRules)
	cluster := Cluster{Tables: exampleTables(t)}
	object := func(hostPort, label string) string {
		return "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {labels: {a: " + label + "}}, spec: {hostPort: '" + hostPort + "', replicas: 1}}"
	}
	old := object("localhost:80", "x")
	if got := causes(review(t, Validations(cluster, p), inVersion(request(t, admissionv1.Update, object("localhost:80", "y"), old), "v1beta1"))); got != "" {
		t.Error(got)
	}
	got := causes(review(t, Validations(cluster, p), inVersion(request(t, admissionv1.Update, object("localhost:81", "y"), old), "v1beta1")))
	// The host is the same, and so it is not judged.
	if got != "" {
		t.Error(got)
	}
	got = causes(review(t, Validations(cluster, p), inVersion(request(t, admissionv1.Update, old, object("other:80", "y")), "v1beta1")))
	if got != `spec.hostPort: Invalid value: "localhost:80": must not be localhost` {
		t.Error(got)
	}
}

// A change is made in the hub version and comes back in the user's.
func TestMutationsForTheHub(t *testing.T) {
	types, err := TypesOf(exampleCRD(t))
	if err != nil {
		t.Fatal(err)
	}
	cluster := Cluster{Tables: exampleTables(t), Types: types}
	compile := func(spec string) *Policy {
		p, problems := CompileMutation(mutationPolicy(t, spec))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := compile(`
hub: true
mutations:
- {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{host: 'example.com', port: '8080'}}"}}
- {patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/port', value: string(int(object.spec.port) + 1)}]"}}
`)
	second := compile(`
matchConditions: [{name: a, expression: has(object.spec.hostPort)}]
mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/image', value: object.spec.hostPort}]"}}]
`)
	third := compile(`
hub: true
mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/spec/replicas', value: int(object.spec.port) % 7}]"}}]
`)
	r := inVersion(create(t, "{apiVersion: stable.example.com/v1beta1, kind: CronTab, metadata: {name: nightly}, spec: {cronSpec: '* * * * *', image: x, shell: sh}}"), "v1beta1")
	verdict := review(t, Mutations(cluster, first, second, third), r)
	var got struct{ Spec map[string]any }
	if err := yaml.Unmarshal(verdict.Object, &got); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(got.Spec)
	if err != nil {
		t.Fatal(err)
	}
	want := "cronSpec: '* * * * *'\nhostPort: example.com:8081\nimage: example.com:8081\nreplicas: 3\nshell: sh\n"
	if string(text) != want || !strings.Contains(string(verdict.Object), `"stable.example.com/v1beta1"`) {
		t.Errorf("%s\ngot\n%s\nwant\n%s", causes(verdict), verdict.Object, want)
	}
}
