package decimal

import (
	"strings"
	"time"
)

// unitsOfTime are the units of time.ParseDuration, and the day.
var unitsOfTime = []struct {
	name        string
	nanoseconds Decimal
	inText      bool // whether a duration may be written with it
}{
	{"ns", Decimal{Digits: 1}, true},
	{"us", Decimal{Digits: 1, Exponent: 3}, true},
	{"µs", Decimal{Digits: 1, Exponent: 3}, true}, // U+00B5, the micro sign
	{"μs", Decimal{Digits: 1, Exponent: 3}, true}, // U+03BC, the Greek letter mu
	{"ms", Decimal{Digits: 1, Exponent: 6}, true},
	{"s", Decimal{Digits: 1, Exponent: 9}, true},
	{"m", Decimal{Digits: 6, Exponent: 10}, true},
	{"h", Decimal{Digits: 36, Exponent: 11}, true},
	{"d", Decimal{Digits: 864, Exponent: 11}, false},
}

// Time returns the length of a unit of time in nanoseconds.
func Time(unit string) (Decimal, bool) {
	for _, u := range unitsOfTime {
		if u.name == unit {
			return u.nanoseconds, true
		}
	}
	return Decimal{}, false
}

// ParseDuration parses a duration as Go writes it (time.ParseDuration), such as 1h30m or -1.5s, in
// nanoseconds. It fails for fractions of a nanosecond.
func ParseDuration(text []byte) (Decimal, bool) {
	var total int64
	rest := string(text)
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	if rest == "0" {
		return Decimal{}, true
	}
	if rest == "" {
		return Decimal{}, false
	}
	for rest != "" {
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if end <= 0 {
			return Decimal{}, false
		}
		count, ok := Parse(padded(rest[:end]))
		rest = rest[end:]
		if end = strings.IndexFunc(rest, func(r rune) bool { return r == '.' || r >= '0' && r <= '9' }); end < 0 {
			end = len(rest)
		}
		unit, known := duration(rest[:end])
		rest = rest[end:]
		if !ok || !known {
			return Decimal{}, false
		}
		part, ok := count.Scale(unit, Decimal{Digits: 1}, true, Exact)
		if !ok {
			return Decimal{}, false
		}
		n, ok := part.Int64()
		if total += n; !ok || total < 0 {
			return Decimal{}, false
		}
	}
	d := Int(uint64(total))
	d.Negative = negative && total != 0
	return d, true
}

func duration(unit string) (Decimal, bool) {
	for _, u := range unitsOfTime {
		if u.name == unit && u.inText {
			return u.nanoseconds, true
		}
	}
	return Decimal{}, false
}

// padded adds the zeros that Go allows to leave out, before and after the point.
func padded(text string) string {
	if text == "." || strings.Count(text, ".") > 1 {
		return ""
	}
	if text[0] == '.' {
		text = "0" + text
	}
	return strings.TrimSuffix(text, ".")
}

// AppendDuration writes nanoseconds as time.Duration does: 1m30s, 5m0s.
func (d Decimal) AppendDuration(dst []byte) ([]byte, bool) {
	n, ok := d.Int64()
	if !ok {
		return dst, false
	}
	return append(dst, time.Duration(n).String()...), true
}
