package report

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct{ before, now, want string }{
		{"", "", ""},
		{"a", "", "- a\n"},
		{"", "a", "+ a\n"},
		{"a b c", "a b c", "  a\n  b\n  c\n"},
		{"a b c", "a x c", "  a\n- b\n+ x\n  c\n"},
		{"a b c", "x y c", "- a\n- b\n+ x\n+ y\n  c\n"},
	} {
		if got := Diff(strings.Fields(test.before), strings.Fields(test.now)); got != test.want {
			t.Errorf("%q and %q:\n%s", test.before, test.now, got)
		}
	}
}

// sides are the two texts that a difference shows, and how many lines of it are
// gone or new.
func sides(diff string) (before, now []string, changes int) {
	for line := range strings.Lines(diff) {
		mark, text := line[0], strings.TrimSuffix(line[2:], "\n")
		if mark != '+' {
			before = append(before, text)
		}
		if mark != '-' {
			now = append(now, text)
		}
		if mark != ' ' {
			changes++
		}
	}
	return before, now, changes
}

// least is how many lines at least are gone or new.
func least(before, now []string) int {
	// row[j] is that of what is before and of the first j lines of now.
	row := make([]int, len(now)+1)
	for j := range row {
		row[j] = j
	}
	for i, line := range before {
		last := row[0]
		row[0] = i + 1
		for j, other := range now {
			here := min(row[j], row[j+1]) + 1
			if line == other {
				here = last
			}
			last, row[j+1] = row[j+1], here
		}
	}
	return row[len(now)]
}

// A difference shows both sides whole, and no more changes than it must.
func TestDiffShowsBothSides(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	lines := func() []string {
		lines := make([]string, random.IntN(60))
		for i := range lines {
			lines[i] = fmt.Sprint(random.IntN(1 + random.IntN(80)))
		}
		return lines
	}
	for range 5000 {
		before, now := lines(), lines()
		diff := Diff(before, now)
		was, is, changes := sides(diff)
		if !slices.Equal(was, before) || !slices.Equal(is, now) {
			t.Fatalf("%q and %q:\n%s", before, now, diff)
		}
		if n := least(before, now); changes != n {
			t.Fatalf("%q and %q: %d changes, %d are enough:\n%s", before, now, changes, n, diff)
		}
	}
}

// A ConfigMap of 40,000 keys took more than 4.4 GB: a field for each pair of lines.
func TestDiffOfManyLines(t *testing.T) {
	const n = 40_000
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("  key-%06d: value", i)
	}
	edited := func(every int) []string {
		lines := slices.Clone(keys)
		for i := every / 2; i < n; i += every {
			lines[i] += " edited"
		}
		return lines
	}
	equal := slices.Repeat([]string{"- a"}, n)
	around := func(first, last string) []string { return slices.Concat([]string{first}, equal, []string{last}) }
	turned := slices.Clone(keys)
	slices.Reverse(turned)
	for _, test := range []struct {
		name        string
		before, now []string
		most        int // changes
	}{
		{"one edit", keys, edited(n), 2},
		{"many edits", keys, edited(10), n / 5},
		{"each edited", keys, edited(1), 2 * n},
		{"two edits around equal lines", around("x", "y"), around("v", "w"), 4},
		{"equal lines among others", equal, edited(1), 2 * n},
		{"a key at each end", keys, slices.Concat([]string{"a"}, keys, []string{"z"}), 2},
		{"a label and one key", keys, slices.Concat([]string{"a: b"}, edited(n)), 3},
		{"turned round", keys, turned, 2*n - 2},
		{"two halves exchanged", keys, slices.Concat(keys[n/2:], keys[:n/2]), n},
		{"twice each", slices.Concat(keys, keys), slices.Concat(keys, edited(n)), 2},
		{"pairs in another order", slices.Concat(keys, keys), slices.Concat(turned, turned), 4 * n},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			allocated := stats.TotalAlloc
			diff := Diff(test.before, test.now)
			runtime.ReadMemStats(&stats)
			allocated = stats.TotalAlloc - allocated
			was, is, changes := sides(diff)
			if allocated > 200<<20 {
				t.Errorf("it took %d MB", allocated>>20)
			}
			if changes > test.most {
				t.Errorf("%d changes, want %d at most", changes, test.most)
			}
			if !slices.Equal(was, test.before) || !slices.Equal(is, test.now) {
				t.Error("the difference does not show both sides whole")
			}
		})
	}
}
