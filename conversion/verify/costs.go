package verify

import (
	"context"
	"io/fs"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/cost"
)

// CostOptions says what to measure.
type CostOptions struct {
	// Examples has a folder for each example table.
	Examples fs.FS
	// Tables is how many tables to generate besides, from Seed.
	Tables int
	Seed   uint64
	// Family is what the names of the families have that are judged; empty for all.
	Family string
}

// Costs judges law L8 by families of objects, each of which grows to hundreds of kilobytes, most of
// them with a stash that no conversion has written. It tells each what a family costs, and of
// how many families, and returns what is wrong: nothing if the law is kept as far as it is
// known to be. Package cost has the list of what is known to fall short; where all are judged
// it must be no longer than what they show. That takes about ten minutes.
func Costs(ctx context.Context, o CostOptions, each func(verdict string, of int)) (wrong []string, err error) {
	all, err := cost.Families(o.Examples)
	if err != nil {
		return nil, err
	}
	for n := range o.Tables {
		f, err := cost.Drawn(o.Seed, uint64(n))
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	var families []cost.Family
	for _, f := range all {
		if strings.Contains(f.Name, o.Family) {
			families = append(families, f)
		}
	}
	var verdicts []cost.Verdict
	broken, err := cost.Run(ctx, families, func(v cost.Verdict) {
		verdicts = append(verdicts, v)
		each(v.String(), len(families))
	})
	if err != nil {
		return nil, err
	}
	for _, v := range broken {
		wrong = append(wrong, v.String())
	}
	if len(families) == len(all) {
		for _, mended := range cost.Mended(verdicts) {
			wrong = append(wrong, "no family shows this shortfall any more, strike it from the list: "+mended)
		}
	}
	return wrong, nil
}
