package compile

import (
	"regexp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// collector gathers what is found in all scopes of a plan.
type collector struct {
	list []Problem
	// found are all problems, and shapes where those of a shape are in the list: one
	// mistake in a named table is found at each of the places that it is used for.
	found  []Problem
	shapes map[Problem]int
	// reported counts what was added, found or not.
	reported int
	// warnings are what a table may mean all the same, and warned their shapes.
	warnings []Problem
	warned   map[Problem]bool
	private  []Private
	// used are the tables that rows use.
	used map[string]bool
	// present are the rows of named tables, by their titles, that name something in one
	// of the versions, and missing reports those that do not.
	present map[string]bool
	missing map[string]missing
	// kinds are what stands at the places of the rows of named tables.
	kinds *kinds
	// parameters are those that rows use.
	parameters []string
	// deferred are the checks of Built.Check.
	deferred []func()
	// last are those of Built.Finish.
	last []func()
}

func newCollector(kinds *kinds) *collector {
	return &collector{kinds: kinds, used: map[string]bool{}, present: map[string]bool{}, missing: map[string]missing{}, shapes: map[Problem]int{}, warned: map[Problem]bool{}}
}

// add takes a problem once, and once for all problems of one shape: what is left of it
// without the places that named tables are used for.
func (c *collector) add(p, shape Problem) {
	c.reported++
	if slices.Contains(c.found, p) {
		return
	}
	c.found = append(c.found, p)
	if at, known := c.shapes[shape]; known {
		c.list[at].More++
		return
	}
	c.shapes[shape] = len(c.list)
	c.list = append(c.list, p)
}

// warn takes a warning, once for all of one shape.
func (c *collector) warn(p, shape Problem) {
	if !c.warned[shape] {
		c.warned[shape] = true
		c.warnings = append(c.warnings, p)
	}
}

// use is a place that a named table is used for. The table has no name where the
// problem is one of its rows.
type use struct {
	table string
	place [2]path.Path
}

// without is what a problem has in common with those at other places of the tables:
// whatever the remedy is there, one mistake has made them.
func (p Problem) without(uses []use) Problem {
	p.Remedy = ""
	for _, u := range uses {
		for _, place := range u.place {
			if len(place) == 0 {
				continue
			}
			start := regexp.MustCompile(regexp.QuoteMeta(place.String()) + `($|[^\w-])`)
			for _, text := range [...]*string{&p.Spoke, &p.Hub, &p.Message} {
				*text = start.ReplaceAllString(*text, u.table+"$1")
			}
		}
	}
	return p
}
