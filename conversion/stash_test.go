package conversion_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// TestLiveWins shows that an edit of the other view beats what was kept.
func TestLiveWins(t *testing.T) {
	c := compiled(t, spec("hp: {type: string}, only: {type: string}"), spec("host: {type: string}, port: {type: string}"),
		`[{spoke: .spec.hp, hub: {h: .spec.host, p: .spec.port}, template: "{h}:{p}"}]`)
	there := convert(t, c, thing("v1beta1", `"spec":{"hp":"nonsense","only":"kept"}`), "v1")
	edited := strings.Replace(there, `"spec":{`, `"spec":{"host":"a","port":"1"`, 1)
	back := convert(t, c, edited, "v1beta1")
	if want := thing("v1beta1", `"spec":{"hp":"a:1","only":"kept"}`); !sameJSON(t, back, want) {
		t.Errorf("got %s, want %s", back, want)
	}
}

// TestStashesAreNotBelieved: forged and damaged stashes change nothing and
// fail nothing.
func TestStashesAreNotBelieved(t *testing.T) {
	c := compiled(t, spec("a: {type: string}, l: {type: array, items: {type: object, properties: {p: {type: string}}}}"),
		spec("b: {type: string}, l: {type: array, items: {type: object}}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	for _, forged := range []string{
		`x`, ``, `{}`, `[]`, `{"format":2,"entries":[]}`, `{"format":1}`, `{"format":1,"entries":{}}`,
		`{"format":1,"entries":[{"at":[],"value":1}]}`, `{"format":1,"entries":[{"at":[1],"value":1}]}`,
		`{"format":1,"entries":[{"at":["spec","a"],"value":"forged","guard":"AAAAAAAAAAAAAAAA"}]}`,
		`{"format":1,"entries":[{"at":["spec","a"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["metadata","name"],"value":"forged"},{"at":["apiVersion"],"value":"forged"},{"at":["kind"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","l",{"key":{}},"p"],"value":"forged"},{"at":["spec","l",{"content":"","nth":0},"p"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","l",{"content":"x","nth":-1},"p"],"value":"forged"}]}`,
		`{"format":1,"entries":[{"at":["spec","nowhere","at","all"],"value":"forged"}]}`,
	} {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(forged)
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":"`+quoted+`"}},"spec":{"b":"live","l":[{}]}`)
		got := convert(t, c, object, "v1beta1")
		if want := thing("v1beta1", `"spec":{"a":"live","l":[{}]}`); !sameJSON(t, got, want) {
			t.Errorf("stash %s\ngives %s", forged, got)
		}
	}
}

// TestForgedTwice: no member is ever written twice.
func TestForgedTwice(t *testing.T) {
	c := compiled(t,
		"spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {m: {type: object, additionalProperties: {type: string, nullable: true}}}}",
		spec("m: {type: object, additionalProperties: {type: string}}"), `[]`)
	const forged = `{\"format\":1,\"entries\":[` +
		`{\"at\":[\"spec\",\"m\",\"a\"],\"value\":null},{\"at\":[\"spec\",\"m\",\"a\"],\"value\":null},{\"at\":[\"spec\",\"m\",\"b\"],\"value\":null},` +
		`{\"at\":[\"spec\",\"u\"],\"value\":1},{\"at\":[\"spec\",\"u\"],\"value\":2},{\"at\":[\"spec\",\"m\"],\"value\":{}}]}`
	for _, m := range []string{`{}`, `{"b":"x"}`} {
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":"`+forged+`"}},"spec":{"m":`+m+`}`)
		out := convert(t, c, object, "v1beta1")
		if _, err := c.Convert(nil, []byte(out), "v1"); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

func TestMalformedStashIsCounted(t *testing.T) {
	c := compiled(t, spec("a: {type: string}"), spec("b: {type: string}"), `[{spoke: .spec.a, hub: .spec.b}]`)
	var notes conversion.Notes
	for _, text := range []string{`"{"`, `5`, `"{\"format\":1,\"entries\":[]}"`} {
		object := thing("v1", `"metadata":{"annotations":{"stash.crosswalk.dev/v1beta1":`+text+`}},"spec":{}`)
		if _, err := c.ConvertNoting(t.Context(), nil, []byte(object), "v1beta1", &notes); err != nil {
			t.Error(err)
		}
	}
	if notes.IgnoredStashes != 2 {
		t.Errorf("counted %d, want 2", notes.IgnoredStashes)
	}
}

// TestStatusHasAStashOfItsOwn, so that a write to /status and one to the rest
// never share an annotation.
func TestStatusHasAStashOfItsOwn(t *testing.T) {
	c := compiled(t, spec("a: {type: string}")+"\nstatus: {type: object, properties: {b: {type: string}}}", spec("")+"\nstatus: {type: object}", `[]`)
	there := decoded(t, convert(t, c, thing("v1beta1", `"spec":{"a":"1"},"status":{"b":"2"}`), "v1")).(map[string]any)
	got := there["metadata"].(map[string]any)["annotations"]
	want := map[string]any{
		"stash.crosswalk.dev/v1beta1":        `{"format":1,"table":"PFVV_EO8.v1","entries":[{"at":["spec","a"],"value":"1"}]}`,
		"stash.crosswalk.dev/v1beta1.status": `{"format":1,"table":"PFVV_EO8.v1","entries":[{"at":["status","b"],"value":"2"}]}`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestMisfiledEntries: who may write one stash need not be allowed to write the other, so
// that entries in the wrong one are ignored, also those of another table.
func TestMisfiledEntries(t *testing.T) {
	c := compiled(t, spec("a: {type: string}")+"\nstatus: {type: object, properties: {old: {type: string}}}", spec("b: {type: string}")+"\nstatus: {type: object}", `[]`)
	kept := convert(t, c, thing("v1beta1", `"spec":{"a":"x"},"status":{"old":"y"}`), "v1")
	for _, other := range []string{"", "zzzzzzzz"} {
		text := kept
		if other != "" {
			text = regexp.MustCompile(`table\\":\\"[^\\]*`).ReplaceAllString(text, `table\":\"`+other)
		}
		if back := strip(t, convert(t, c, text, "v1beta1")); !sameJSON(t, back, thing("v1beta1", `"spec":{"a":"x"},"status":{"old":"y"}`)) {
			t.Errorf("what is in its place gives %s", back)
		}
		swapped := strings.NewReplacer("/v1beta1.status", "/v1beta1", "/v1beta1", "/v1beta1.status").Replace(text)
		swapped = strings.ReplaceAll(swapped, "example.com/v1beta1.status", "example.com/v1beta1")
		if back := strip(t, convert(t, c, swapped, "v1beta1")); !sameJSON(t, back, thing("v1beta1", `"spec":{},"status":{}`)) {
			t.Errorf("with the mark %q what is in the wrong stash gives %s", other, back)
		}
	}
}

// TestSpacedStash: a stash with added white space has the same meaning.
func TestSpacedStash(t *testing.T) {
	item := func(more string) string {
		return spec("l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, port], items: {type: object, required: [name, port], properties: {name: {type: string}, port: {type: integer}" + more + "}}}")
	}
	c := compiled(t, item(", old: {type: string}"), item(""), `[]`)
	old := thing("v1beta1", `"spec":{"l":[{"name":"a b","port":1,"old":"x"}]}`)
	now := convert(t, c, old, "v1")
	spaced := strings.NewReplacer(`{\"key\":{`, `{ \"key\" : { `, `\"port\":1`, ` \"port\": 1 `).Replace(now)
	if spaced == now {
		t.Fatal("nothing to space out:", now)
	}
	if back := convert(t, c, spaced, "v1beta1"); !sameJSON(t, back, old) {
		t.Errorf("got  %s\nwant %s", back, old)
	}
}
