package draw

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Coverage has how often each class of input was generated. The zero value is ready to use. A nil
// *Coverage ignores Count.
type Coverage struct {
	counts map[string]int
}

// Count adds one to a class.
func (c *Coverage) Count(class string) {
	if c == nil {
		return
	}
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[class]++
}

// Of returns how often a class was generated.
func (c *Coverage) Of(class string) int { return c.counts[class] }

// Classes returns how often each class was generated.
func (c *Coverage) Classes() map[string]int { return maps.Clone(c.counts) }

// Add adds the counts of another Coverage.
func (c *Coverage) Add(other *Coverage) {
	for class, n := range other.counts {
		if c.counts == nil {
			c.counts = map[string]int{}
		}
		c.counts[class] += n
	}
}

// Missing lists the classes that were not generated.
func (c *Coverage) Missing(classes []string) []string {
	var out []string
	for _, class := range classes {
		if c.counts[class] == 0 {
			out = append(out, class)
		}
	}
	return out
}

// String returns a line for each class, with its number.
func (c *Coverage) String() string {
	var b strings.Builder
	for _, class := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Fprintf(&b, "%8d %s\n", c.counts[class], class)
	}
	return b.String()
}
