package oracle

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// list is a file such as differences.yaml: where Crosswalk and Kubernetes do not say the same.
type list struct {
	// Views are what the other version shows of an object.
	Views []*difference `json:"views"`
	// Losses are what Kubernetes' converter does not give back after a round trip.
	// Crosswalk gives back everything, so its side is the object as it was.
	Losses []*difference `json:"losses"`
}

// difference is a place that differs in some objects, or several that do for one
// reason.
type difference struct {
	// Place is a path, with [] for any element of a list.
	Place  string   `json:"place"`
	Places []string `json:"places"`
	// From is the version that the object is written in. Without it, both.
	From string `json:"from"`
	// Kubernetes and Crosswalk are what stands there: absent, null, {}, [], "", 0,
	// false, or else object, list, text, number, true. Several are separated by |.
	Kubernetes string `json:"kubernetes"`
	Crosswalk  string `json:"crosswalk"`
	Because    string `json:"because"`
	// Whole compares what is there as one: what differs below it is not told apart.
	Whole bool `json:"whole"`

	seen int
}

func (d *difference) covers(from, place, kubernetes, crosswalk string) bool {
	is := func(said, shape string) bool { return slices.Contains(strings.Split(said, "|"), shape) }
	return d.Place == place && (d.From == "" || d.From == from) && is(d.Kubernetes, kubernetes) && is(d.Crosswalk, crosswalk)
}

// findings are the differences of a kind: those that are listed, and others.
type findings struct{ views, trips, losses findingsOf }

// findingsOf are findings of one sort.
type findingsOf struct {
	sort     string
	listed   []*difference
	unlisted map[string]*finding
}

// most is how many unexplained differences of a sort are told.
const most = 20

// finding is a difference that nobody explains.
type finding struct {
	seen    int
	example string // the smallest object that shows it
}

// newFindings reads a list of a kind.
func newFindings(t *testing.T, kind, file string) *findings {
	t.Helper()
	var l list
	decode(t, read(t, kind, file), &l)
	return &findings{
		views: findingsOf{"view", apart(t, l.Views), map[string]*finding{}},
		// Nothing explains what Crosswalk loses.
		trips:  findingsOf{"round trip of Crosswalk", nil, map[string]*finding{}},
		losses: findingsOf{"loss", apart(t, l.Losses), map[string]*finding{}},
	}
}

// apart lists every place alone: each must differ.
func apart(t *testing.T, listed []*difference) []*difference {
	t.Helper()
	var all []*difference
	for _, d := range listed {
		if d.Because == "" || (d.Place == "") == (d.Places == nil) {
			t.Errorf("%s%s: say where the difference is, in place or places, and why, in because", d.Place, d.Places)
		}
		for _, place := range append(d.Places, d.Place) {
			if place != "" {
				one := *d
				one.Place = place
				all = append(all, &one)
			}
		}
	}
	return all
}

// note compares what Kubernetes says with what Crosswalk says.
func (f *findingsOf) note(t *testing.T, c oracleCase, kubernetes, crosswalk []byte) {
	t.Helper()
	if bytes.Equal(kubernetes, crosswalk) {
		return
	}
	whole := func(place string) bool {
		return slices.ContainsFunc(f.listed, func(d *difference) bool { return d.Whole && d.Place == place })
	}
	walk("", parse(t, kubernetes), parse(t, crosswalk), whole, func(place, k, x string) {
		listed := false
		for _, d := range f.listed {
			if d.covers(c.from, place, k, x) {
				d.seen++
				listed = true
			}
		}
		if listed {
			return
		}
		what := fmt.Sprintf("%s from %s: at %s Kubernetes has %s, and Crosswalk has %s", f.sort, c.from, place, k, x)
		example := fmt.Sprintf("object     %s\nkubernetes %s\ncrosswalk  %s", c.object, kubernetes, crosswalk)
		u := f.unlisted[what]
		if u == nil {
			u = &finding{example: example}
			f.unlisted[what] = u
		}
		u.seen++
		if len(example) < len(u.example) {
			u.example = example
		}
	})
}

// judge fails for what is found and not listed, and for what is listed and not found.
func (f *findings) judge(t *testing.T) {
	t.Helper()
	for _, one := range []findingsOf{f.views, f.trips, f.losses} {
		for i, what := range slices.Sorted(maps.Keys(one.unlisted)) {
			if i == most {
				t.Errorf("and %d more", len(one.unlisted)-most)
				break
			}
			u := one.unlisted[what]
			t.Errorf("%s, in %d objects, for example\n%s", what, u.seen, u.example)
		}
		for _, d := range one.listed {
			t.Logf("%6d × %s of %s: Kubernetes has %s, Crosswalk has %s", d.seen, one.sort, d.Place, d.Kubernetes, d.Crosswalk)
			if d.seen == 0 && !testing.Short() {
				t.Errorf("%s of %s no longer differs: remove it from the list", one.sort, d.Place)
			}
		}
	}
}
