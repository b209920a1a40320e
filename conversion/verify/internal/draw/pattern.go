package draw

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
)

// fromPattern generates a string that matches a pattern. It returns false for expressions with
// assertions such as word boundaries.
func fromPattern(r *rand.Rand, pattern string) (string, bool) {
	expr, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for range 5 {
		var b strings.Builder
		walkPattern(r, &b, expr.Simplify())
		if s := b.String(); compiled.MatchString(s) {
			return s, true
		}
	}
	return "", false
}

func walkPattern(r *rand.Rand, b *strings.Builder, e *syntax.Regexp) {
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		if len(e.Rune) == 0 {
			return
		}
		i := r.IntN(len(e.Rune)/2) * 2
		lo, hi := e.Rune[i], e.Rune[i+1]
		c := lo + rune(r.IntN(int(min(hi-lo, 64))+1))
		if c < 0x20 || c >= 0xD800 && c < 0xE000 {
			c = max(min(hi, '~'), lo)
		}
		b.WriteRune(c)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune(rune('a' + r.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range e.Sub {
			walkPattern(r, b, sub)
		}
	case syntax.OpAlternate:
		walkPattern(r, b, e.Sub[r.IntN(len(e.Sub))])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		low, high := 0, 3
		switch e.Op {
		case syntax.OpPlus:
			low = 1
		case syntax.OpQuest:
			high = 1
		case syntax.OpRepeat:
			low, high = e.Min, e.Max
			if high < 0 || high > low+3 {
				high = low + 3
			}
		}
		for range low + r.IntN(high-low+1) {
			walkPattern(r, b, e.Sub[0])
		}
	}
}
