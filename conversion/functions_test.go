package conversion_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// joined computes one text from two and back, and much that is wrong.
func joined() conversion.Function {
	return conversion.Function{
		Revision: "v1",
		ToHub: func(v conversion.Values) (conversion.Values, error) {
			var text string
			if err := json.Unmarshal(v[""], &text); err != nil {
				return nil, err
			}
			a, b, found := strings.Cut(text, "|")
			switch {
			case text == "panic":
				panic("no")
			case text == "type":
				return conversion.Values{"a": []byte("5")}, nil
			case text == "broken":
				return conversion.Values{"a": []byte(`{"x":`)}, nil
			case text == "stranger":
				return conversion.Values{"c": []byte(`"x"`)}, nil
			case text == "null":
				return conversion.Values{"a": []byte("null"), "b": []byte(` "x" `)}, nil
			case !found:
				return nil, errors.New("there is no |")
			}
			first, _ := json.Marshal(a)
			second, _ := json.Marshal(b)
			return conversion.Values{"a": first, "b": second}, nil
		},
		ToSpoke: func(v conversion.Values) (conversion.Values, error) {
			var a, b string
			if json.Unmarshal(v["a"], &a) != nil || json.Unmarshal(v["b"], &b) != nil {
				return conversion.Values{}, nil
			}
			text, err := json.Marshal(a + "|" + b)
			return conversion.Values{"": text}, err
		},
	}
}

func TestFunctions(t *testing.T) {
	crd := versions(t, map[string]string{"v1beta1": spec("s: {type: string}"), "v1": spec("a: {type: string}, b: {type: string}")})
	rows := `[{spoke: .spec.s, hub: {a: .spec.a, b: .spec.b}, func: joined}]`
	with := func(revision string) *conversion.Converter {
		f := joined()
		f.Revision = revision
		c, err := conversion.Compile(crd, table(t, rows), conversion.WithFunctions(conversion.Functions{"joined": f, "other": {}}))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := with("v1")
	if with("v2").Fingerprint() == c.Fingerprint() || with("v1").Fingerprint() != c.Fingerprint() {
		t.Error("the fingerprint does not follow the revision of the function")
	}
	for _, test := range []struct{ from, body, want string }{
		{"v1beta1", `{"s":"x|y"}`, `{"a":"x","b":"y"}`},
		{"v1beta1", `{"s":"x|y|z"}`, `{"a":"x","b":"y|z"}`},
		{"v1beta1", `{"s":"null"}`, `{"b":"x"}`},
		{"v1beta1", `{"s":"panic"}`, `{}`},
		{"v1beta1", `{"s":"type"}`, `{}`},
		{"v1beta1", `{"s":"broken"}`, `{}`},
		{"v1beta1", `{"s":"stranger"}`, `{}`},
		{"v1beta1", `{"s":"none"}`, `{}`},
		{"v1beta1", `{}`, `{}`},
		{"v1", `{"a":"x","b":"y"}`, `{"s":"x|y"}`},
		{"v1", `{"a":"x|y","b":"z"}`, `{"s":"x|y|z"}`},
		{"v1", `{"a":"x"}`, `{}`},
	} {
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		source := thing(test.from, `"spec":`+test.body)
		there := convert(t, c, source, to)
		if want := thing(to, `"spec":`+test.want); !sameJSON(t, strip(t, there), want) {
			t.Errorf("%s becomes %s, want %s", source, there, want)
		}
		if back := convert(t, c, there, test.from); !sameJSON(t, back, source) {
			t.Errorf("%s comes back as %s", source, back)
		}
	}
	for _, test := range []struct{ rows, want string }{
		{`[{spoke: .spec.s, hub: .spec.a, func: joind}]`, "func: this program does not have the Go function joind; it has joined, other; did you mean joined?"},
		{`[{spoke: .spec.s, hub: .spec.a, func: whatever}]`, "func: this program does not have the Go function whatever; it has joined, other; use one of these, or a build of crosswalk that registers it; see docs/go.md"},
		{`[{spoke: .spec.s, hub: .spec.a, func: joined, default: {hub: x}}]`, "func: the row has a default, but the function itself must handle absent fields; remove default"},
	} {
		_, err := conversion.Compile(crd, table(t, test.rows), conversion.WithFunctions(conversion.Functions{"joined": {}, "other": {}}))
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.rows, err, test.want)
		}
	}
	_, err := conversion.Compile(crd, table(t, rows))
	if want := "func: this program does not have the Go function joined; it has no functions; use a build of crosswalk that registers it; docs/go.md shows how to make one"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
