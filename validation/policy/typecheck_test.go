package policy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// doublyTypedCRD has a second version, in which a field has another name, and fields of
// every sort.
const doublyTypedCRD = `
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  names: {kind: CronTab, plural: crontabs}
  versions:
  - name: v1
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {host: {type: string}}}}}}
  - name: v2
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              hostname: {type: string}
              replicas: {type: integer}
              ratio: {type: number}
              enabled: {type: boolean}
              since: {type: string, format: date-time}
              key: {type: string, format: byte}
              port: {x-kubernetes-int-or-string: true}
              note: {type: string, nullable: true}
              labels: {type: object, additionalProperties: {type: string}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}
              jobs: {type: array, items: {type: object, properties: {name: {type: string}, times: {type: array, items: {type: integer}}}}}
              more: {type: array, items: {type: object, properties: {name: {type: string}, times: {type: array, items: {type: integer}}}}}
`

// crdSchemas are the schemas of CRDs, of which v2 is the hub.
type crdSchemas struct{ *SchemaTypes }

func (s crdSchemas) Groups(context.Context) ([]string, error) {
	var groups []string
	for kind := range s.openAPI {
		groups = append(groups, kind.Group)
	}
	return groups, nil
}

func (s crdSchemas) Versions(_ context.Context, group string) ([]string, error) {
	var versions []string
	for kind := range s.openAPI {
		if kind.Group == group {
			versions = append(versions, kind.Version)
		}
	}
	return versions, nil
}

func (s crdSchemas) Resources(_ context.Context, version schema.GroupVersion) ([]Resource, error) {
	var resources []Resource
	for kind := range s.openAPI {
		if kind.GroupVersion() == version {
			resources = append(resources, Resource{"crontabs", kind})
		}
	}
	return resources, nil
}

func (s crdSchemas) Hub(context.Context, schema.GroupResource) (string, error) { return "v2", nil }

func (s crdSchemas) Schema(_ context.Context, kind schema.GroupVersionKind) (string, map[string]*spec.Schema, error) {
	name, all := s.SchemaTypes.Schema(kind)
	return name, all, nil
}

func schemasFor(t testing.TB, text string) crdSchemas {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.UnmarshalStrict([]byte(text), crd); err != nil {
		t.Fatal(err)
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	return crdSchemas{types}
}

// misfits are the warnings about a policy, and the kinds that it was checked for.
func misfits(t testing.TB, schemas Schemas, p *Policy) (warnings, kinds string) {
	t.Helper()
	check, err := p.CheckTypes(t.Context(), schemas)
	if err != nil {
		t.Fatal(err)
	}
	return check.Warnings.Error(), check.Names()
}

// Every expression is looked at, with what the schemas of its objects say.
func TestCheckTypes(t *testing.T) {
	const rules = "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}\n"
	for name, test := range map[string]struct{ spec, want string }{
		"nothing is wrong": {"validations: [{expression: object.spec.hostname != ''}]", ""},
		"a field that is not there": {"validations: [{expression: object.spec.host != ''}]",
			"spec.validations[0].expression: undefined field 'host' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"metadata is known, as deep as it goes": {"validations: [{expression: \"object.metadata.label['a'] == 'b' || object.metadata.ownerReferences.exists(r, r.nam == 'c')\"}]", `
spec.validations[0].expression: undefined field 'label' at 1:16, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: undefined field 'nam' at 1:81, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"the old object": {"validations: [{expression: oldObject == null || oldObject.spec.host == ''}]",
			"spec.validations[0].expression: undefined field 'host' at 1:36, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"a value of another type": {"validations: [{expression: object.spec.replicas.startsWith('1')}]",
			"spec.validations[0].expression: found no matching overload for 'startsWith' applied to 'int.(string)' at 1:32, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"an element": {"validations: [{expression: 'object.spec.jobs.all(j, j.nam != \"\" && j.times.all(at, at < \"9\"))'}]", `
spec.validations[0].expression: undefined field 'nam' at 1:26, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: found no matching overload for '_<_' applied to '(int, string)' at 1:59, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"what a variable holds": {"variables: [{name: spec, expression: object.spec}, {name: jobs, expression: variables.spec.jobs}]\nvalidations: [{expression: 'variables.spec.host != \"\" && variables.jobs[0].nam != \"\"'}]", `
spec.validations[0].expression: undefined field 'host' at 1:15, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: undefined field 'nam' at 1:47, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"a variable, once": {"variables: [{name: host, expression: object.spec.host}]\nvalidations: [{expression: variables.host.a != ''}]",
			"spec.variables[0].expression: undefined field 'host' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"every other expression": {`
matchConditions: [{name: a, expression: object.spec.a == ''}]
lookups: [{name: one, apiVersion: v1, kind: ConfigMap, nameExpression: object.spec.b, namespaceExpression: object.spec.c}]
validations: [{expression: object.spec.d == '', messageExpression: string(object.spec.e)}]
auditAnnotations: [{key: a, valueExpression: string(object.spec.f)}]`, `
spec.lookups[0].nameExpression: undefined field 'b' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.lookups[0].namespaceExpression: undefined field 'c' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.matchConditions[0].expression: undefined field 'a' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: undefined field 'd' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].messageExpression: undefined field 'e' at 1:19, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.auditAnnotations[0].valueExpression: undefined field 'f' at 1:19, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"params and lookups": {`
paramKind: {apiVersion: stable.example.com/v1, kind: CronTab}
paramRef: {name: a, parameterNotFoundAction: Deny}
lookups:
- {name: one, apiVersion: stable.example.com/v2, kind: CronTab, nameExpression: params.spec.host}
- {name: all, apiVersion: stable.example.com/v2, kind: CronTab, selector: {}}
- {name: other, apiVersion: v1, kind: ConfigMap, selector: {}}
validations:
- expression: params.spec.hostname == '' || lookups.one.spec.host == '' || lookups.all.exists(o, o.spec.host == '') || lookups.other[0].data.x == ''`, `
spec.validations[0].expression: undefined field 'hostname' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: undefined field 'host' at 1:47, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.validations[0].expression: undefined field 'host' at 1:90, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"what is in dyn() is left alone": {"validations: [{expression: dyn(object).spec.host != ''}]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			warnings, kinds := misfits(t, schemasFor(t, doublyTypedCRD), compiled(t, rules+test.spec))
			if want := strings.TrimPrefix(test.want, "\n"); warnings != want {
				t.Errorf("got\n%s\nwant\n%s", warnings, want)
			}
			if kinds != "CronTab stable.example.com/v2" {
				t.Errorf("checked for %s", kinds)
			}
		})
	}
}

// What is not warned of works: types are those that values have where expressions are
// evaluated.
func TestCheckTypesKnowsWhatWorks(t *testing.T) {
	p := compiled(t, `
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}
validations:
- expression: >-
    object.spec.ratio == 1 && object.spec.since > '2020' && object.spec.key != 'YQ==' && object.spec.port == 80 && object.spec.note == null &&
    object.spec.labels.a == 'b' && object.spec.any.b == 'c' && object.spec['hostname'] == '' && 'hostname' in object.spec && size(object.spec) > 3 &&
    (object.spec.jobs + object.spec.more).all(j, j.name != '') && object.spec.all(k, k != '')`)
	if warnings, kinds := misfits(t, schemasFor(t, doublyTypedCRD), p); warnings != "" || kinds == "" {
		t.Errorf("checked for %s, warned: %s", kinds, warnings)
	}
	r := request(t, admissionv1.Create, `
spec: {ratio: 1, since: "2026-01-01T00:00:00Z", key: YWI=, port: 80, note: null, labels: {a: b}, any: {b: c}, hostname: "", jobs: [{name: a}], more: [{name: b}]}`, "")
	r.Resource.Version, r.Kind.Version = "v2", "v2"
	if got := causes(review(t, Validations(Cluster{}, p), r)); got != "" {
		t.Errorf("denied: %s", got)
	}
}

// A policy is checked with every kind that its rules name, and with no other.
func TestCheckTypesForKinds(t *testing.T) {
	for name, test := range map[string]struct{ scope, warnings, kinds string }{
		"all versions, one warning": {"matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: [crontabs, crontabs/status]}]}",
			"spec.validations[0].expression: undefined field 'name' at 1:12, for CronTab stable.example.com/v1, CronTab stable.example.com/v2; if it is intended, put it in dyn()",
			"CronTab stable.example.com/v1, CronTab stable.example.com/v2"},
		"the hub": {"hub: true\nmatchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v1], operations: ['*'], resources: [crontabs]}]}",
			"spec.validations[0].expression: undefined field 'name' at 1:12, for CronTab stable.example.com/v2; if it is intended, put it in dyn()", "CronTab stable.example.com/v2"},
		"any group":            {"matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [crontabs]}]}", "", ""},
		"any resource":         {"matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: ['*'], operations: ['*'], resources: ['*']}]}", "", ""},
		"one that is unknown":  {"matchConstraints: {resourceRules: [{apiGroups: [other], apiVersions: ['*'], operations: ['*'], resources: [crontabs]}]}", "", ""},
		"a version that isn't": {"matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v3], operations: ['*'], resources: [crontabs]}]}", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			warnings, kinds := misfits(t, schemasFor(t, doublyTypedCRD), compiled(t, test.scope+"\nvalidations: [{expression: object.spec.name != ''}]"))
			if warnings != test.warnings || kinds != test.kinds {
				t.Errorf("got %s, in %s", warnings, kinds)
			}
		})
	}
}

// If a policy is about several kinds, only the rules that are evaluated for a kind apply to it.
func TestCheckTypesOfWhatIsEvaluated(t *testing.T) {
	const wrong = "; if it is intended, put it in dyn()"
	schemas := schemasFor(t, doublyTypedCRD)
	for name, test := range map[string]struct{ spec, want string }{
		"a field that is asked for":    {"validations: [{expression: \"!has(object.spec.host) || object.spec.host != ''\"}]", ""},
		"the other way round":          {"validations: [{expression: \"has(object.spec.host) && object.spec.host != ''\"}]", ""},
		"asked for in vain":            {"validations: [{expression: \"!has(object.spec.nost) || object.spec.nost != ''\"}]", "spec.validations[0].expression: undefined field 'nost' at 1:5, for CronTab stable.example.com/v1, CronTab stable.example.com/v2" + wrong},
		"asked for and read elsewhere": {"validations: [{expression: \"has(object.spec.host) && object.spec.hostname != ''\"}]", "spec.validations[0].expression: undefined field 'hostname' at 1:37, for CronTab stable.example.com/v1" + wrong},
		"a choice by it, where neither is there": {"validations: [{expression: \"(has(object.spec.host) ? object.spec.host : object.spec.hostname) != ''\"}]",
			"spec.validations[0].expression: undefined field 'hostname' at 1:56, for CronTab stable.example.com/v1" + wrong},
		"a choice the wrong way":                 {"validations: [{expression: \"(has(object.spec.host) ? object.spec.hostname : object.spec.host) != ''\"}]", "spec.validations[0].expression: undefined field 'hostname' at 1:37, for CronTab stable.example.com/v1" + wrong + "\nspec.validations[0].expression: undefined field 'host' at 1:60, for CronTab stable.example.com/v2" + wrong},
		"an optional one":                        {"validations: [{expression: \"object.spec.?host.orValue('') == '' && object.spec[?'hostname'].orValue('') == ''\"}]", ""},
		"whether there is an optional one":       {"validations: [{expression: \"!object.spec.?host.hasValue() || object.spec.host != ''\"}]", ""},
		"by a version":                           {"validations: [{expression: \"object.apiVersion == 'stable.example.com/v1' ? object.spec.host != '' : object.spec.hostname != ''\"}]", ""},
		"by another one":                         {"validations: [{expression: \"object.apiVersion != 'stable.example.com/v1' ? object.spec.host != '' : true\"}]", "spec.validations[0].expression: undefined field 'host' at 1:59, for CronTab stable.example.com/v2" + wrong},
		"by the kind of the request":             {"validations: [{expression: \"request.kind.kind in ['Other', 'Third'] && object.spec.other == ''\"}]", ""},
		"by its group, and not":                  {"validations: [{expression: \"!(request.kind.group == 'stable.example.com') && object.spec.other == ''\"}]", ""},
		"what cannot be told":                    {"validations: [{expression: \"request.operation == 'CREATE' && object.spec.other == '' || request.resource.resource == 'x' && object.spec.another == ''\"}]", "spec.validations[0].expression: undefined field 'other' at 1:45, for CronTab stable.example.com/v1, CronTab stable.example.com/v2" + wrong + "\nspec.validations[0].expression: undefined field 'another' at 1:108, for CronTab stable.example.com/v1, CronTab stable.example.com/v2" + wrong},
		"by way of a variable":                   {"variables: [{name: spec, expression: object.spec}]\nvalidations: [{expression: \"!has(variables.spec.host) || variables.spec.host != ''\"}]", ""},
		"in a list":                              {"validations: [{expression: \"!has(object.spec.jobs) || object.spec.jobs.all(j, !has(j.nam) || j.nam != '')\"}]", "spec.validations[0].expression: undefined field 'nam' at 1:55, for CronTab stable.example.com/v2" + wrong},
		"in a list, in other places":             {"validations: [{expression: \"!has(object.spec.jobs) || [{'a': object.spec.jobs.map(j, j.name)}].all(x, size(x.a) > object.spec.jobs[0].times[0])\"}]", ""},
		"a name for something else":              {"validations: [{expression: \"[{'spec': {'other': 1}}].all(object, has(object.spec.other) && object.spec.other == 1)\"}]", ""},
		"a condition that may hold":              {"matchConditions: [{name: a, expression: \"object.metadata.name.endsWith('x') || object.apiVersion == 'stable.example.com/v1'\"}]\nvalidations: [{expression: object.spec.host != ''}]", "spec.validations[0].expression: undefined field 'host' at 1:12, for CronTab stable.example.com/v2" + wrong},
		"a condition that never holds":           {"matchConditions: [{name: a, expression: \"object.apiVersion.endsWith('/v1')\"}]\nvalidations: [{expression: object.spec.host != ''}]", ""},
		"by a list of versions":                  {"validations: [{expression: \"['a/v1', 'stable.example.com/v1'].all(v, object.apiVersion != v) || object.spec.host != ''\"}]", ""},
		"by a list that has all":                 {"validations: [{expression: \"['stable.example.com/v2', 'stable.example.com/v1'].all(v, object.apiVersion != v) || object.spec.host != ''\"}]", "spec.validations[0].expression: undefined field 'host' at 1:97, for CronTab stable.example.com/v2" + wrong},
		"by a pattern":                           {"validations: [{expression: \"!object.apiVersion.matches('v1$') || object.spec.host != ''\"}]", ""},
		"by a variable":                          {"variables: [{name: version, expression: \"object.apiVersion.split('/')[1]\"}, {name: old, expression: variables.version == 'v1'}]\nvalidations: [{expression: \"variables.old ? object.spec.host != '' : object.spec.hostname != ''\"}]", ""},
		"by a variable that differs":             {"variables: [{name: old, expression: object.metadata.name == 'v1'}]\nvalidations: [{expression: \"!variables.old || object.spec.host != ''\"}]", "spec.validations[0].expression: undefined field 'host' at 1:30, for CronTab stable.example.com/v2" + wrong},
		"by what fails":                          {"validations: [{expression: \"{'v1': true}[object.apiVersion] || object.spec.hostname != ''\"}]", "spec.validations[0].expression: undefined field 'hostname' at 1:47, for CronTab stable.example.com/v1" + wrong},
		"a condition that holds for one":         {"matchConditions: [{name: a, expression: has(object.spec.host)}]\nvalidations: [{expression: object.spec.host != ''}]", ""},
		"the message of a rule that is false":    {"validations: [{expression: \"!has(object.spec.host) || object.spec.host != 'x'\", messageExpression: \"'not ' + object.spec.host\"}]", ""},
		"the message of a rule that may be true": {"validations: [{expression: \"has(object.spec.host) || has(object.spec.hostname)\", messageExpression: \"'not ' + object.spec.host\"}]", "spec.validations[0].messageExpression: undefined field 'host' at 1:21, for CronTab stable.example.com/v2" + wrong},
	} {
		t.Run(name, func(t *testing.T) {
			if warnings, _ := misfits(t, schemas, compiled(t, test.spec)); warnings != test.want {
				t.Errorf("got\n%s\nwant\n%s", warnings, test.want)
			}
		})
	}
}

// Objects in patches have the fields and values that the schema gives them.
func TestCheckTypesOfMutations(t *testing.T) {
	for name, test := range map[string]struct{ mutation, want string }{
		"a patch": {"{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec/a', value: object.spec.host}]\"}}",
			"spec.mutations[0].jsonPatch.expression: undefined field 'host' at 1:58, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"a value in a patch": {"{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op: 'add', path: '/spec', value: Object.spec{host: 'a'}}]\"}}",
			"spec.mutations[0].jsonPatch.expression: undefined field 'host' at 1:61, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
		"what is right": {"{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{hostname: 'a', replicas: 1, " +
			"ratio: 1, port: 'http', since: '2026-01-01T00:00:00Z', any: Object.spec.any{b: 1}, labels: Object.spec.labels{c: 'd'}, jobs: [Object.spec.jobs{name: 'a', times: [1]}]}}\"}}", ""},
		"what is not": {"{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{spec: Object.spec{host: 'a', replicas: '1', jobs: [Object.spec.jobs{nam: 'a'}]}}\"}}", `
spec.mutations[0].applyConfiguration.expression: undefined field 'host' at 1:30, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.mutations[0].applyConfiguration.expression: expected type of field 'replicas' is 'int' but provided type is 'string' at 1:45, for CronTab stable.example.com/v2; if it is intended, put it in dyn()
spec.mutations[0].applyConfiguration.expression: undefined field 'nam' at 1:79, for CronTab stable.example.com/v2; if it is intended, put it in dyn()`},
		"a type that is not": {"{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{spec: Object.status{host: 'a'}}\"}}",
			"spec.mutations[0].applyConfiguration.expression: undeclared reference to 'Object.status' (in container '') at 1:27, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"},
	} {
		t.Run(name, func(t *testing.T) {
			p := mutationPolicy(t, "mutations: ["+test.mutation+"]")
			p.Spec.MatchConstraints.ResourceRules[0].APIVersions = []string{"v2"}
			made, problems := CompileMutation(p)
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			warnings, _ := misfits(t, schemasFor(t, doublyTypedCRD), made)
			if want := strings.TrimPrefix(test.want, "\n"); warnings != want {
				t.Errorf("got\n%s\nwant\n%s", warnings, want)
			}
		})
	}
}

// Two places with names that look alike have their own types.
func TestCheckTypesOfLikeNames(t *testing.T) {
	schemas := schemasFor(t, strings.Replace(doublyTypedCRD, "hostname: {type: string}",
		"a: {type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}\n              a.b: {type: object, properties: {d: {type: string}}}", 1))
	for range 20 { // maps have no order
		if warnings, _ := misfits(t, schemas, compiled(t, `
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}
validations: [{expression: object.spec.a.b.c != ''}]`)); warnings != "" {
			t.Fatal(warnings)
		}
	}
}

// A schema that refers to itself has no end, and is known as far as it goes.
func TestCheckTypesOfEndlessSchemas(t *testing.T) {
	schemas := schemasFor(t, doublyTypedCRD)
	kind := schema.GroupVersionKind{Group: "stable.example.com", Version: "v2", Kind: "CronTab"}
	root := schemas.openAPI[kind][kind.String()]
	asResource(root)
	root.SetProperty("self", *spec.RefSchema(schemaPrefix + kind.String()))
	warnings, _ := misfits(t, schemas, compiled(t, `
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}
validations: [{expression: object.self.self.spec.host != '' && object.other == ''}]`))
	if want := "spec.validations[0].expression: undefined field 'other' at 1:43, for CronTab stable.example.com/v2; if it is intended, put it in dyn()"; warnings != want {
		t.Errorf("got %s", warnings)
	}
}

// Rules multiply what they name, and nobody looks all of that up.
func TestCheckTypesOfManyNames(t *testing.T) {
	names := func(prefix string) string {
		var all []string
		for i := range 1000 {
			all = append(all, fmt.Sprint(prefix, i))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	all := fmt.Sprintf("apiGroups: %s, apiVersions: %s, operations: ['*'], resources: %s", names("g"), names("v"), names("r"))
	p := compiled(t, "matchConstraints: {resourceRules: [{"+all+"}]}\nvalidations: [{expression: 'true'}]")
	counting := &countingSchemas{crdSchemas: schemasFor(t, doublyTypedCRD)}
	if _, kinds := misfits(t, counting, p); kinds != "" || counting.asked != 2*mostNames {
		t.Errorf("asked %d times, checked for %s", counting.asked, kinds)
	}
}

type countingSchemas struct {
	crdSchemas
	asked int
}

func (s *countingSchemas) Versions(ctx context.Context, group string) ([]string, error) {
	s.asked++
	return s.crdSchemas.Versions(ctx, group)
}

func (s *countingSchemas) Resources(ctx context.Context, version schema.GroupVersion) ([]Resource, error) {
	s.asked++
	return s.crdSchemas.Resources(ctx, version)
}

// Who has no time is not kept waiting.
func TestCheckTypesEndsInTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := compiled(t, "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}\nvalidations: [{expression: 'true'}]")
	if check, err := p.CheckTypes(ctx, schemasFor(t, doublyTypedCRD)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", check, err)
	}
}

// What takes long is not evaluated.
func TestCheckTypesInLittleTime(t *testing.T) {
	many := "'" + strings.Repeat("a", 100) + "'.split('')"
	p := compiled(t, `
matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}
validations:
- expression: >-
    `+many+`.all(a, `+many+`.all(b, a == b)) || object.spec.host != ''
- expression: >-
    `+many+`.all(a, a == 'a') || object.spec.host != ''`)
	warnings, _ := misfits(t, schemasFor(t, doublyTypedCRD), p)
	if !strings.HasPrefix(warnings, "spec.validations[0].expression: undefined field 'host'") || strings.Contains(warnings, "validations[1]") {
		t.Errorf("got %s", warnings)
	}
}
