package admit

import (
	"os"
	"testing"
)

// FuzzCases: whatever a file holds, it is read or refused, and what is read can be
// played and reported.
func FuzzCases(f *testing.F) {
	text, err := os.ReadFile("testdata/cases.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("object: {apiVersion: quarry.dev/v1, kind: Stone, metadata: {name: a}, spec: []}\nexpect: {allowed: false}\n"))
	f.Add([]byte("oldObject: {apiVersion: quarry.dev/v1, kind: Stone, spec: {weight: 1e9}}\nexpect: {allowed: true, object: {a: null}}\n"))
	f.Add([]byte("object: {apiVersion: v1, kind: Pod, metadata: {labels: {a: 1}}}\ncontext: [{apiVersion: v1, kind: Namespace, metadata: x}]\nexpect: {allowed: true}\n"))
	j := load(f, stones, pebbles, rule("light", "lookups: [{name: all, apiVersion: quarry.dev/v1, kind: Stone, selector: {}}]", "object == null || object.spec.weight + lookups.all.size() < 5"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cases, errs := ReadCases("cases.yaml", text)
		if len(errs) > 0 && errs.Error() == "" {
			t.Error("an error says nothing")
		}
		outcomes := j.Run(t.Context(), cases, nil)
		if _, err := CasesJSON(outcomes); err != nil {
			t.Error(err)
		}
		if _, err := CasesJUnit(outcomes); err != nil {
			t.Error(err)
		}
		for _, o := range outcomes {
			if o.Result != nil && o.Result.Text() == "" {
				t.Error("a result says nothing")
			}
		}
	})
}

// FuzzReview: whatever an object holds, it is judged or refused with a reason.
func FuzzReview(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"quarry.dev/v1","kind":"Stone","metadata":{"name":"a"},"spec":{"weight":3,"shape":"round"}}`), []byte(nil))
	f.Add([]byte(`{"apiVersion":"quarry.dev/v1beta1","kind":"Stone","metadata":{"name":"a"},"spec":{"size":3}}`),
		[]byte(`{"apiVersion":"quarry.dev/v1","kind":"Stone","metadata":{"name":"a","annotations":{"x":"y"}},"spec":{"shape":"round"}}`))
	f.Add([]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"a":1}},"spec":null}`), []byte(nil))
	j := load(f, stones, pebbles, mutations, rule("light", "lookups: [{name: all, apiVersion: quarry.dev/v1, kind: Stone, selector: {}}]", "object.spec.weight + lookups.all.size() < 5"))
	f.Fuzz(func(t *testing.T, object, old []byte) {
		w := Write{Object: object, Old: old, Namespace: "ns"}
		if len(old) == 0 {
			w.Old = nil
		}
		r, err := j.Review(t.Context(), w)
		switch {
		case err != nil && err.Error() == "":
			t.Error("an error says nothing")
		case err == nil && r.Allowed() != (r.Stage == ""):
			t.Errorf("%v at %q", r.Causes, r.Stage)
		case err == nil:
			_ = r.Text()
		}
	})
}
