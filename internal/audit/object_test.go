package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

const crd = `
metadata: {name: stars.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: stars, kind: Star}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {port: {type: string}}}}}}}
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {port: {type: integer}}}}}}}
`

const crosswalk = `
metadata: {name: stars.example.com}
spec:
  hub: v1
  versions:
  - {name: v1beta1, rows: [{hub: .spec.port, spoke: .spec.port, scalar: {}}]}
`

func stars(t *testing.T) *cluster.Table {
	t.Helper()
	table := &cluster.Table{CRD: new(apiextensionsv1.CustomResourceDefinition), Crosswalk: new(v1alpha1.Crosswalk)}
	for text, into := range map[string]any{crd: table.CRD, crosswalk: table.Crosswalk} {
		if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if table.Converter, err = conversion.Compile(table.CRD, table.Crosswalk); err != nil {
		t.Fatal(err)
	}
	return table
}

func policyOf(t *testing.T, spec string) *policy.Policy {
	t.Helper()
	p := new(v1alpha1.ValidationPolicy)
	p.Name = "ports"
	text := "matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}\n" + spec
	if err := yaml.UnmarshalStrict([]byte(text), &p.Spec); err != nil {
		t.Fatal(err)
	}
	compiled, problems := policy.Compile(p)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return compiled
}

func TestExamine(t *testing.T) {
	table := stars(t)
	tables := webhook.NewTables(nil)
	if err := tables.Replace([]webhook.Converter{table.Converter}); err != nil {
		t.Fatal(err)
	}
	of := &resource{group: "example.com", plural: "stars", kind: "Star", versions: []string{"v1", "v1beta1"}, table: table}
	const rule = "validations: [{expression: \"object.spec.port != '22'\", fieldPath: .spec.port, message: use another port}]\n"
	tests := map[string]struct {
		policy string // none if empty
		port   string
		writer *authenticationv1.UserInfo
		want   string
	}{
		"fine":              {rule, `"80"`, nil, "{2 0 0 0}"},
		"denied":            {rule, `"22"`, nil, `{1 1 0 0} fail ports [Deny]: spec.port: Invalid value: "22": use another port (validationpolicy "ports")`},
		"warned of":         {rule + "validationActions: [Warn, Audit]", `"22"`, nil, `{1 0 1 0} warn ports [Audit Warn]: spec.port: Invalid value: "22": use another port (validationpolicy "ports")`},
		"not evaluated":     {"failurePolicy: Ignore\nvalidations: [{expression: object.spec.none == 1}]", `"80"`, nil, `{1 0 0 1} error ports [Deny]: : validationpolicy "ports": spec.validations[0].expression "object.spec.none == 1" cannot be evaluated: no such key: none`},
		"about the writer":  {"validations: [{expression: \"request.userInfo.username == 'ann'\", message: only ann}]", `"80"`, &authenticationv1.UserInfo{Username: "ann"}, "{2 0 0 0}"},
		"by another writer": {"validations: [{expression: \"request.userInfo.username == 'ann'\", message: only ann}]", `"80"`, &authenticationv1.UserInfo{Username: "bob"}, `{1 1 0 0} fail ports [Deny]: : only ann (validationpolicy "ports")`},
		"not shown":         {"", `"http"`, nil, "{0 1 0 0} fail  []: spec.port: the value can't be represented in v1beta1 (.spec.port); use a value that can be written as an integer"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := &auditor{Options: Options{Writer: test.writer}, world: &world{strict: webhook.StrictWrites(tables), sees: policy.Cluster{Tables: tables}}}
			in := &pass{version: "v1", shows: true}
			if test.policy != "" {
				in.policies = append(in.policies, policyOf(t, test.policy))
			}
			i := new(item)
			text := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Star","metadata":{"name":"x","namespace":"a","uid":"1"},"spec":{"port":%s}}`, test.port)
			if err := json.Unmarshal([]byte(text), i); err != nil {
				t.Fatal(err)
			}
			got := a.examine(t.Context(), of, in, "v1", i)
			lines := []string{fmt.Sprint(got.tally)}
			for _, f := range got.findings {
				if f.Namespace != "a" || f.Name != "x" || f.UID != "1" || f.APIVersion != "example.com/v1" {
					t.Errorf("the object of %+v is not the one that was examined", f)
				}
				lines = append(lines, fmt.Sprintf("%s %s %v: %s: %s", f.Result, f.Policy+f.Version, f.Actions, f.Field, f.Message))
			}
			if strings.Join(lines, " ") != test.want {
				t.Errorf("%s\nwant\n%s", strings.Join(lines, " "), test.want)
			}
		})
	}
}

// Kubernetes' own kinds have no apiVersion and kind in a list.
func TestObjectOfAList(t *testing.T) {
	i := new(item)
	if err := json.Unmarshal([]byte(`{"metadata":{"name":"x","namespace":"a"},"data":{"b":"c"}}`), i); err != nil {
		t.Fatal(err)
	}
	request := new(auditor).request(&resource{plural: "configmaps", kind: "ConfigMap"}, "v1", i)
	if want := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","namespace":"a"},"data":{"b":"c"}}`; string(request.Object.Raw) != want {
		t.Errorf("%s, want %s", request.Object.Raw, want)
	}
}

// The API server sends a Namespace with its own name as its namespace.
func TestNamespaceOfANamespace(t *testing.T) {
	i := new(item)
	if err := json.Unmarshal([]byte(`{"metadata":{"name":"x"}}`), i); err != nil {
		t.Fatal(err)
	}
	if request := new(auditor).request(&resource{plural: "namespaces", kind: "Namespace"}, "v1", i); request.Namespace != "x" {
		t.Errorf("the namespace is %q", request.Namespace)
	}
}
