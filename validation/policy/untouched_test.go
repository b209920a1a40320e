package policy

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A change leaves alone what it does not name, whatever that is: texts with escapes,
// large integers, what is empty, null or of a kind that the schema does not know.
func TestMutationsLeaveTheRestAlone(t *testing.T) {
	crd := exampleCRD(t)
	for i := range crd.Spec.Versions {
		for name, field := range crd.Spec.Versions[i].Schema.OpenAPIV3Schema.Properties {
			field.XPreserveUnknownFields = new(true)
			crd.Spec.Versions[i].Schema.OpenAPIV3Schema.Properties[name] = field
		}
	}
	types, err := TypesOf(crd)
	if err != nil {
		t.Fatal(err)
	}
	cluster := Cluster{Types: types, Tables: exampleTables(t)}
	var policies []*Policy
	for _, spec := range []string{
		`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'touched': 'yes'}}}"}}]`,
		`mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels/touched', value: 'yes'}]"}}]`,
		"hub: true\n" + `mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels/touched', value: 'yes'}]"}}]`,
	} {
		p, problems := CompileMutation(mutationPolicy(t, spec))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		policies = append(policies, p)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		object := map[string]any{
			"apiVersion": "stable.example.com/v1beta1", "kind": "CronTab",
			"metadata": map[string]any{"name": "nightly", "labels": map[string]any{"a/b~c": "d"}, "annotations": map[string]any{"x": "\u2028<&>\""}},
			"spec":     map[string]any{"cronSpec": "* * * * *", "image": "x", "hostPort": "h:1", "replicas": int64(1)<<53 + 1, "shell": "sh"},
			"status":   map[string]any{"replicas": int64(0)},
		}
		for range random.IntN(4) {
			in := []string{"spec", "status"}[random.IntN(2)]
			object[in].(map[string]any)[[]string{"extra", "a~b/c", "", "más"}[random.IntN(4)]] = anything(random, 3)
		}
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := utiljson.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		want["metadata"].(map[string]any)["labels"].(map[string]any)["touched"] = "yes"
		for n, p := range policies {
			r := inVersion(create(t, ""), "v1beta1")
			r.Object.Raw = text
			verdict := review(t, Mutations(cluster, p), r)
			var got map[string]any
			if err := utiljson.Unmarshal(verdict.Object, &got); err != nil {
				t.Fatalf("%v: %s", err, causes(verdict))
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("object %d, policy %d\n got %s\nfrom %s", i, n, verdict.Object, text)
			}
		}
	}
}

// anything is a value of JSON.
func anything(random *rand.Rand, depth int) any {
	if depth == 0 {
		return nil
	}
	switch random.IntN(9) {
	case 0:
		return nil
	case 1:
		return random.Int64()
	case 2:
		return random.Float64() * 1e12
	case 3:
		return ""
	case 4:
		return random.IntN(2) == 0
	case 5:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, anything(random, depth-1))
		}
		return list
	case 6:
		return map[string]any{"a": anything(random, depth-1), "b c": anything(random, depth-1)}
	case 7:
		return map[string]any{}
	}
	return "\\\"\n</script>é"
}
