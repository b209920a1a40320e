package policy

import (
	"strings"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"
)

// resolved gives schemas to the type checker of the API server.
type resolved struct{ crdSchemas }

func (r resolved) ResolveSchema(kind schema.GroupVersionKind) (*spec.Schema, error) {
	name, all := r.SchemaTypes.Schema(kind)
	return resolver.PopulateRefs(func(ref string) (*spec.Schema, bool) {
		s, found := all[strings.TrimPrefix(ref, schemaPrefix)]
		return s, found
	}, name)
}

// TestCheckTypesAgainstAPIServer holds warnings against those of the API server, which
// puts them into the status of its own policies. Every field that is not there for it, is
// not there here, and nothing is warned of here that it does not warn of.
func TestCheckTypesAgainstAPIServer(t *testing.T) {
	schemas := schemasFor(t, doublyTypedCRD)
	kind := schema.GroupVersionKind{Group: "stable.example.com", Version: "v2", Kind: "CronTab"}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{kind.GroupVersion()})
	mapper.Add(kind, meta.RESTScopeNamespace)
	checker := validating.TypeChecker{SchemaResolver: resolved{schemas}, RestMapper: mapper}
	for expression, looser := range map[string]bool{
		"object.spec.hostname == ''":                                 false,
		"object.spec.host == ''":                                     false,
		"object.spec.host.a.b == ''":                                 false,
		"object.metadata.labels.x == ''":                             false,
		"object.metadata.label == {}":                                false,
		"object.metadata.ownerReferences.all(r, r.uid != '')":        false,
		"object.metadata.ownerReferences.all(r, r.uuid != '')":       false,
		"has(object.spec.host)":                                      false,
		"has(object.spec.hostname) && object.kind == 'x'":            false,
		"object.Kind == 'x'":                                         false,
		"object.spec.?host.hasValue()":                               false,
		"oldObject.spec.host == ''":                                  false,
		"object.spec.replicas > '1'":                                 false,
		"object.spec.replicas > 1":                                   false,
		"object.spec.enabled > 1":                                    false,
		"object.spec.jobs[0].nam == ''":                              false,
		"object.spec.jobs.exists(j, j.times.exists(x, x == 'a'))":    false,
		"object.spec.labels.exists(k, k == 1)":                       false,
		"object.spec.labels.all(k, object.spec.labels[k] == 1)":      false,
		"object.status.replicas == 1":                                false,
		"object.spec.port == 'x' || object.spec.port == 1":           false,
		"dyn(object).spec.host == ''":                                false,
		"request.kind.kin == ''":                                     false,
		"namespaceObject.metadata.name == ''":                        false,
		"object.spec.ratio == 1":                                     true,
		"object.spec.since > '2020'":                                 true,
		"object.spec.key == 'a'":                                     true,
		"object.spec.note == null":                                   true,
		"object.spec.any.b == 1":                                     true,
		"object.spec['hostname'] == ''":                              true,
		"'hostname' in object.spec":                                  true,
		"(object.spec.jobs + object.spec.more).all(j, j.name != '')": true,
	} {
		t.Run(expression, func(t *testing.T) {
			text, err := yaml.Marshal(map[string]string{"expression": expression})
			if err != nil {
				t.Fatal(err)
			}
			policy := "matchConstraints: {resourceRules: [{apiGroups: [stable.example.com], apiVersions: [v2], operations: ['*'], resources: [crontabs]}]}\nvalidations:\n- " + string(text)
			native := new(admissionregistrationv1.ValidatingAdmissionPolicy)
			if err := yaml.UnmarshalStrict([]byte(policy), &native.Spec); err != nil {
				t.Fatal(err)
			}
			theirs := ""
			for _, w := range checker.Check(native) {
				theirs += w.Warning
			}
			made, _ := Compile(validationPolicy(t, policy))
			ours, _ := misfits(t, schemas, made)
			if made.rules[0].broken != nil {
				ours = made.rules[0].broken.Error() // is told as a mistake
			}
			switch {
			case looser && (ours != "" || theirs == ""):
				t.Errorf("ours: %s\ntheirs: %s", ours, theirs)
			case !looser && (ours == "") != (theirs == ""):
				t.Errorf("ours: %s\ntheirs: %s", ours, theirs)
			case !looser && strings.Contains(theirs, "undefined field"):
				for _, field := range strings.Split(theirs, "undefined field ")[1:] {
					name, _, _ := strings.Cut(field, "\n")
					if !strings.Contains(ours, name) {
						t.Errorf("ours: %s\ntheirs: %s", ours, theirs)
					}
				}
			}
		})
	}
}
