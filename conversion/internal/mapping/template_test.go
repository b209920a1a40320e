package mapping

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/cputime"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// someTemplates have holes a, b, c and d, of which n and m are integers.
var someTemplates = []string{
	"{a}:{b}", "{a}:{n}", "{n}-{m}", "{a}/{n}/{b}", "x{a}y{b}z", "{a!:}:{b}", "{a!:/}:{b!:é}",
	"{a}[:{b}]", "[{a}/]{b}", "{a}[:{n}]", "v{n}[-{a}.{m}]", "{a}[:{b!/}]", "{a}[.{b}][.{c}]",
	"[{a}/]{b}[:{c}][@{d}]", "{a}[:{n}][/{b}]", "[{a}://]{b}[:{n}]", "[{a}://]{b}[:{n}][/{c}]!",
	"{a}[={b}][:{c}]", "[[{a}]][{{{b}}}]", "[{n}-][{m}+]{a}",
}

// templateOf is a template whose holes are tied to places of their names.
func templateOf(t testing.TB, text string) (*Template, []string) {
	t.Helper()
	var names []string
	var parts []*schema.Schema
	for _, name := range []string{"a", "b", "c", "d", "n", "m"} {
		if !strings.Contains(text, "{"+name+"}") && !strings.Contains(text, "{"+name+"!") {
			continue
		}
		s := &schema.Schema{Type: "string"}
		if name >= "m" {
			s.Type = "integer"
		}
		names, parts = append(names, name), append(parts, s)
	}
	out, err := ParseTemplate(text, names, parts, plan.Spoke)
	if err != nil {
		t.Fatal(err)
	}
	return out, names
}

// templateExpression is the regular expression that says how a template is read.
func templateExpression(text string) *regexp.Regexp {
	sparing := ""
	if strings.ContainsRune(regexp.MustCompile(`\[\[|\]\]`).ReplaceAllString(text, ""), '[') {
		sparing = "?"
	}
	out := regexp.MustCompile(`\[\[|\]\]|\{\{|\}\}|\{(\w)(?:!([^}]*))?\}|\[|\]|[^][{}]+`).ReplaceAllStringFunc(text, func(token string) string {
		switch {
		case token == "[":
			return "(?:"
		case token == "]":
			return ")?"
		case len(token) == 2 && token[0] == token[1] && strings.Contains("[]{}", token[:1]):
			return regexp.QuoteMeta(token[:1])
		case token[0] != '{':
			return regexp.QuoteMeta(token)
		}
		name, never, limited := strings.Cut(strings.Trim(token, "{}"), "!")
		switch {
		case name >= "m":
			return "(?P<" + name + ">-?[0-9]{1,18}" + sparing + ")"
		case limited:
			return "(?P<" + name + ">[^" + regexp.QuoteMeta(never) + "]*" + sparing + ")"
		}
		return "(?P<" + name + ">.*" + sparing + ")"
	})
	return regexp.MustCompile("^(?s:" + out + ")$")
}

// FuzzTemplate: a template is read as its regular expression is, and what it is read as is
// written as it was, but for zeros before an integer.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{
		"", ":", "a", "a:b", "a:1", "-1-2", "a/007/b", "xaybz", "xyyzz", "a:b:c", "a::b", "1.2", "1.2.3", "docker.io/library/nginx:1.27@sha256:abc", "nginx", "app@sha256:abc",
		"host:80/a:b/c", "[::1]:443", "https://[::1]:443/x!", "k=v:E", "k:E", "[a]{b}", "v1-a.2", "v1-a.b.3", "1-2+a", "-1+a", "é:ü", "aé:é", "1234567890123456789:1234567890123456789", "a:-", "a:-0",
	} {
		f.Add(text)
	}
	huge := regexp.MustCompile("[0-9]{19}") // whether that fits no expression says
	exprs := map[string]*regexp.Regexp{}
	for _, form := range someTemplates {
		exprs[form] = templateExpression(form)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 100 || huge.MatchString(text) {
			return // a longer one may fit, and yet take too many steps
		}
		for _, form := range someTemplates {
			of, names := templateOf(t, form)
			out := make([][]byte, len(names))
			_, ok := of.Convert(nil, plan.Spoke, [][]byte{jsontext.Quote(nil, text)}, out)
			expr := exprs[form]
			want := expr.FindStringSubmatchIndex(text)
			if ok != (want != nil) {
				t.Fatalf("%q is read by %q: %v, want %v", text, form, ok, want)
			}
			if !ok {
				continue
			}
			zeros := false
			for i, name := range names {
				at := 2 * expr.SubexpIndex(name)
				switch {
				case want[at] < 0:
					if out[i] != nil {
						t.Fatalf("%q read by %q has %s: %s", text, form, name, out[i])
					}
				case name >= "m":
					part := text[want[at]:want[at+1]]
					if got := string(out[i]); got != part && strings.TrimLeft(part, "-0") != strings.TrimLeft(got, "-0") {
						t.Fatalf("%q read by %q gives %s: %s, want %s", text, form, name, got, part)
					}
					zeros = zeros || string(out[i]) != part
				default:
					if part := string(jsontext.Quote(nil, text[want[at]:want[at+1]])); string(out[i]) != part {
						t.Fatalf("%q read by %q gives %s: %s, want %s", text, form, name, out[i], part)
					}
				}
			}
			back := [][]byte{nil}
			if _, ok := of.Convert(nil, plan.Hub, out, back); !ok || !zeros && string(back[0]) != string(jsontext.Quote(nil, text)) {
				t.Fatalf("%q read by %q as %q is written as %s", text, form, out, back[0])
			}
		}
	})
}

// TestTemplatesOfHostileTexts: the work grows with the length of a text, and not with its
// square, even if the text almost fits.
func TestTemplatesOfHostileTexts(t *testing.T) {
	const size = 256 << 10
	for _, form := range []string{"{a}:{b}/{c}", "{a}:{b}:{c}:{d}!", "{a}[:{b}][/{c}]!", "[{a}:]{b!x}[:{c}][:{d}]!", "{a!x}:{b!x}:{c!x}/{d}"} {
		of, names := templateOf(t, form)
		for _, unit := range []string{":", "a:", "a", "/:"} {
			text := jsontext.Quote(nil, strings.Repeat(unit, size/2/len(unit))+strings.Repeat("a", size/2))
			took := cputime.Of(func() { of.Convert(nil, plan.Spoke, [][]byte{text}, make([][]byte, len(names))) })
			// Some ten milliseconds; with the square it is minutes.
			if took > 2*time.Second {
				t.Errorf("%q of %s...: %v", form, unit, took)
			}
		}
	}
}
