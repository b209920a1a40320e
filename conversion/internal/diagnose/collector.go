package diagnose

import (
	"regexp"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/path"
)

// Collector collects problems and warnings, each of them once.
type Collector struct {
	// List has a problem of each shape.
	List []Problem
	// all are all problems, and shapes has for each shape its number in list: a mistake in a named table
	// is found in each of the fields for which the table is used.
	all    []Problem
	shapes map[Problem]int
	// Reported is how often a problem was added.
	Reported int
	// Warnings tell of what is valid and probably not intended. There is one of each shape in warned.
	Warnings []Problem
	warned   map[Problem]bool
}

func NewCollector() *Collector {
	return &Collector{shapes: map[Problem]int{}, warned: map[Problem]bool{}}
}

// Add adds a problem. If there already is one of its shape, it adds one to More of that. The shape is the problem
// without the fields for which named tables are used.
func (c *Collector) Add(p, shape Problem) {
	c.Reported++
	if slices.Contains(c.all, p) {
		return
	}
	c.all = append(c.all, p)
	if at, known := c.shapes[shape]; known {
		c.List[at].More++
		return
	}
	c.shapes[shape] = len(c.List)
	c.List = append(c.List, p)
}

// Warn adds a warning, unless there is one of its shape.
func (c *Collector) Warn(p, shape Problem) {
	if !c.warned[shape] {
		c.warned[shape] = true
		c.Warnings = append(c.Warnings, p)
	}
}

// Use is a field for which a named table is used. The name of the table is empty if the
// problem is in one of its own rows.
type Use struct {
	Table string
	Place [2]path.Path
}

// Without returns the problem without its remedy and the fields for which tables are used. The
// same mistake makes the same there in each of these fields.
func (p Problem) Without(uses []Use) Problem {
	p.Remedy = ""
	for _, u := range uses {
		for _, place := range u.Place {
			if len(place) == 0 {
				continue
			}
			start := regexp.MustCompile(regexp.QuoteMeta(place.String()) + `($|[^\w-])`)
			for _, text := range [...]*string{&p.Spoke, &p.Hub, &p.Message} {
				*text = start.ReplaceAllString(*text, u.Table+"$1")
			}
		}
	}
	return p
}
