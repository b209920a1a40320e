package conversion_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// guarded is a kind of which each version has something of its own: a list with
// keys, a value that a template may not map, and status, which is a subresource.
func guarded(t testing.TB) *conversion.Converter {
	t.Helper()
	crd := versions(t, map[string]string{
		"v1beta1": `{spec: {type: object, properties: {hp: {type: string}, shell: {type: string}, jobs: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name],
		  items: {type: object, required: [name], properties: {name: {type: string}, cmd: {type: string}}}}}}, status: {type: object, properties: {old: {type: string}}}}`,
		"v1": `{spec: {type: object, properties: {host: {type: string}, port: {type: string}, zone: {type: string}, jobs: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name],
		  items: {type: object, required: [name], properties: {name: {type: string}}}}}}, status: {type: object, properties: {now: {type: string}}}}`,
	})
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Subresources = &apiextensionsv1.CustomResourceSubresources{Status: new(apiextensionsv1.CustomResourceSubresourceStatus)}
	}
	c, err := conversion.Compile(crd, table(t, `[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// born is an object that v1beta1 knows more of than v1.
const born = `"metadata":{"name":"a"},"spec":{"hp":"nonsense","shell":"dash","jobs":[{"name":"x","cmd":"one"},{"name":"y","cmd":"two"}]},"status":{"old":"kept"}`

func guard(t testing.TB, c *conversion.Converter, object, old, manager string) string {
	t.Helper()
	var before []byte
	if old != "" {
		before = []byte(old)
	}
	out, err := c.Guard(t.Context(), nil, []byte(object), before, manager)
	if err != nil {
		t.Fatalf("%s\nover %s: %v", object, old, err)
	}
	return string(out)
}

// edited replaces one piece of a text, which must be there.
func edited(t testing.TB, text, piece, by string) string {
	t.Helper()
	if !strings.Contains(text, piece) {
		t.Fatalf("%s has no %s", text, piece)
	}
	return strings.Replace(text, piece, by, 1)
}

// TestGuardKeeps: whatever a client makes of the stashes, those that stood count.
func TestGuardKeeps(t *testing.T) {
	c := guarded(t)
	old := convert(t, c, thing("v1beta1", born), "v1")
	other := convert(t, c, thing("v1beta1", edited(t, born, "dash", "forged")), "v1")
	dropped := strip(t, old)
	for name, arrived := range map[string]string{
		"untouched":      old,
		"dropped":        dropped,
		"stale":          other,
		"no annotations": edited(t, dropped, `"name":"a"`, `"name":"a","labels":{}`),
		"no status":      edited(t, dropped, `"status":`, `"other":`),
		"own stash":      edited(t, dropped, `"name":"a"`, `"name":"a","annotations":{"stash.crosswalk.dev/v1":"{}"}`),
		"malformed":      edited(t, dropped, `"name":"a"`, `"name":"a","annotations":{"stash.crosswalk.dev/v1beta1":"x","mine":"1"}`),
		"mark":           edited(t, dropped, `"name":"a"`, `"name":"a","annotations":{"crosswalk.dev/incomplete":"v1beta1: .spec.shell"}`),
	} {
		t.Run(name, func(t *testing.T) {
			got := guard(t, c, arrived, old, "")
			// The API server puts the status back that is stored.
			there := convert(t, c, strings.Replace(got, `"other":`, `"status":`, 1), "v1beta1")
			for _, value := range []string{"nonsense", "dash", "one", "two", "kept"} {
				if !strings.Contains(there, value) {
					t.Errorf("%s is lost: %s", value, there)
				}
			}
			if strings.Contains(there, "forged") {
				t.Errorf("got %s", there)
			}
			if !sameJSON(t, strip(t, got), strip(t, arrived)) {
				t.Errorf("more than our annotations changed: %s", got)
			}
		})
	}
}

// TestGuardForgets: an entry goes with what it belongs to.
func TestGuardForgets(t *testing.T) {
	c := guarded(t)
	old := convert(t, c, thing("v1beta1", born), "v1")
	t.Run("an element that is gone", func(t *testing.T) {
		without := guard(t, c, edited(t, old, `,{"name":"y"}`, ""), old, "")
		again := convert(t, c, guard(t, c, edited(t, without, `{"name":"x"}`, `{"name":"x"},{"name":"y"}`), without, ""), "v1beta1")
		if strings.Contains(again, "two") || !strings.Contains(again, "one") {
			t.Errorf("what is made again has what it had before: %s", again)
		}
	})
	t.Run("a value that was replaced", func(t *testing.T) {
		set := guard(t, c, edited(t, old, `"spec":{`, `"spec":{"host":"h","port":"1",`), old, "")
		unset := convert(t, c, guard(t, c, edited(t, set, `"host":"h","port":"1",`, ""), set, ""), "v1beta1")
		if strings.Contains(unset, "nonsense") {
			t.Errorf("a value that somebody has replaced comes back: %s", unset)
		}
	})
}

// TestGuardKeepsUnplaced: values for which a changed table has no place survive writes in their own
// version, until a client empties their annotation there. Nobody can forge any.
func TestGuardKeepsUnplaced(t *testing.T) {
	c := guarded(t)
	const name = `"stash.crosswalk.dev/v1"`
	stored := edited(t, convert(t, c, thing("v1", `"metadata":{"name":"a"},"spec":{"zone":"Zürich"}`), "v1beta1"), `\"zone\"`, `\"area\"`)
	stored = regexp.MustCompile(`\\"table\\":\\"[^"]*\\"`).ReplaceAllString(stored, `\"table\":\"earlier\"`)
	old := convert(t, c, stored, "v1")
	if !strings.Contains(old, `Zürich`) || !strings.Contains(old, `unplaced`) {
		t.Fatalf("v1 is %s", old)
	}
	removed := strip(t, old)
	for _, test := range []struct {
		name, now, old string
		keeps          bool
	}{
		{"an update keeps it", edited(t, old, `"metadata":{`, `"metadata":{"labels":{"a":"b"},`), old, true},
		{"a client that drops it loses nothing", removed, old, true},
		{"a stale copy changes nothing", edited(t, old, `Zürich`, `Genf`), old, true},
		{"an empty one removes it", edited(t, removed, `"name":"a"`, `"name":"a","annotations":{`+name+`:""}`), old, false},
		{"a forged one is not believed", old, removed, false},
		{"nor is that of a new object, which no schema has checked", old, "", false},
		{"what cannot be read is not kept", removed, edited(t, removed, `"name":"a"`, `"name":"a","annotations":{`+name+`:"{"}`), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := guard(t, c, test.now, test.old, "")
			if strings.Contains(got, name) != test.keeps || strings.Contains(got, "Zürich") != test.keeps {
				t.Errorf("got %s", got)
			}
			if back := convert(t, c, got, "v1beta1"); strings.Contains(back, "Zürich") != test.keeps {
				t.Errorf("v1beta1 is %s", back)
			}
		})
	}
}

// TestGuardOfGoneVersions: what is kept for a version that the CRD does not have any more stays until a
// client removes it.
func TestGuardOfGoneVersions(t *testing.T) {
	c := guarded(t)
	const name = "stash.crosswalk.dev/v0"
	old := thing("v1", `"metadata":{"name":"a","annotations":{"`+name+`":"{\"format\":1,\"entries\":[{\"at\":[\"spec\",\"zone\"],\"value\":1}]}"}}`)
	if got := guard(t, c, edited(t, old, `"a"`, `"a","labels":{"a":"b"}`), old, ""); !strings.Contains(got, name) {
		t.Errorf("an update drops it: %s", got)
	}
	if got := guard(t, c, strip(t, old), old, ""); strings.Contains(got, name) {
		t.Errorf("it cannot be removed: %s", got)
	}
}

// TestGuardOnCreation: a copy brings its stash along, but not into status.
func TestGuardOnCreation(t *testing.T) {
	c := guarded(t)
	copied := convert(t, c, thing("v1beta1", born), "v1")
	got := convert(t, c, guard(t, c, copied, "", ""), "v1beta1")
	if !strings.Contains(got, "dash") || strings.Contains(got, "kept") {
		t.Errorf("got %s", got)
	}
}

// TestGuardLetsApplyTakeBack: who has applied a value in the version that shows it
// gives it up by applying without it in another.
func TestGuardLetsApplyTakeBack(t *testing.T) {
	c := guarded(t)
	const (
		shell   = `{"f:spec":{"f:shell":{}}}`
		nothing = `{"f:spec":{"f:zone":{}}}`
		cmd     = `{"f:spec":{"f:jobs":{"k:{\"name\":\"y\"}":{".":{},"f:cmd":{}}}}}`
	)
	entry := func(manager, operation, version, fields string) string {
		return fmt.Sprintf(`{"manager":%q,"operation":%q,"apiVersion":"example.com/%s","fieldsType":"FieldsV1","fieldsV1":%s}`, manager, operation, version, fields)
	}
	for name, test := range map[string]struct {
		old, now []string
		manager  string
		arrived  string // what of v1beta1 the arriving stash still holds
		lost     string // what goes
	}{
		"applied through the other version": {
			old: []string{entry("gitops", "Apply", "v1beta1", shell)}, now: []string{entry("gitops", "Apply", "v1", nothing)},
			arrived: edited(t, born, `"shell":"dash",`, ""), lost: "dash",
		},
		"an element's field": {
			old: []string{entry("gitops", "Apply", "v1beta1", cmd)}, now: []string{entry("gitops", "Apply", "v1", nothing)},
			arrived: edited(t, born, `,"cmd":"two"`, ""), lost: "two",
		},
		"applied nothing": {
			old: []string{entry("gitops", "Apply", "v1beta1", shell)}, manager: "gitops",
			arrived: edited(t, born, `"shell":"dash",`, ""), lost: "dash",
		},
		"another client that dropped the stash": {
			old: []string{entry("gitops", "Apply", "v1beta1", shell)}, now: []string{entry("editor", "Update", "v1", nothing)}, manager: "editor",
		},
		"the same manager's update": {
			old: []string{entry("gitops", "Apply", "v1beta1", shell)}, now: []string{entry("gitops", "Update", "v1", nothing)}, manager: "gitops",
		},
		"somebody else's value": {
			old: []string{entry("gitops", "Apply", "v1beta1", nothing)}, now: []string{entry("gitops", "Apply", "v1", nothing)},
		},
		"another owner": {
			old:     []string{entry("gitops", "Apply", "v1beta1", shell), entry("other", "Apply", "v1beta1", shell)},
			now:     []string{entry("gitops", "Apply", "v1", nothing), entry("other", "Apply", "v1beta1", shell)},
			arrived: edited(t, born, `"shell":"dash",`, ""),
		},
		"an update's value": {
			old: []string{entry("editor", "Update", "v1beta1", shell)}, now: []string{entry("editor", "Update", "v1", nothing)}, manager: "editor",
		},
	} {
		t.Run(name, func(t *testing.T) {
			fields := func(object string, entries []string) string {
				return edited(t, object, `"name":"a"`, `"name":"a","managedFields":[`+strings.Join(entries, ",")+`]`)
			}
			old := fields(convert(t, c, thing("v1beta1", born), "v1"), test.old)
			arrived := strip(t, convert(t, c, thing("v1beta1", born), "v1"))
			if test.arrived != "" {
				arrived = convert(t, c, thing("v1beta1", test.arrived), "v1")
			}
			got := convert(t, c, guard(t, c, fields(arrived, test.now), old, test.manager), "v1beta1")
			for _, value := range []string{"nonsense", "dash", "one", "two"} {
				if there := strings.Contains(got, value); there != (value != test.lost) {
					t.Errorf("%s is there: %t, in %s", value, there, got)
				}
			}
		})
	}
}

// TestGuardFails where an object is none.
func TestGuardFails(t *testing.T) {
	c := guarded(t)
	for _, object := range []string{"", "[]", `{"apiVersion":"example.com/v9","kind":"Thing"}`, thing("v1", `"a":1,"a":2`), thing("v1", "") + "x"} {
		if out, err := c.Guard(t.Context(), []byte("dst"), []byte(object), nil, ""); err == nil || string(out) != "dst" {
			t.Errorf("%s: %s, %v", object, out, err)
		}
	}
	if _, err := c.Guard(t.Context(), nil, []byte(thing("v1", "")), []byte(thing("v1", `"a":`)), ""); err == nil {
		t.Error("an old object that is none")
	}
}
