package oracle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// list is differences.yaml: where Crosswalk and Kubernetes do not say the same.
type list struct {
	// Views are what the other version shows of an object.
	Views []*difference `json:"views"`
	// Losses are what Kubernetes' converter does not give back after a round trip.
	// Crosswalk gives back everything, so its side is the object as it was.
	Losses []*difference `json:"losses"`
}

// difference is one place that differs in some objects.
type difference struct {
	// Place is a path, with [] for any element of a list.
	Place string `json:"place"`
	// From is the version that the object is written in. Without it, both.
	From string `json:"from"`
	// Kubernetes and Crosswalk are what stands there: absent, null, {}, [], "", 0,
	// false, or else object, list, text, number, true. Several are separated by |.
	Kubernetes string `json:"kubernetes"`
	Crosswalk  string `json:"crosswalk"`
	Because    string `json:"because"`

	seen int
}

func (d *difference) covers(from, place, kubernetes, crosswalk string) bool {
	is := func(said, shape string) bool { return slices.Contains(strings.Split(said, "|"), shape) }
	return d.Place == place && (d.From == "" || d.From == from) && is(d.Kubernetes, kubernetes) && is(d.Crosswalk, crosswalk)
}

// findings are the differences of a kind: those that are listed, and others.
type findings struct{ views, losses findingsOf }

// findingsOf are findings of one sort.
type findingsOf struct {
	sort     string
	listed   []*difference
	unlisted map[string]*finding
}

// finding is a difference that nobody explains.
type finding struct {
	seen    int
	example string // the smallest object that shows it
}

func newFindings(t *testing.T, dir string) *findings {
	t.Helper()
	var l list
	decode(t, read(t, dir, "differences.yaml"), &l)
	for _, d := range slices.Concat(l.Views, l.Losses) {
		if d.Because == "" {
			t.Errorf("%s is not explained", d.Place)
		}
	}
	return &findings{
		views:  findingsOf{"view", l.Views, map[string]*finding{}},
		losses: findingsOf{"loss", l.Losses, map[string]*finding{}},
	}
}

// note compares what Kubernetes says with what Crosswalk says.
func (f *findingsOf) note(t *testing.T, c oracleCase, kubernetes, crosswalk []byte) {
	t.Helper()
	if bytes.Equal(kubernetes, crosswalk) {
		return
	}
	walk("", parse(t, kubernetes), parse(t, crosswalk), func(place, k, x string) {
		listed := false
		for _, d := range f.listed {
			if d.covers(c.From, place, k, x) {
				d.seen++
				listed = true
			}
		}
		if listed {
			return
		}
		what := fmt.Sprintf("%s from %s: at %s Kubernetes has %s, and Crosswalk has %s", f.sort, c.From, place, k, x)
		example := fmt.Sprintf("object     %s\nkubernetes %s\ncrosswalk  %s", c.Object, kubernetes, crosswalk)
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
	for _, one := range []findingsOf{f.views, f.losses} {
		for what, u := range one.unlisted {
			t.Errorf("%s, in %d objects, for example\n%s", what, u.seen, u.example)
		}
		for _, d := range one.listed {
			t.Logf("%6d × %s of %s: Kubernetes has %s, Crosswalk has %s", d.seen, one.sort, d.Place, d.Kubernetes, d.Crosswalk)
			if d.seen == 0 && !testing.Short() {
				t.Errorf("%s of %s no longer differs: remove it from differences.yaml", one.sort, d.Place)
			}
		}
	}
}
