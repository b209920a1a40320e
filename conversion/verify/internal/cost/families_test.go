package cost

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// families are all, and some that are drawn.
func families(t *testing.T) []Family {
	t.Helper()
	all, err := Families(os.DirFS("../../../../examples"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(100) {
		f, err := Drawn(1, n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// Every family has a name of its own, and writes objects that grow, that an API server would
// store, and the same each time.
func TestFamilies(t *testing.T) {
	names, stashes := map[string]bool{}, 0
	for _, f := range families(t) {
		if names[f.Name] {
			t.Errorf("there are two %q", f.Name)
		}
		names[f.Name] = true
		small, large := f.Object(f.Size/16), f.Object(f.Size/4)
		if string(f.Object(f.Size/16)) != string(small) {
			t.Errorf("%s: not the same again", f.Name)
		}
		grown := float64(len(large)) / float64(len(small))
		if len(large) > 2*f.Size || grown < 1.3 || math.IsInf(grown, 0) {
			t.Errorf("%s: %d bytes, and %d for four times the size", f.Name, len(small), len(large))
		}
		var o struct{ Kind string }
		if err := json.Unmarshal(large, &o); err != nil || o.Kind == "" {
			t.Errorf("%s: %v: %.200s", f.Name, err, large)
		}
		length := 0
		for name, text := range annotationsOf(large) {
			length += len(name) + len(text)
			if _, is := stash.Owner([]byte(name)); is {
				stashes++
			}
		}
		if length > 256<<10 && !strings.Contains(f.Name, "back from") {
			t.Errorf("%s: %d bytes of annotations", f.Name, length)
		}
	}
	if len(names) < 600 || stashes < 500 {
		t.Errorf("%d families, %d stashes", len(names), stashes)
	}
}

// The short form has every named family and every way to fill a stash that is not known to be
// far too slow.
func TestShort(t *testing.T) {
	all := families(t)
	for name, list := range map[string][]Shortfall{
		"as it is":                     shortfalls,
		"where nothing falls short":    nil,
		"where much is slow and large": {{Of: []string{"of another table"}, Times: 300}, {Of: []string{"star"}, Trees: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			listed(t, list...)
			short := Short(all)
			text := ""
			for _, f := range short {
				text += f.Name + "\n"
				if farTooSlow(f) {
					t.Errorf("%s is known to be far too slow", f.Name)
				}
			}
			for what := range forgeries() {
				if !strings.Contains(text, what) {
					t.Errorf("%s is left out", what)
				}
			}
			for _, f := range all {
				if f.group == "" && !farTooSlow(f) && !strings.Contains(text, f.Name) {
					t.Errorf("%s is left out", f.Name)
				}
			}
			if len(short) > len(all)/3 {
				t.Errorf("%d of %d", len(short), len(all))
			}
		})
	}
}
