package decimal

import (
	"strconv"
	"strings"
)

// suffix is a suffix of k8s.io/apimachinery/pkg/api/resource.
type suffix struct {
	name  string
	value Decimal
}

// The suffixes, from the largest.
var (
	powersOfTen = []suffix{
		{"E", Decimal{Digits: 1, Exponent: 18}},
		{"P", Decimal{Digits: 1, Exponent: 15}},
		{"T", Decimal{Digits: 1, Exponent: 12}},
		{"G", Decimal{Digits: 1, Exponent: 9}},
		{"M", Decimal{Digits: 1, Exponent: 6}},
		{"k", Decimal{Digits: 1, Exponent: 3}},
		{"", Decimal{Digits: 1}},
		{"m", Decimal{Digits: 1, Exponent: -3}},
		{"u", Decimal{Digits: 1, Exponent: -6}},
		{"n", Decimal{Digits: 1, Exponent: -9}},
	}
	powersOf1024 = []suffix{
		{"Ei", Int(1 << 60)}, {"Pi", Int(1 << 50)}, {"Ti", Int(1 << 40)}, {"Gi", Int(1 << 30)}, {"Mi", Int(1 << 20)}, {"Ki", Int(1 << 10)},
	}
)

// Suffix returns the value of the suffix of a quantity, and whether it is a power of 1024.
func Suffix(name string) (value Decimal, binary, ok bool) {
	for i, list := range [...][]suffix{powersOfTen, powersOf1024} {
		for _, s := range list {
			if s.name == name {
				return s.value, i == 1, true
			}
		}
	}
	return Decimal{}, false, false
}

// ParseQuantity parses a quantity such as 500m, 1.5Gi or 2e3.
func ParseQuantity(text []byte) (Decimal, bool) {
	rest := string(text)
	sign := ""
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return Decimal{}, false
	}
	digits := padded(rest[:end])
	if digits == "" {
		return Decimal{}, false
	}
	if value, _, ok := Suffix(rest[end:]); ok {
		d, ok := Parse(sign + digits)
		if !ok {
			return d, false
		}
		return d.Scale(value, Decimal{Digits: 1}, false, Exact)
	}
	return Parse(sign + digits + rest[end:]) // 1e3, or an unknown suffix
}

// AppendQuantity writes a quantity in its canonical form (resource.Quantity.CanonicalizeBytes):
// with the largest suffix that leaves no fraction. It fails for fractions of a billionth.
func (d Decimal) AppendQuantity(dst []byte, binary bool) ([]byte, bool) {
	if d.Digits == 0 {
		return append(dst, '0'), true
	}
	if n, ok := d.Int64(); binary && ok && (n <= -1024 || n >= 1024) {
		for _, s := range powersOf1024 {
			size, _ := s.value.Int64()
			if n%size == 0 {
				return append(strconv.AppendInt(dst, n/size, 10), s.name...), true
			}
		}
		return strconv.AppendInt(dst, n, 10), true
	}
	for _, s := range powersOfTen {
		if d.Exponent < s.value.Exponent {
			continue
		}
		mantissa := d
		mantissa.Exponent -= s.value.Exponent
		if _, ok := mantissa.Int64(); !ok {
			return dst, false
		}
		return append(mantissa.Append(dst), s.name...), true
	}
	return dst, false
}
