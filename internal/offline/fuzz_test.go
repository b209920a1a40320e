package offline

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// FuzzRewrite holds that a stream without objects of ours comes out byte for
// byte, and that what comes out can be read again.
func FuzzRewrite(f *testing.F) {
	for _, seed := range []string{
		"a: 1\n---\nb: 2\n", `{"a":1} {"b":2}`, "apiVersion: x.dev/v1\nkind: Thing\nold: 1\n",
		`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"x.dev/v1","kind":"Thing","bad":0},{"apiVersion":"x.dev/v1","kind":"Thing"}]}`,
		"apiVersion: v1\nkind: List\nitems: [{apiVersion: x.dev/v1, kind: Thing}]\n", "--- {kind: Thing, apiVersion: x.dev/v1}\n...\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		if len(stream) > 4096 {
			return
		}
		none := &Rewriter{Target: Target{Version: "v2"}}
		if out, failures := none.Rewrite(nil, stream); len(failures) == 0 && !bytes.Equal(out, stream) {
			t.Errorf("got %q from %q", out, stream)
		}
		out, _ := rewriter().Rewrite(nil, stream)
		format := manifest.Detect(stream)
		if bytes.TrimSpace(out) == nil || manifest.Detect(out) != format {
			return
		}
		docs, err := manifest.Split(out, format)
		if err != nil {
			t.Fatalf("%v: %q from %q", err, out, stream)
		}
		for _, doc := range docs {
			if doc.Number == 0 {
				continue
			}
			if format == manifest.JSON {
				if !json.Valid(doc.Text) {
					t.Errorf("%q from %q", doc.Text, stream)
				}
			} else if _, err := manifest.Parse(doc, format); err != nil {
				t.Errorf("%v: %q from %q", err, doc.Text, stream)
			}
		}
	})
}
