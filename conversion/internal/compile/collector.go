package compile

import (
	"regexp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// collector collects problems and warnings.
type collector struct {
	// list are the problems, without those of a shape that another one has.
	list []Problem
	// all are all problems, and shapes has for each shape its number in list: a mistake in a named table
	// is found in each of the fields for which the table is used.
	all    []Problem
	shapes map[Problem]int
	// reported is how often a problem was added, be it new or not.
	reported int
	// warnings tell of what is valid and probably not intended, and warned are their shapes.
	warnings []Problem
	warned   map[Problem]bool
}

func newCollector() *collector {
	return &collector{shapes: map[Problem]int{}, warned: map[Problem]bool{}}
}

// add takes a problem once, and once for all problems of one shape: what is left of it
// without the places that named tables are used for.
func (c *collector) add(p, shape Problem) {
	c.reported++
	if slices.Contains(c.all, p) {
		return
	}
	c.all = append(c.all, p)
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
