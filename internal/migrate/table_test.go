package migrate

import (
	"net/http"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// rows tie v1alpha1 to v1. Two fields have each other's names in v1.
const rows = `
apiVersion: crosswalk.dev/v1alpha1
kind: Crosswalk
metadata: {name: crontabs.stable.example.com}
spec:
  hub: v1
  versions:
  - name: v1alpha1
    rows:
    - {spoke: .spec.hostPort, hub: {host: .spec.host, port: .spec.port}, template: "{host}:{port}"}
    - {spoke: .spec.first, hub: .spec.second}
    - {spoke: .spec.second, hub: .spec.first}
    - {spoke: .spec.jobs, hub: .spec.tasks, each: {key: name, unique: true, rows: [{spoke: .cmd, hub: .command}]}}
  - {name: v1beta1, rows: []}
`

const alpha = `
type: object
properties:
  spec:
    type: object
    properties:
      cronSpec: {type: string}
      hostPort: {type: string}
      shell: {type: string}
      first: {type: string}
      second: {type: string}
      jobs: {type: array, items: {type: object, properties: {name: {type: string}, cmd: {type: string}}}}
`

const current = `
type: object
properties:
  spec:
    type: object
    properties:
      cronSpec: {type: string}
      host: {type: string}
      port: {type: string}
      first: {type: string}
      second: {type: string}
      tasks: {type: array, items: {type: object, properties: {name: {type: string}, command: {type: string}}}}
`

// tied is owned with schemas and a table.
func tied(t *testing.T) *fakeAPI {
	t.Helper()
	f := owned(t)
	for i := range f.crd.Spec.Versions {
		v := &f.crd.Spec.Versions[i]
		text := current
		if v.Name == "v1alpha1" {
			text = alpha
		}
		v.Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: new(apiextensionsv1.JSONSchemaProps)}
		if err := yaml.Unmarshal([]byte(text), v.Schema.OpenAPIV3Schema); err != nil {
			t.Fatal(err)
		}
	}
	table, err := yaml.YAMLToJSON([]byte(rows))
	if err != nil {
		t.Fatal(err)
	}
	f.table = string(table)
	first := f.objects["default/job-001"]
	first.spec = `{"cronSpec": "* * * * *", "host": "localhost", "port": "80", "first": "1", "second": "2", "tasks": [{"name": "a", "command": "b"}]}`
	first.owners = []metav1.ManagedFieldsEntry{
		entry("ops", "Apply", "v1alpha1", `{"f:spec":{".":{},"f:cronSpec":{},"f:hostPort":{},"f:first":{},"f:shell":{},"f:jobs":{"k:{\"name\":\"a\"}":{".":{},"f:cmd":{}}}}}`),
	}
	return f
}

func TestOwnersByTable(t *testing.T) {
	const (
		byTable = `ops Apply stable.example.com/v1 {"f:spec":{".":{},"f:cronSpec":{},"f:host":{},"f:port":{},"f:second":{},"f:tasks":{"k:{\"name\":\"a\"}":{}}}}`
		byPath  = `ops Apply stable.example.com/v1 {"f:spec":{".":{},"f:cronSpec":{},"f:first":{}}}`
	)
	refuse := func(answer reply) func(f *fakeAPI) {
		return func(f *fakeAPI) {
			f.before = func(r *http.Request) *reply {
				if strings.HasPrefix(r.URL.Path, "/apis/crosswalk.dev/") {
					return &answer
				}
				return nil
			}
		}
	}
	tests := map[string]struct {
		change func(f *fakeAPI)
		want   string
	}{
		"a table":                   {func(*fakeAPI) {}, byTable},
		"none":                      {func(f *fakeAPI) { f.table = "" }, byPath},
		"one that may not be read":  {refuse(reply{code: 403, reason: metav1.StatusReasonForbidden, message: "crosswalks is forbidden"}), byPath},
		"one that does not compile": {func(f *fakeAPI) { f.table = strings.Replace(f.table, ".spec.hostPort", ".spec.hostPorts", 1) }, byPath},
		"one without the version": {func(f *fakeAPI) {
			f.table = `{"metadata":{"name":"crontabs.stable.example.com"},"spec":{"hub":"v1","versions":[{"name":"v1alpha1","retired":"old"}]}}`
		}, byPath},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				f := tied(t)
				test.change(f)
				if got := migrateWith(t.Context(), t, f, nil); got.failure != nil {
					t.Fatal(got.failure)
				}
				if got := show(t, f.objects["default/job-001"].owners); got != test.want {
					t.Errorf("owners are\n%s\nwant\n%s", got, test.want)
				}
			})
		})
	}
	t.Run("an API server that fails", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := tied(t)
			refuse(reply{code: 500, message: "etcdserver: no leader"})(f)
			migrateWith(t.Context(), t, f, nil).want(t, "", "crontabs.stable.example.com: reading the Crosswalk: etcdserver: no leader")
			if got := f.requests("wrote"); len(got) != 0 {
				t.Errorf("wrote %q", got)
			}
		})
	})
	t.Run("no version that can be outdated", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			f := tied(t)
			f.crd.Spec.Versions[2].Served = true
			if got := migrateWith(t.Context(), t, f, nil); got.failure != nil || len(f.requests("crosswalk.dev/v1alpha1/crosswalks")) != 0 {
				t.Errorf("got %+v, and asked for %q", got, f.requests("crosswalk.dev"))
			}
		})
	})
}
