package offline

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// renamer replaces the engine: it renames old to new, keeps the rest of the
// bytes, and refuses an object with a member "bad".
type renamer struct{}

func (renamer) Group() string      { return "x.dev" }
func (renamer) Kind() string       { return "Thing" }
func (renamer) Versions() []string { return []string{"v1", "v2"} }
func (renamer) Convert(dst, object []byte, to string) ([]byte, error) {
	if bytes.Contains(object, []byte(`"bad"`)) {
		return nil, &conversion.Error{Kind: "Thing", Name: "n", From: "v1", To: to, Pointer: "/spec/bad/0", Offset: 33, Reason: "it is bad"}
	}
	object = bytes.ReplaceAll(object, []byte("x.dev/v1"), []byte("x.dev/"+to))
	return append(dst, bytes.ReplaceAll(object, []byte(`"old"`), []byte(`"new"`))...), nil
}

func rewriter() *Rewriter {
	return &Rewriter{
		Kinds:  []Kind{{Converter: renamer{}, ListKind: "ThingList"}},
		Target: Target{Version: "v2"},
		Strip: func(dst, object []byte) ([]byte, error) {
			object = bytes.ReplaceAll(object, []byte(", "), []byte(",")) // the engine's Strip moves members together, too
			return append(dst, bytes.ReplaceAll(object, []byte(`"stash":"x",`), nil)...), nil
		},
	}
}

func TestRewrite(t *testing.T) {
	tests := []struct{ name, in, want, failures string }{
		{"YAML beside other kinds", `# licence

apiVersion: x.dev/v1 # goes
kind: Thing
spec: {old: 1.50, big: 9007199254740993,   s: 'yes'}
---   # other kinds
apiVersion:    v1
kind:   ConfigMap   # stays
data: {a:   "1"}
...
--- {apiVersion: x.dev/v1, kind: Thing}
--- # why
# what
apiVersion: x.dev/v1
kind: Thing
---
apiVersion: x.dev/v2
kind:    Thing   # has the version already
---
apiVersion: y.dev/v1
kind:    Thing   # of another group
`, `# licence

apiVersion: x.dev/v2
kind: Thing
spec:
  new: 1.50
  big: 9007199254740993
  s: "yes"
---   # other kinds
apiVersion:    v1
kind:   ConfigMap   # stays
data: {a:   "1"}
...
---
apiVersion: x.dev/v2
kind: Thing
--- # why
# what
apiVersion: x.dev/v2
kind: Thing
---
apiVersion: x.dev/v2
kind:    Thing   # has the version already
---
apiVersion: y.dev/v1
kind:    Thing   # of another group
`, ""},

		{"a document that fails is left out", `apiVersion: x.dev/v1
kind: Thing
spec:
  bad:
  - 1
---
a: [
---
apiVersion: x.dev/v1
kind: Thing
`, `---
apiVersion: x.dev/v2
kind: Thing
`, `document 1, line 5: Thing n: v1 to v2: at /spec/bad/0: it is bad
document 2, line 7: not YAML: did not find expected node content`},

		{"JSON keeps its layout", "{\"apiVersion\": \"x.dev/v1\", \"kind\":\"Thing\", \"spec\":{\"old\": 1.50}}\n\n" +
			"{\n   \"kind\": \"Thing\",\n   \"apiVersion\": \"x.dev/v1\",\n   \"spec\": {\"old\":\"\\u003c\"}\n}{ \"other\" : 1 }\n",
			"{\"apiVersion\":\"x.dev/v2\",\"kind\":\"Thing\",\"spec\":{\"new\":1.50}}\n\n" +
				"{\n   \"kind\": \"Thing\",\n   \"apiVersion\": \"x.dev/v2\",\n   \"spec\": {\n      \"new\": \"\\u003c\"\n   }\n}{ \"other\" : 1 }\n", ""},

		{"JSON that breaks off", `{"apiVersion":"x.dev/v1","kind":"Thing"} {"a" 1}`, `{"apiVersion":"x.dev/v2","kind":"Thing"}`,
			`document 2, line 1: not JSON: invalid character '1' after object key; stopped reading at line 1`},

		{"a JSON object that fails", `{"a":1}` + "\n" + `{"apiVersion":"x.dev/v1","kind":"Thing","bad":0}` + "\n" + `{"b":2}` + "\n", `{"a":1}` + "\n" + `{"b":2}` + "\n",
			`document 2, line 2: Thing n: v1 to v2: at /spec/bad/0 (byte 33): it is bad`},

		{"a List in JSON", `{ "apiVersion": "v1", "kind": "List",
  "items": [
    {
      "apiVersion": "x.dev/v1",
      "kind": "Thing",
      "old": 1
    },
    {"kind":  "ConfigMap"},
    {"apiVersion": "x.dev/v1", "kind": "Thing", "bad": 1},
    {"apiVersion": "x.dev/v1", "kind": "Thing"}
  ] }
`, `{ "apiVersion": "v1", "kind": "List",
  "items": [
    {
      "apiVersion": "x.dev/v2",
      "kind": "Thing",
      "new": 1
    },
    {"kind":  "ConfigMap"},
    {"apiVersion":"x.dev/v2","kind":"Thing"}
  ] }
`, `document 1, line 9, item 3: Thing n: v1 to v2: at /spec/bad/0 (byte 33): it is bad`},

		{"a List whose first and only items fail", `{"apiVersion":"v1","kind":"List","items":[ {"apiVersion":"x.dev/v1","kind":"Thing","bad":1} , {"apiVersion":"x.dev/v1","kind":"Thing"} ]}` +
			`{"apiVersion":"v1","kind":"List","items":[ {"apiVersion":"x.dev/v1","kind":"Thing","bad":1} ]}`,
			`{"apiVersion":"v1","kind":"List","items":[ {"apiVersion":"x.dev/v2","kind":"Thing"} ]}` + `{"apiVersion":"v1","kind":"List","items":[  ]}`,
			`document 1, line 1, item 1: Thing n: v1 to v2: at /spec/bad/0 (byte 33): it is bad
document 2, line 1, item 1: Thing n: v1 to v2: at /spec/bad/0 (byte 33): it is bad`},

		{"a typed list, as the API server sends it", `{"kind":"ThingList","apiVersion":"x.dev/v1","metadata":{"resourceVersion":"1"},"items":[{"apiVersion":"x.dev/v1","kind":"Thing","old":1}]}`,
			`{"kind":"ThingList","apiVersion":"x.dev/v2","metadata":{"resourceVersion":"1"},"items":[{"apiVersion":"x.dev/v2","kind":"Thing","new":1}]}`, ""},

		{"a List in YAML", `apiVersion: v1
kind: List   # goes
items:
- apiVersion: x.dev/v1
  kind: Thing
  old: 1
- {kind: ConfigMap}
- apiVersion: x.dev/v1
  kind: Thing
  spec: {bad: 1}
---
apiVersion: x.dev/v1
kind: ThingList
items: []
---
apiVersion: v1
kind:    List   # nothing to do
items: [{kind: ConfigMap}]
`, `apiVersion: v1
kind: List
items:
- apiVersion: x.dev/v2
  kind: Thing
  new: 1
- kind: ConfigMap
---
apiVersion: x.dev/v2
kind: ThingList
items: []
---
apiVersion: v1
kind:    List   # nothing to do
items: [{kind: ConfigMap}]
`, `document 1, line 10, item 3: Thing n: v1 to v2: at /spec/bad/0: it is bad`},

		{"stashes are taken off objects that have the version", "apiVersion: x.dev/v2\nkind: Thing\nstash: x\nold: 1\n", "apiVersion: x.dev/v2\nkind: Thing\nold: 1\n", ""},
		{"an object that has the version", `{"apiVersion": "x.dev/v2", "kind": "Thing"}`, `{"apiVersion": "x.dev/v2", "kind": "Thing"}`, ""},
		{"nothing", "", "", ""},
		{"values without kind", "a: 1   \n---\n- 1\n---\n5\n---\n# nothing\n", "a: 1   \n---\n- 1\n---\n5\n---\n# nothing\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, failures := rewriter().Rewrite(nil, []byte(test.in))
			if string(got) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			var lines []string
			for _, failure := range failures {
				lines = append(lines, failure.Error())
			}
			if got := strings.Join(lines, "\n"); got != test.failures {
				t.Errorf("failures: got\n%s\nwant\n%s", got, test.failures)
			}
		})
	}
}

func TestRewriteKeepsStashes(t *testing.T) {
	r := rewriter()
	r.Strip = nil
	in := `{"apiVersion":"x.dev/v2","stash":"x","kind":"Thing"}`
	if got, failures := r.Rewrite(nil, []byte(in)); string(got) != in || len(failures) > 0 {
		t.Errorf("got %s, %v", got, failures)
	}
}

func TestTarget(t *testing.T) {
	for text, want := range map[string]string{
		"":         `write it as VERSION or GROUP/VERSION, for example "v1" or "stable.example.com/v1"`,
		"/v1":      `write it as VERSION or GROUP/VERSION, for example "v1" or "stable.example.com/v1"`,
		"a/b/c":    `write it as VERSION or GROUP/VERSION, for example "v1" or "stable.example.com/v1"`,
		"x.dev/":   `write it as VERSION or GROUP/VERSION, for example "v1" or "stable.example.com/v1"`,
		"v3":       `no table has the version v3; there are v1, v2`,
		"y/v1":     `the group y has no table; there are tables for x.dev`,
		"v1":       "",
		"x.dev/v2": "",
	} {
		target, err := ParseTarget(text)
		if err == nil {
			err = target.Check(rewriter().Kinds)
		}
		if got := message(err); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// One group's version is not asked of another group.
func TestTargetVersionOfAnotherGroup(t *testing.T) {
	r := rewriter()
	r.Target = Target{Version: "v9"}
	in := "apiVersion: x.dev/v1\nkind: Thing\n"
	_, failures := r.Rewrite(nil, []byte(in))
	want := "document 1, line 1: Thing (x.dev) has no version v9; it has v1, v2; to convert one group only, write --to GROUP/v9"
	if len(failures) != 1 || failures[0].Error() != want {
		t.Errorf("got %v, want %s", failures, want)
	}
	r.Target = Target{Group: "y.dev", Version: "v9"}
	if out, failures := r.Rewrite(nil, []byte(in)); string(out) != in || len(failures) > 0 {
		t.Errorf("got %s, %v", out, failures)
	}
}

func TestRewriteInTheOtherFormat(t *testing.T) {
	yaml := "# a\n---\napiVersion: x.dev/v1\nkind: Thing\nold: 1.50\n---\n---\nkind: Other # b\nbig: 9007199254740993\n"
	json := "{\n    \"apiVersion\": \"x.dev/v2\",\n    \"kind\": \"Thing\",\n    \"new\": 1.50\n}\n" +
		"{\n    \"kind\": \"Other\",\n    \"big\": 9007199254740993\n}\n"
	back := "apiVersion: x.dev/v2\nkind: Thing\nnew: 1.50\n---\nkind: Other\nbig: 9007199254740993\n"
	for _, test := range []struct {
		in, want string
		output   manifest.Format
	}{
		{yaml, json, manifest.JSON},
		{json, back, manifest.YAML},
		{json, json, manifest.JSON},
		{back, back, manifest.YAML},
	} {
		r := rewriter()
		r.Output = &test.output
		if out, failures := r.Rewrite(nil, []byte(test.in)); string(out) != test.want || len(failures) > 0 {
			t.Errorf("got\n%s\nwant\n%s\n%v", out, test.want, failures)
		}
	}
	r := rewriter()
	output := manifest.YAML
	r.Output = &output
	if _, failures := r.Rewrite(nil, []byte(`{"kind":"Other","a":1,"a":2}`)); len(failures) != 1 ||
		failures[0].Error() != `document 1, line 1: key "a" occurs twice` {
		t.Errorf("got %v", failures)
	}
}

// TestRewriteTakesLinearTime: a list that is eight times as long takes about eight times
// as long to convert, on one line or on many, whether its items can be converted or not.
func TestRewriteTakesLinearTime(t *testing.T) {
	const small, times = 4_000, 8
	for name, item := range map[string]string{
		"on one line":         `{"apiVersion":"x.dev/v1","kind":"Thing","old":1}`,
		"on lines":            "{\n\"apiVersion\":\"x.dev/v1\",\n\"kind\":\"Thing\",\"old\":1}",
		"that fail":           `{"apiVersion":"x.dev/v1","kind":"Thing","bad":1}`,
		"that fail, on lines": "{\n\"apiVersion\":\"x.dev/v1\",\n\"kind\":\"Thing\",\"bad\":1}",
	} {
		t.Run(name, func(t *testing.T) {
			rewrite := func(n int) time.Duration {
				list := []byte(`{"apiVersion":"v1","kind":"List","items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`)
				return cputime.Least(3, func() { rewriter().Rewrite(nil, list) })
			}
			if one, many := rewrite(small), rewrite(times*small); many > 3*times*max(one, time.Millisecond) {
				t.Errorf("%d items take %v, %d items take %v", small, one, times*small, many)
			}
		})
	}
}
