package cost

import (
	"fmt"
	"strings"
)

// Shortfall describes families that break the law today.
type Shortfall struct {
	// Of has the texts that the names of the families contain.
	Of []string
	// From is the least size of the largest object of such a family, in bytes.
	From int
	// Times, Trees and Exponent are the most that any of them was found to cost, or 0 if the law
	// allows it.
	Times, Trees, Exponent float64
	// Because is what has to be done.
	Because string
}

// shortfalls are the known shortfalls. A line that is removed becomes the law.
var shortfalls = []Shortfall{
	{Of: []string{"of another table"}, Times: 60, Because: "to find out which entries have a place, four times the object is converted back"},
	{Of: []string{"horizontalpodautoscaler: empty metrics"}, Times: 50, Because: "each element is computed three times: there, to see whether that is exact, and back"},
	{Of: []string{"text: yaml: many"}, Exponent: 2.1, Because: "the library moves all that it has yet to write"},
	{Of: []string{"text: yaml: flow maps"}, Exponent: 1.45, Because: "the library keeps all that it has written, and the collector goes through it"},
	{Of: []string{"text: json: members"}, Times: 70, Because: "to encoding/json the object is one string"},
	{Of: []string{"cel: a list in a list"}, Times: 1700, Because: "what expressions may cost is a constant of a tenth of a second"},
	{Of: nil, Trees: 14, Because: "an element has a frame of 112 bytes and its places of 48 on each side"},
}

// tolerance is how many times the known cost of a shortfall is allowed: memory depends on when the
// collector runs, and time on when an endless family is stopped.
const tolerance = 1.5

// lawToday returns a family's law with its known shortfalls.
func lawToday(f Family) Law {
	law := f.Law
	for _, s := range shortfalls {
		if s.about(f) {
			law.Times = max(law.Times, tolerance*s.Times)
			law.Trees = max(law.Trees, tolerance*s.Trees)
			law.Exponent = max(law.Exponent, tolerance*s.Exponent)
		}
	}
	return law
}

// about reports whether a shortfall is about a family.
func (s Shortfall) about(f Family) bool {
	for _, what := range s.Of {
		if !strings.Contains(f.Name, what) {
			return false
		}
	}
	return f.Size >= s.From
}

// Mended returns the shortfalls that no verdict has any more. The verdicts must be of all families
// at their whole size. They should be removed from the list.
func Mended(verdicts []Verdict) []string {
	var mended []string
	for _, s := range shortfalls {
		var times, trees, exponent bool
		for _, v := range verdicts {
			if s.about(v.Family) {
				times = times || v.Times() > v.Family.Law.Times
				trees = trees || v.Trees() > v.Family.Law.Trees
				exponent = exponent || v.Exponent > v.Family.Law.Exponent
			}
		}
		for _, number := range []struct {
			name   string
			listed float64
			seen   bool
		}{{"Times", s.Times, times}, {"Trees", s.Trees, trees}, {"Exponent", s.Exponent, exponent}} {
			if number.listed > 0 && !number.seen {
				mended = append(mended, fmt.Sprintf("%q: %s of %.3g", s.Of, number.name, number.listed))
			}
		}
	}
	return mended
}
