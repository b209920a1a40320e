package mapping

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/expression"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
)

// CEL computes fields by expressions in CEL.
type CEL struct {
	// Programs are, for the side that they read, one for each field of the other side.
	Programs [2][]Program
	// Within is, for either side, the number of the read that finds the object for which a named table is
	// used, or -1.
	Within [2]int
}

// Program is an expression.
type Program struct {
	*expression.Program
	// Reads are the numbers of its reads among those of the row.
	Reads []int
	// Of says which of several expressions of the row it is, for example toHub port.
	Of string
}

// Compute implements [plan.Computer].
func (c *CEL) Compute(scratch []byte, from plan.Side, in, out [][]byte, left *uint64) ([]byte, error) {
	if at := c.Within[from]; at >= 0 && in[at] == nil {
		clear(out) // no row of the table makes anything
		return scratch, nil
	}
	var err error
	for i, p := range c.Programs[from] {
		own := make([][]byte, len(p.Reads))
		for n, read := range p.Reads {
			own[n] = in[read]
		}
		if scratch, out[i], err = p.Evaluate(scratch, own, left); err != nil {
			if len(c.Programs[from]) > 1 {
				err = fmt.Errorf("%s: %w", p.Of, err)
			}
			return scratch, err
		}
	}
	return scratch, nil
}
