package decimal

import (
	"math/big"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "007": "7", "-1.50": "-1.5", "1e3": "1000", "0.001": "0.001", "18446744073709551615": "18446744073709551615",
		"100000000000000000000000": "100000000000000000000000", "1e30": "1e30", "5e-324": "5e-324", "0.10e1": "1", "120.050": "120.05", "-12e-1": "-1.2",
	} {
		d, ok := Parse(text)
		if got := string(d.Append(nil)); !ok || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.", ".5", "1e", "1e+", "x", "1x", "+1", "18446744073709551616", "1e999", "1e99999999", "--1", "1.2.3", "1 "} {
		if d, ok := Parse(text); ok {
			t.Errorf("%s is read as %s", text, d.Append(nil))
		}
	}
}

func TestScale(t *testing.T) {
	for _, test := range []struct {
		d, times, over string
		whole          bool
		rounding       Rounding
		want           string // empty: no result
	}{
		{"90", "1", "60", false, Exact, "1.5"},
		{"90", "1", "60", true, Exact, ""},
		{"90", "1", "60", true, Down, "1"},
		{"90", "1", "60", true, Up, "2"},
		{"90", "1", "60", true, Nearest, "2"},
		{"-90", "1", "60", true, Down, "-2"},
		{"-90", "1", "60", true, Up, "-1"},
		{"-90", "1", "60", true, Nearest, "-2"},
		{"-30", "1", "60", true, Up, "0"},
		{"89", "1", "60", true, Nearest, "1"},
		{"1", "1", "3", false, Exact, ""},
		{"1", "1", "3", true, Nearest, "0"},
		{"1e-30", "1", "1", true, Up, "1"},
		{"1e-30", "1", "1", true, Nearest, "0"},
		{"1e-30", "1", "1", true, Exact, ""},
		{"-1e-30", "1", "1", true, Down, "-1"},
		{"1e30", "1", "1", true, Exact, ""},
		{"18446744073709551615", "60000000000", "60000000000", true, Exact, "18446744073709551615"},
		{"18446744073709551615", "60", "1", false, Exact, ""},
		{"0", "60", "1", true, Exact, "0"},
		{"1.5", "1024", "1", true, Exact, "1536"},
	} {
		parse := func(text string) Decimal { d, _ := Parse(text); return d }
		d, ok := parse(test.d).Scale(parse(test.times), parse(test.over), test.whole, test.rounding)
		got := ""
		if ok {
			got = string(d.Append(nil))
		}
		if got != test.want {
			t.Errorf("%s * %s / %s (whole %v, rounding %d) is %q, want %q", test.d, test.times, test.over, test.whole, test.rounding, got, test.want)
		}
	}
}

// FuzzParse compares with math/big: what is read is exact.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "-1.50", "1e3", "007", "9223372036854775808", "1e-400", "0.0000001"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := Parse(text)
		if !ok {
			return
		}
		want, known := new(big.Rat).SetString(text)
		got, written := new(big.Rat).SetString(string(d.Append(nil)))
		if !known || !written || want.Cmp(got) != 0 {
			t.Fatalf("%q is read as %s", text, d.Append(nil))
		}
		if again, ok := Parse(d.Append(nil)); !ok || again != d {
			t.Fatalf("%q is %v, written %s and read again %v", text, d, d.Append(nil), again)
		}
	})
}

// FuzzDuration compares with Go's own reader, and what is written with its
// writer.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"0", "5m", "1h30m", "-1.5s", "90s", ".5s", "5.s", "1us", "1µs", "1μs", "9223372036854775807ns", "1d", "", "+1s", "1.0000000001s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := ParseDuration([]byte(text))
		if !ok {
			return
		}
		want, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("%q is read as %s, and Go says %v", text, d.Append(nil), err)
		}
		got, ok := d.AppendDuration(nil)
		if !ok || string(got) != want.String() {
			t.Fatalf("%q is %s, and Go says %s", text, got, want)
		}
	})
}

// FuzzQuantity compares with Kubernetes' own reader and canonical form.
func FuzzQuantity(f *testing.F) {
	for _, text := range []string{"0", "500m", "1.5Gi", "2e3", "2E3", "2E", "1024Mi", "1000", "0.1", "-5", "+5", "1500m", "1n", ".5", "5.", "12345678901234567890", "100k", "1Ki", "512", "-1024Ki"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := ParseQuantity([]byte(text))
		if !ok {
			return
		}
		q, err := resource.ParseQuantity(text)
		if err != nil {
			t.Fatalf("%q is read as %s, and Kubernetes says %v", text, d.Append(nil), err)
		}
		_, fits := d.Int64()
		if d.IsInt() && !fits {
			return // Kubernetes caps it, or writes 1E21 as 1
		}
		for _, binary := range []bool{false, true} {
			got, ok := d.AppendQuantity(nil, binary)
			if !ok {
				continue
			}
			again := resource.MustParse(string(got))
			if again.Cmp(q) != 0 {
				t.Fatalf("%q is written %s", text, got)
			}
			q.Format = resource.DecimalSI
			if binary && fits {
				q.Format = resource.BinarySI
			}
			canonical, suffix := q.CanonicalizeBytes(nil)
			if want := string(canonical) + string(suffix); string(got) != want {
				t.Fatalf("%q is written %s, by Kubernetes %s", text, got, want)
			}
		}
	})
}
