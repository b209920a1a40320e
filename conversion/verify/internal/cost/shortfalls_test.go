package cost

import (
	"slices"
	"testing"
	"time"
)

// listed has a list of shortfalls for a test.
func listed(t *testing.T, list ...Shortfall) {
	was := shortfalls
	shortfalls = list
	t.Cleanup(func() { shortfalls = was })
}

// costing is a verdict on a family that takes some times the time of decoding.
func costing(name string, times int) Verdict {
	law := Ordinary()
	return Verdict{
		Family: Family{Name: name, Law: law},
		Costs:  []Cost{{Bytes: 1000, Time: law.Slack + time.Duration(times)*time.Millisecond, Decoding: time.Millisecond, Tree: 1}},
	}
}

func TestShortfalls(t *testing.T) {
	listed(t, Shortfall{Of: []string{"star", "of another table"}, Times: 100}, Shortfall{Of: []string{"star"}, Trees: 7})
	for _, test := range []struct {
		name   string
		times  int
		broken bool
	}{
		{"star: values of another table", 20, false},
		{"star: values of another table", 120, false},
		{"star: values of another table", 160, true},
		{"star: values of this table", 30, true},
		{"keyed: values of another table", 30, true},
	} {
		v := costing(test.name, test.times)
		if broken := len(v.Broken(lawToday(v.Family))) > 0; broken != test.broken {
			t.Errorf("%v: %t", v, broken)
		}
	}
	all := []Verdict{costing("star: values of another table", 120), costing("keyed: values of another table", 30)}
	if mended := Mended(all); !slices.Equal(mended, []string{`["star"]: Trees of 7`}) {
		t.Errorf("%q", mended)
	}
	all[0] = costing("star: values of another table", 20)
	if mended := Mended(all); len(mended) != 2 {
		t.Errorf("%q", mended)
	}
}

// Every line of the list is about some family, says why, and has a number.
func TestListOfShortfalls(t *testing.T) {
	all := families(t)
	for _, s := range shortfalls {
		if !slices.ContainsFunc(all, s.about) {
			t.Errorf("%q is about no family", s.Of)
		}
		if s.Because == "" || s.Times+s.Trees+s.Exponent == 0 {
			t.Errorf("%+v", s)
		}
	}
}
