package policy

import (
	"fmt"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"sigs.k8s.io/yaml"
)

// TestNarrowKeepsValues: what is left of an expression comes, for objects of the kind, to
// what all of it comes to, whichever of its parts are there or fail.
func TestNarrowKeepsValues(t *testing.T) {
	unraced(t)
	schemas := schemasFor(t, doublyTypedCRD)
	atoms := []string{
		"has(object.spec.host)", "has(object.spec.hostname)", "object.spec.host == 'a'", "object.spec.hostname == 'a'", "object.kind == 'CronTab'",
		"object.apiVersion != 'stable.example.com/v1'", "object.kind in ['Pod', 'Job']", "request.kind.kind == 'Pod'", "request.kind.group in ['stable.example.com']",
		"object.spec.?host.hasValue()", "object.spec.?host.orValue('b') == 'b'", "object.spec[?'hostname'].orValue('b') == 'b'",
		"!has(object.spec.jobs) || object.spec.jobs.all(j, !has(j.nam) || j.nam == '')", "object.spec.jobs.exists(j, has(j.name) && j.name == 'a')",
		"[{'spec': {'host': 'c'}}].all(object, has(object.spec.host))", "has(object.spec.none) ? object.spec.none == 1 : object.spec.?replicas.orValue(1) == 1",
		"['Pod', 'Job'].all(kind, object.kind != kind)", "object.kind.endsWith('Tab')", "object.kind.matches('^(Pod|Job)$') == false", "['Pod', 'CronTab'].exists(k, k == object.kind && has(object.spec.host))",
		"{'CronTab': true}[object.kind]", "{'Pod': true}[request.kind.kind]",
		"request.subResource == ''", "request.resource.resource == 'crontabs'",
	}
	var expressions []string
	for _, a := range atoms {
		expressions = append(expressions, a, "!("+a+")")
		for _, b := range atoms {
			expressions = append(expressions, fmt.Sprintf("(%s) && (%s)", a, b), fmt.Sprintf("(%s) || (%s)", a, b), fmt.Sprintf("(%s) ? (%s) : !(%s)", a, b, b))
		}
	}
	env, err := newCompiler(false, false, nil).environments(environmentKind{})
	if err != nil {
		t.Fatal(err)
	}
	for version, specs := range map[string][]string{
		"v1": {"{}", "{host: a}", "{host: b}"},
		"v2": {"{}", "{hostname: a}", "{hostname: b, replicas: 2, jobs: [{name: a}, {}]}", "{jobs: []}"},
	} {
		kind := schema.GroupVersionKind{Group: "stable.example.com", Version: version, Kind: "CronTab"}
		known := new(schemaTypes)
		object, err := known.of(t.Context(), schemas, kind)
		if err != nil {
			t.Fatal(err)
		}
		taken := 0
		for _, text := range expressions {
			whole, issues := env.counting.Parse(text)
			narrowed, _ := env.counting.Parse(text)
			if issues.Err() != nil {
				t.Fatal(issues.Err())
			}
			n := &narrower{
				known: namedKind{kind, "crontabs"}.known(), info: narrowed.NativeRep().SourceInfo(), env: env.counting, asked: map[string]bool{},
				roots: map[string]*apiservercel.DeclType{"object": object},
			}
			n.narrow(narrowed.NativeRep().Expr(), nil)
			for _, spec := range specs {
				var parsed map[string]any
				if err := yaml.Unmarshal([]byte(fmt.Sprintf("{apiVersion: stable.example.com/%s, kind: CronTab, spec: %s}", version, spec)), &parsed); err != nil {
					t.Fatal(err)
				}
				request := map[string]any{"kind": map[string]any{"group": kind.Group, "version": version, "kind": kind.Kind}, "resource": map[string]any{"resource": "crontabs"}, "subResource": ""}
				given := map[string]any{"object": parsed, "request": request}
				want, got := comesTo(t, env.counting, whole, given), comesTo(t, env.counting, narrowed, given)
				if got != want {
					t.Errorf("%s with %s of %s: what is left comes to %s, all to %s", text, spec, version, got, want)
				}
			}
			if before, _ := cel.AstToString(whole); before != "" {
				if after, err := cel.AstToString(narrowed); err == nil && after != before {
					taken++
				}
			}
		}
		if taken < len(expressions)/2 {
			t.Errorf("something was taken out of %d of %d expressions", taken, len(expressions))
		}
	}
}

// comesTo is the value of an expression; of all that fail, the same one.
func comesTo(t *testing.T, env *cel.Env, parsed *cel.Ast, given map[string]any) string {
	t.Helper()
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(checked)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := program.Eval(given)
	if err != nil {
		return "an error"
	}
	return fmt.Sprint(value)
}
