package draw

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

var plainStrings = []string{
	"", "a", "b", "c", "web", "db", "0", "1", "007", "-1", "null", "true", "a:1", "a:b", "a:b:2", ":", "1:", "host:80", "host:0080",
	"host:99999999999999999999", "{}", "[]", "a.b", "a/b", `it's`, `say "hi"`, `back\slash`, "tab\tnew\nline", "üñí", "日本", "😀", "é", "e\u0301",
	"<&>", "\u2028", "\x7f", " ", "a ", "5m", "1h30m", "100Mi", "2024-01-01T00:00:00Z",
}

var integers = []string{
	"0", "1", "2", "-1", "80", "443", "30", "2147483647", "-2147483648", "2147483648", "9007199254740991", "9007199254740992", "9007199254740993",
	"-9007199254740993", "9223372036854775807", "-9223372036854775808",
}

var numbers = []string{
	"0", "1", "-1", "0.5", "1.5", "0.1", "-0.25", "1e21", "1e-7", "3.141592653589793", "123456789.125", "5e-324", "1.7976931348623157e308",
	"1.0", "1.50", "1e3", "-0", "-0.0", "100000000000000000000",
}

func (g *Generator) text(s *structuralschema.Structural) string {
	vv := s.ValueValidation
	if vv == nil {
		vv = &structuralschema.ValueValidation{}
	}
	for range 8 {
		var out string
		switch {
		case vv.Pattern != "":
			made, ok := fromPattern(g.Rand, vv.Pattern)
			if !ok {
				continue
			}
			g.Seen.Count("string/pattern")
			out = made
		case vv.Format != "":
			out = g.format(vv.Format)
		default:
			out = g.AnyText()
		}
		n := int64(utf8.RuneCountInString(out))
		if vv.MinLength != nil && n < *vv.MinLength {
			out += strings.Repeat("x", int(*vv.MinLength-n))
		}
		if vv.MaxLength != nil && n > *vv.MaxLength {
			out = string([]rune(out)[:*vv.MaxLength])
		}
		switch {
		case out == "":
			g.Seen.Count("string/empty")
		case !ascii(out):
			g.Seen.Count("string/unicode")
		case strings.ContainsAny(out, "\"\\\n"):
			g.Seen.Count("string/escaped")
		}
		return out
	}
	return ""
}

func (g *Generator) AnyText() string {
	switch n := g.Rand.IntN(10); {
	case n < 4 && len(g.Hints) > 0:
		if hint := g.Hints[g.Rand.IntN(len(g.Hints))]; hint.Kind == tree.String {
			g.Seen.Count("string/hint")
			return hint.Text
		}
		fallthrough
	case n < 9:
		return plainStrings[g.Rand.IntN(len(plainStrings))]
	}
	b := make([]rune, g.Rand.IntN(8))
	for i := range b {
		b[i] = []rune("abcxyz019-:/.é世")[g.Rand.IntN(15)]
	}
	return string(b)
}

func (g *Generator) format(format string) string {
	pick := func(s ...string) string { return s[g.Rand.IntN(len(s))] }
	g.Seen.Count("string/format")
	switch format {
	case "date-time":
		return pick("2024-02-29T12:00:00Z", "1999-12-31T23:59:59.999Z")
	case "date":
		return pick("2024-02-29", "1970-01-01")
	case "duration":
		return pick("5m0s", "90s", "1h")
	case "uuid":
		return pick("7c9e6679-7425-40de-944b-e07fc1f90ae7", "00000000-0000-4000-8000-000000000000")
	case "ipv4":
		return pick("10.0.0.1", "192.168.0.255")
	case "email":
		return pick("a@example.com")
	case "uri":
		return pick("https://example.com/a?b=c", "urn:x")
	case "byte":
		return pick("YQ==", "AAEC")
	}
	return g.AnyText()
}

func (g *Generator) integer(s *structuralschema.Structural) string {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if vv := s.ValueValidation; vv != nil {
		if vv.Format == "int32" {
			low, high = math.MinInt32, math.MaxInt32
		}
		if vv.Minimum != nil {
			low = max(low, int64(*vv.Minimum))
		}
		if vv.Maximum != nil {
			high = min(high, int64(*vv.Maximum))
		}
	}
	if g.Rand.IntN(3) == 0 {
		if hint := g.hint(tree.Number); hint != nil {
			if i, err := strconv.ParseInt(hint.Text, 10, 64); err == nil && i >= low && i <= high {
				return hint.Text
			}
		}
	}
	for range 6 {
		text := integers[g.Rand.IntN(len(integers))]
		if i, _ := strconv.ParseInt(text, 10, 64); i >= low && i <= high {
			switch {
			case i == 0:
				g.Seen.Count("integer/zero")
			case i > 1<<53 || i < -(1<<53):
				g.Seen.Count("integer/beyond 2^53")
			}
			return text
		}
	}
	span := uint64(min(high-low, 1000)) + 1
	if high-low < 0 {
		span = 1000
	}
	return strconv.FormatInt(low+int64(g.Rand.Uint64N(span)), 10)
}

func (g *Generator) number(s *structuralschema.Structural) string {
	if vv := s.ValueValidation; vv != nil && (vv.Minimum != nil || vv.Maximum != nil) {
		return g.integer(s)
	}
	g.Seen.Count("number/float")
	text := numbers[g.Rand.IntN(len(numbers))]
	if tree.NormalNumber(text) != text {
		g.Seen.Count("number/not normal")
	}
	return text
}

func (g *Generator) hint(kind tree.Kind) *tree.Value {
	if len(g.Hints) == 0 {
		return nil
	}
	if hint := g.Hints[g.Rand.IntN(len(g.Hints))]; hint.Kind == kind {
		return hint
	}
	return nil
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
